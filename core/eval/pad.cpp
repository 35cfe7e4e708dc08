#include "core/eval/ops.h"

namespace hloscope::eval {

namespace {

constexpr int64_t kMaxPadding = int64_t{1} << 40;

// Low, high and interior padding of one dimension.
struct Padding {
  int64_t low, high, interior;

  [[nodiscard]] bool is_sane() const {
    return low > -kMaxPadding && low < kMaxPadding && high > -kMaxPadding && high < kMaxPadding &&
           interior >= 0 && interior < (int64_t{1} << 20);
  }
  [[nodiscard]] int64_t result(int64_t size) const {
    return low + high + size + (size > 0 ? (size - 1) * interior : 0);
  }
};

}  // namespace

Result<Value> pad(const OpCall& call) {
  HLOSCOPE_ASSIGN(const Array* from, call.array(0));
  HLOSCOPE_ASSIGN(const Array* value, call.array(1));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  const auto ints = call.ints(hlo::AttrKey::kPadding);
  const size_t rank = out.dimensions.size();
  bool fits = ints.size() == 3 * rank && from->dimensions.size() == rank &&
              value->elements.size() == 1 && value->type == out.type && from->type == out.type;
  std::vector<Padding> padding;
  for (size_t d = 0; fits && d < rank; ++d) {
    padding.push_back({ints[3 * d], ints[3 * d + 1], ints[3 * d + 2]});
    fits = padding[d].is_sane() && padding[d].result(from->dimensions[d]) == out.dimensions[d];
  }
  HLOSCOPE_TRY(call.require(fits, "has padding that does not fit its operand and its result"));
  out.elements.assign(out.elements.size(), value->elements[0]);
  HLOSCOPE_TRY(call.spend(static_cast<int64_t>(from->elements.size())));
  Dims index(rank, 0);
  for (IndexWalk walk(from->dimensions); !walk.done(); walk.next()) {
    for (size_t d = 0; d < rank; ++d) {
      index[d] = padding[d].low + walk.index()[d] * (padding[d].interior + 1);
    }
    // Negative padding cuts elements off.
    const auto position = position_of(out.dimensions, index);
    if (position) out.elements[*position] = from->elements[walk.position()];
  }
  return Value(std::move(out));
}

}  // namespace hloscope::eval
