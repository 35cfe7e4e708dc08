#include <algorithm>
#include <numeric>

#include "core/eval/ops.h"

namespace hloscope::eval {

namespace {

// Sorts the lines along one dimension of several arrays alike. A merge sort of our own: the
// standard ones may run over their ends with a comparator that is no order.
class LineSorter {
 public:
  LineSorter(const OpCall& call, ScalarFunction& less, size_t length)
      : call_(call), less_(less), order_(length), spare_(length), inputs_(2 * count()) {}

  // Element i of a line stands at base + i * stride. Gives the new order of its elements.
  Result<std::span<const size_t>> sort(size_t base, size_t stride) {
    base_ = base;
    stride_ = stride;
    std::iota(order_.begin(), order_.end(), size_t{0});
    for (size_t width = 1; width < order_.size(); width *= 2) {
      for (size_t low = 0; low < order_.size(); low += 2 * width) {
        const size_t middle = std::min(low + width, order_.size());
        HLOSCOPE_TRY(merge(low, middle, std::min(middle + width, order_.size())));
      }
      std::swap(order_, spare_);
    }
    return std::span<const size_t>(order_);
  }

 private:
  [[nodiscard]] size_t count() const { return call_.operands().size(); }

  // Two sorted runs of order_ into spare_; of equal elements the left one comes first.
  Status merge(size_t low, size_t middle, size_t high) {
    size_t left = low;
    size_t right = middle;
    for (size_t to = low; to < high; ++to) {
      bool takes_right = left == middle;
      if (left < middle && right < high) {
        HLOSCOPE_ASSIGN(takes_right, is_less(order_[right], order_[left]));
      }
      spare_[to] = takes_right ? order_[right++] : order_[left++];
    }
    return {};
  }

  Result<bool> is_less(size_t a, size_t b) {
    HLOSCOPE_TRY(call_.spend(less_.cost()));
    for (size_t k = 0; k < count(); ++k) {
      const std::vector<Scalar>& elements = call_.operand(k).array().elements;
      inputs_[2 * k] = elements[base_ + a * stride_];
      inputs_[2 * k + 1] = elements[base_ + b * stride_];
    }
    Scalar result;
    HLOSCOPE_TRY(less_.apply(inputs_, std::span(&result, 1)));
    return result.i != 0;
  }

  const OpCall& call_;
  ScalarFunction& less_;
  std::vector<size_t> order_;
  std::vector<size_t> spare_;
  std::vector<Scalar> inputs_;
  size_t base_ = 0;
  size_t stride_ = 1;
};

Status check_sort(const OpCall& call, const std::vector<Array>& results) {
  const auto dims = call.ints(hlo::AttrKey::kDimensions);
  bool fits = results.size() == call.operands().size() && dims.size() == 1;
  for (size_t k = 0; fits && k < results.size(); ++k) {
    HLOSCOPE_ASSIGN(const Array* from, call.array(k));
    fits = from->type == results[k].type && from->dimensions == results[k].dimensions &&
           from->dimensions == results[0].dimensions &&
           are_dimensions(dims, from->dimensions.size());
  }
  return call.require(fits, "has results that do not fit its operands");
}

}  // namespace

Result<Value> sort(const OpCall& call) {
  HLOSCOPE_ASSIGN(std::vector<Array> results, call.new_arrays());
  HLOSCOPE_TRY(check_sort(call, results));
  HLOSCOPE_ASSIGN(ScalarFunction less, call.function(hlo::AttrKey::kToApply));
  HLOSCOPE_TRY(call.require(less.result_count() == 1, "compares with several results"));
  const Dims& dims = results[0].dimensions;
  const auto along = static_cast<size_t>(call.ints(hlo::AttrKey::kDimensions)[0]);
  const auto length = static_cast<size_t>(dims[along]);
  size_t stride = 1;
  for (size_t d = along + 1; d < dims.size(); ++d) stride *= static_cast<size_t>(dims[d]);
  LineSorter sorter(call, less, length);
  Dims firsts = dims;
  firsts[along] = std::min<int64_t>(1, dims[along]);
  for (IndexWalk walk(firsts); !walk.done(); walk.next()) {
    const size_t base = *position_of(dims, walk.index());
    HLOSCOPE_ASSIGN(const auto order, sorter.sort(base, stride));
    for (size_t k = 0; k < results.size(); ++k) {
      const std::vector<Scalar>& from = call.operand(k).array().elements;
      for (size_t i = 0; i < length; ++i) {
        results[k].elements[base + i * stride] = from[base + order[i] * stride];
      }
    }
  }
  return call.value_of(std::move(results));
}

}  // namespace hloscope::eval
