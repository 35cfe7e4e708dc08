#include "core/tune/space.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hloscope::tune {

std::vector<size_t> drawn_places(size_t places, double share, Rng& rng) {
  std::vector<size_t> out(places);
  std::iota(out.begin(), out.end(), size_t{0});
  shuffle(std::span(out), rng);
  const auto wanted = static_cast<size_t>(std::lround(share * static_cast<double>(places)));
  out.resize(std::min(std::max<size_t>(wanted, 1), places));
  return out;
}

Config mixed_toward(const Config& a, const Config& b, double share, Rng& rng) {
  std::vector<size_t> differing;
  for (size_t d = 0; d < a.size(); ++d) {
    if (a[d] != b[d]) differing.push_back(d);
  }
  Config out = a;
  for (const size_t place : drawn_places(differing.size(), share, rng)) {
    out[differing[place]] = b[differing[place]];
  }
  return out;
}

}  // namespace hloscope::tune
