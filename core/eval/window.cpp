#include "core/eval/ops.h"
#include "core/eval/window_walk.h"

namespace hloscope::eval {

namespace {

using hlo::AttrKey;

// Larger values would overflow positions; no array is as large.
constexpr int64_t kMostWindow = int64_t{1} << 30;

using Window = std::vector<WindowDim>;

Dims sizes_of(const Window& window) {
  Dims out;
  for (const WindowDim& dim : window) out.push_back(dim.size);
  return out;
}

// The windows over `input` are as many as `output` has elements.
Status check_windows(const OpCall& call, const Window& window, const Dims& input,
                     const Dims& output) {
  bool fits = window.size() == input.size() && output.size() == input.size();
  for (size_t d = 0; fits && d < input.size(); ++d) {
    fits = output[d] == window[d].output_size(input[d]);
  }
  HLOSCOPE_TRY(call.require(fits, "has a window that does not fit its shapes"));
  return call.check_budget(static_cast<double>(element_count(output)) *
                           static_cast<double>(element_count(sizes_of(window))));
}

// The input position of a window element; false for padding.
bool find_input(const Window& window, const Dims& output, const Dims& inside, const Dims& input,
                Dims& found) {
  for (size_t d = 0; d < window.size(); ++d) {
    const auto position = window[d].input_position(output[d], inside[d], input[d]);
    if (!position) return false;
    found[d] = *position;
  }
  return true;
}

Status check_reduce_window(const OpCall& call, size_t count, const std::vector<Array>& results) {
  bool fits = results.size() == count;
  for (size_t k = 0; fits && k < count; ++k) {
    HLOSCOPE_ASSIGN(const Array* from, call.array(k));
    HLOSCOPE_ASSIGN(const Array* init, call.array(count + k));
    fits = from->dimensions == call.operand(0).array().dimensions && init->dimensions.empty() &&
           results[k].dimensions == results[0].dimensions && results[k].type == init->type;
  }
  return call.require(fits, "has a result that does not fit its operands");
}

// The element of the window that `select` keeps: the first, until a later one is preferred.
Result<std::optional<size_t>> selected(const OpCall& call, const Window& window, const Array& from,
                                       const Dims& output, ScalarFunction& select) {
  std::optional<size_t> best;
  Dims found(window.size(), 0);
  for (IndexWalk inside(sizes_of(window)); !inside.done(); inside.next()) {
    HLOSCOPE_TRY(call.spend(select.cost()));
    if (!find_input(window, output, inside.index(), from.dimensions, found)) continue;
    const size_t here = *position_of(from.dimensions, found);
    Scalar keep = Scalar::of(int64_t{0});
    if (best) {
      const Scalar pair[2] = {from.elements[*best], from.elements[here]};
      HLOSCOPE_TRY(select.apply(pair, std::span(&keep, 1)));
    }
    if (keep.i == 0) best = here;
  }
  return best;
}

}  // namespace

Result<Window> window_of(const OpCall& call) {
  const auto ints = call.ints(AttrKey::kWindow);
  Window out;
  const auto positive = [](int64_t value) { return value > 0 && value < kMostWindow; };
  const auto is_padding = [](int64_t value) { return value > -kMostWindow && value < kMostWindow; };
  for (size_t i = 0; i + hlo::kWindowInts <= ints.size(); i += hlo::kWindowInts) {
    const int64_t* w = &ints[i];
    const bool fits = positive(w[0]) && positive(w[1]) && is_padding(w[2]) && is_padding(w[3]) &&
                      positive(w[4]) && positive(w[5]);
    HLOSCOPE_TRY(call.require(fits, "has a window without measure"));
    out.push_back({w[0], w[1], w[2], w[3], w[4], w[5], w[6] != 0});
  }
  return out;
}

Result<Value> reduce_window(const OpCall& call) {
  const size_t count = call.operands().size() / 2;
  HLOSCOPE_ASSIGN(const Window window, window_of(call));
  HLOSCOPE_ASSIGN(std::vector<Array> results, call.new_arrays());
  HLOSCOPE_TRY(check_reduce_window(call, count, results));
  const Dims& input = call.operand(0).array().dimensions;
  HLOSCOPE_TRY(check_windows(call, window, input, results[0].dimensions));
  HLOSCOPE_ASSIGN(ScalarFunction f, call.function(AttrKey::kToApply));
  HLOSCOPE_TRY(call.require(f.result_count() == count, "combines another number of values"));
  std::vector<Scalar> inputs(2 * count);
  std::vector<Scalar> sums(count);
  Dims found(input.size(), 0);
  const Dims sizes = sizes_of(window);
  for (IndexWalk walk(results[0].dimensions); !walk.done(); walk.next()) {
    for (size_t k = 0; k < count; ++k) sums[k] = call.operand(count + k).array().elements[0];
    for (IndexWalk inside(sizes); !inside.done(); inside.next()) {
      HLOSCOPE_TRY(call.spend(f.cost()));
      if (!find_input(window, walk.index(), inside.index(), input, found)) continue;
      const size_t place = *position_of(input, found);
      for (size_t k = 0; k < count; ++k) {
        inputs[k] = sums[k];
        inputs[count + k] = call.operand(k).array().elements[place];
      }
      HLOSCOPE_TRY(f.apply(inputs, sums));
    }
    for (size_t k = 0; k < count; ++k) results[k].elements[walk.position()] = sums[k];
  }
  return call.value_of(std::move(results));
}

Result<Value> select_and_scatter(const OpCall& call) {
  HLOSCOPE_ASSIGN(const Array* from, call.array(0));
  HLOSCOPE_ASSIGN(const Array* source, call.array(1));
  HLOSCOPE_ASSIGN(const Array* init, call.array(2));
  HLOSCOPE_ASSIGN(const Window window, window_of(call));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  HLOSCOPE_TRY(call.require(from->dimensions == out.dimensions && from->type == out.type &&
                                source->type == out.type && init->type == out.type &&
                                init->dimensions.empty(),
                            "has operands that do not fit its result"));
  HLOSCOPE_TRY(check_windows(call, window, from->dimensions, source->dimensions));
  HLOSCOPE_ASSIGN(ScalarFunction select, call.function(AttrKey::kSelect));
  HLOSCOPE_ASSIGN(ScalarFunction scatter, call.function(AttrKey::kScatter));
  HLOSCOPE_TRY(call.require(select.result_count() == 1 && scatter.result_count() == 1,
                            "applies a computation with several results"));
  out.elements.assign(out.elements.size(), init->elements[0]);
  for (IndexWalk walk(source->dimensions); !walk.done(); walk.next()) {
    HLOSCOPE_ASSIGN(const auto place, selected(call, window, *from, walk.index(), select));
    if (!place) continue;
    const Scalar pair[2] = {out.elements[*place], source->elements[walk.position()]};
    HLOSCOPE_TRY(scatter.apply(pair, std::span(&out.elements[*place], 1)));
  }
  return Value(std::move(out));
}

}  // namespace hloscope::eval
