#include "core/hlo/convolution.h"

#include "core/eval/ops.h"
#include "core/eval/product_sum.h"
#include "core/eval/window_walk.h"

namespace hloscope::eval {

namespace {

using Labels = hlo::Convolution;

// Whether the labels name every dimension of an array once.
bool are_complete(const Labels& c, Labels::Pair pair, int Labels::Spatial::*place, size_t rank) {
  Dims named = {pair.first, pair.second};
  for (size_t d = 0; d < c.spatial_count; ++d) named.push_back(c.spatial[d].*place);
  return named.size() == rank && are_dimensions(named, rank);
}

// Every dimension of the three arrays has a label, and the sizes go together.
bool labels_fit(const Labels& c, const Array& input, const Array& kernel, const Array& out,
                const std::vector<WindowDim>& window) {
  bool fits =
      c.spatial_count == window.size() &&
      are_complete(c, c.input_dims, &Labels::Spatial::input_dim, input.dimensions.size()) &&
      are_complete(c, c.kernel_dims, &Labels::Spatial::kernel_dim, kernel.dimensions.size()) &&
      are_complete(c, c.output_dims, &Labels::Spatial::output_dim, out.dimensions.size());
  for (size_t d = 0; fits && d < window.size(); ++d) {
    const Labels::Spatial& s = c.spatial[d];
    fits = s.kernel == window[d].size && s.output == window[d].output_size(s.input);
  }
  return fits;
}

bool features_fit(const Labels& c, const Array& kernel, const Array& out) {
  const int64_t summed = kernel.dimensions[static_cast<size_t>(c.kernel_dims.first)];
  const int64_t features = kernel.dimensions[static_cast<size_t>(c.kernel_dims.second)];
  const int64_t batch = out.dimensions[static_cast<size_t>(c.output_dims.first)];
  return summed * c.feature_groups == c.input_feature && features == c.output_feature &&
         batch * c.batch_groups == c.batch && features % c.feature_groups == 0 &&
         features % c.batch_groups == 0 && (c.feature_groups == 1 || c.batch_groups == 1);
}

// One element of the result.
class OutputElement {
 public:
  OutputElement(const Labels& c, const std::vector<WindowDim>& window, const Array& input,
                const Array& kernel)
      : c_(c),
        window_(window),
        input_(input),
        kernel_(kernel),
        input_index_(input.dimensions.size(), 0),
        kernel_index_(kernel.dimensions.size(), 0) {}

  void add_all(const Dims& out, ProductSum& sum) {
    const int64_t feature = out[static_cast<size_t>(c_.output_dims.second)];
    const int64_t summed = kernel_.dimensions[static_cast<size_t>(c_.kernel_dims.first)];
    const int64_t first = feature / (c_.output_feature / c_.feature_groups) * summed;
    const int64_t group = feature / (c_.output_feature / c_.batch_groups);
    input_index_[static_cast<size_t>(c_.input_dims.first)] =
        group * (c_.batch / c_.batch_groups) + out[static_cast<size_t>(c_.output_dims.first)];
    kernel_index_[static_cast<size_t>(c_.kernel_dims.second)] = feature;
    Dims sizes;
    for (const WindowDim& dim : window_) sizes.push_back(dim.size);
    for (IndexWalk inside(sizes); !inside.done(); inside.next()) {
      if (meet_input(out, inside.index())) add_features(first, summed, sum);
    }
  }

 private:
  bool meet_input(const Dims& out, const Dims& inside) {
    for (size_t d = 0; d < window_.size(); ++d) {
      const Labels::Spatial& s = c_.spatial[d];
      const auto position =
          window_[d].input_position(out[static_cast<size_t>(s.output_dim)], inside[d], s.input);
      if (!position) return false;
      input_index_[static_cast<size_t>(s.input_dim)] = *position;
      kernel_index_[static_cast<size_t>(s.kernel_dim)] = inside[d];
    }
    return true;
  }

  void add_features(int64_t first, int64_t count, ProductSum& sum) {
    for (int64_t i = 0; i < count; ++i) {
      input_index_[static_cast<size_t>(c_.input_dims.second)] = first + i;
      kernel_index_[static_cast<size_t>(c_.kernel_dims.first)] = i;
      sum.add(input_.elements[*position_of(input_.dimensions, input_index_)],
              kernel_.elements[*position_of(kernel_.dimensions, kernel_index_)]);
    }
  }

  const Labels& c_;
  const std::vector<WindowDim>& window_;
  const Array& input_;
  const Array& kernel_;
  Dims input_index_;
  Dims kernel_index_;
};

}  // namespace

Result<Value> convolution(const OpCall& call) {
  HLOSCOPE_ASSIGN(const Array* input, call.array(0));
  HLOSCOPE_ASSIGN(const Array* kernel, call.array(1));
  HLOSCOPE_ASSIGN(const std::vector<WindowDim> window, window_of(call));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  const auto c = hlo::convolution(call.program(), call.id());
  HLOSCOPE_TRY(call.require(
      c && call.operands().size() == 2 && labels_fit(*c, *input, *kernel, out, window) &&
          features_fit(*c, *kernel, out) && domain(input->type) == domain(kernel->type),
      "has labels, a window or groups that do not fit its shapes"));
  const double per_element = static_cast<double>(kernel->elements.size()) /
                             static_cast<double>(std::max<int64_t>(1, c->output_feature));
  HLOSCOPE_TRY(call.check_budget(static_cast<double>(out.elements.size()) * per_element));
  ProductSum sum(input->type, out.type);
  OutputElement element(*c, window, *input, *kernel);
  for (IndexWalk walk(out.dimensions); !walk.done(); walk.next()) {
    HLOSCOPE_TRY(call.spend(static_cast<int64_t>(per_element)));
    sum.clear();
    element.add_all(walk.index(), sum);
    out.elements[walk.position()] = sum.value();
  }
  return Value(std::move(out));
}

}  // namespace hloscope::eval
