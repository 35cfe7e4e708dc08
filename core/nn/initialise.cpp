#include "core/nn/initialise.h"

#include <algorithm>
#include <cmath>

namespace hloscope::nn {

template <typename T>
void initialise_uniform(ParameterSet<T>& parameters, ParameterId id, double bound, Rng& rng) {
  MatrixMap<T> value = parameters.value(id);
  std::generate_n(value.data(), value.size(),
                  [&] { return static_cast<T>((2.0 * rng.uniform() - 1.0) * bound); });
}

template <typename T>
void initialise_glorot(ParameterSet<T>& parameters, ParameterId id, Rng& rng) {
  const auto sizes = static_cast<double>(parameters.rows(id) + parameters.cols(id));
  initialise_uniform(parameters, id, std::sqrt(6.0 / std::max(sizes, 1.0)), rng);
}

template void initialise_uniform(ParameterSet<float>&, ParameterId, double, Rng&);
template void initialise_uniform(ParameterSet<double>&, ParameterId, double, Rng&);
template void initialise_glorot(ParameterSet<float>&, ParameterId, Rng&);
template void initialise_glorot(ParameterSet<double>&, ParameterId, Rng&);

}  // namespace hloscope::nn
