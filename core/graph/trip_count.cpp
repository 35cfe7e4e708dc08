#include "core/graph/trip_count.h"

#include <charconv>
#include <limits>

#include "core/graph/scalar_trace.h"

namespace hloscope::graph {

using hlo::AttrKey;
using hlo::InstructionId;
using hlo::Opcode;

namespace {

/// Takes `token` off the front, and white space before it.
bool take(std::string_view& text, std::string_view token) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || !text.substr(begin).starts_with(token)) return false;
  text.remove_prefix(begin + token.size());
  return true;
}

/// The same condition with its sides exchanged.
std::string_view mirrored(std::string_view direction) {
  if (direction == "LT") return "GT";
  if (direction == "GT") return "LT";
  if (direction == "LE") return "GE";
  if (direction == "GE") return "LE";
  return direction;
}

std::optional<int64_t> count_upwards(int64_t init, int64_t limit, int64_t step, bool inclusive) {
  if (inclusive && limit == std::numeric_limits<int64_t>::max()) return std::nullopt;
  if (inclusive) ++limit;
  if (init >= limit) return 0;
  int64_t distance = 0;
  if (step <= 0 || __builtin_sub_overflow(limit, init, &distance)) return std::nullopt;
  return (distance - 1) / step + 1;
}

std::optional<int64_t> count_to_equality(int64_t init, int64_t limit, int64_t step) {
  if (init == limit) return 0;
  int64_t distance = 0;
  if (step == 0 || __builtin_sub_overflow(limit, init, &distance)) return std::nullopt;
  if (distance == std::numeric_limits<int64_t>::min()) return std::nullopt;
  if (distance % step != 0 || distance / step < 0) return std::nullopt;
  return distance / step;
}

/// Whether `value` is state of the loop whose frame is `frame`.
bool is_state(const hlo::Program& program, const ScalarTracer::Value& value,
              ScalarTracer::FrameId frame) {
  return value.frame == frame && program[value.source.instruction].opcode == Opcode::kParameter;
}

struct Counter {
  std::vector<int64_t> path;  // Of the state that counts.
  int64_t offset;             // The condition looks at state + offset.
};

/// Trips when the condition is `counter DIRECTION limit`.
std::optional<int64_t> count(const hlo::Program& program, InstructionId loop, ScalarTracer& tracer,
                             const Counter& counter, std::pair<int64_t, std::string_view> limit) {
  const hlo::ComputationId body = program.computation(loop, AttrKey::kBody);
  const ScalarTracer::FrameId frame = tracer.enter(loop, ScalarTracer::kRoot);
  const auto next = tracer.linear({{program[body].root, counter.path}, frame});
  if (!is_state(program, next.base, frame) || next.base.source.path != counter.path) {
    return std::nullopt;
  }
  const auto init =
      tracer.constant({{program.operands(loop)[0], counter.path}, ScalarTracer::kRoot});
  int64_t first = 0;
  if (!init || __builtin_add_overflow(*init, counter.offset, &first)) return std::nullopt;
  return count_iterations(first, limit.first, next.offset, limit.second);
}

/// Trips when the loop goes on as long as `test` (a compare of the counter) holds; `frame` is the
/// one of the loop.
std::optional<int64_t> count_by_test(const hlo::Program& program, InstructionId loop,
                                     ScalarTracer& tracer, const ScalarTracer::Value& test,
                                     ScalarTracer::FrameId frame) {
  if (program[test.source.instruction].opcode != Opcode::kCompare) return std::nullopt;
  const std::string_view direction = program.text(test.source.instruction, AttrKey::kDirection);
  const auto operands = program.operands(test.source.instruction);
  for (const size_t side : {size_t{0}, size_t{1}}) {
    const auto counter = tracer.linear({{operands[side], {}}, test.frame});
    if (!is_state(program, counter.base, frame)) continue;
    const auto bound = tracer.linear({{operands[1 - side], {}}, test.frame});
    const auto base = tracer.constant(bound.base);
    int64_t limit = 0;
    if (!base || __builtin_add_overflow(*base, bound.offset, &limit)) continue;
    const auto trips = count(program, loop, tracer, {counter.base.source.path, counter.offset},
                             {limit, side == 0 ? direction : mirrored(direction)});
    if (trips) return trips;
  }
  return std::nullopt;
}

bool is_loop(const hlo::Program& program, InstructionId loop) {
  return program.computation(loop, AttrKey::kCondition).valid() &&
         program.computation(loop, AttrKey::kBody).valid() && !program.operands(loop).empty();
}

ScalarTracer::Value condition_of(const hlo::Program& program, InstructionId loop,
                                 ScalarTracer::FrameId frame) {
  return {{program[program.computation(loop, AttrKey::kCondition)].root, {}}, frame};
}

// Conditions joined by "and" that are looked at: a bound on the work.
constexpr int kMaxTests = 64;

}  // namespace

std::optional<int64_t> known_trip_count(std::string_view backend_config) {
  static constexpr std::string_view kKey = "\"known_trip_count\"";
  const size_t at = backend_config.find(kKey);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = backend_config.substr(at + kKey.size());
  if (!take(rest, ":") || !take(rest, "{") || !take(rest, "\"n\"") || !take(rest, ":")) {
    return std::nullopt;
  }
  take(rest, "\"");
  take(rest, "");  // White space before the number.
  int64_t value = 0;
  const auto result = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (result.ec != std::errc() || value < 0) return std::nullopt;
  return value;
}

std::optional<int64_t> count_iterations(int64_t init, int64_t limit, int64_t step,
                                        std::string_view direction) {
  if (direction == "LT" || direction == "LE") {
    return count_upwards(init, limit, step, direction == "LE");
  }
  if (direction == "GT" || direction == "GE") {
    static constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
    if (init == kLowest || limit == kLowest || step == kLowest) return std::nullopt;
    return count_upwards(-init, -limit, -step, direction == "GE");
  }
  if (direction == "NE") return count_to_equality(init, limit, step);
  if (direction != "EQ" || (init == limit && step == 0)) return std::nullopt;
  return init == limit ? 1 : 0;
}

std::optional<int64_t> derived_trip_count(const hlo::Program& program, InstructionId loop) {
  if (!is_loop(program, loop)) return std::nullopt;
  ScalarTracer tracer(program);
  const ScalarTracer::FrameId frame = tracer.enter(loop, ScalarTracer::kRoot);
  const auto test = tracer.resolve(condition_of(program, loop, frame));
  return count_by_test(program, loop, tracer, test, frame);
}

std::optional<int64_t> trip_limit(const hlo::Program& program, InstructionId loop) {
  if (!is_loop(program, loop)) return std::nullopt;
  ScalarTracer tracer(program);
  const ScalarTracer::FrameId frame = tracer.enter(loop, ScalarTracer::kRoot);
  std::optional<int64_t> limit;
  std::vector<ScalarTracer::Value> pending = {condition_of(program, loop, frame)};
  for (int tests = 0; !pending.empty() && tests < kMaxTests; ++tests) {
    const auto test = tracer.resolve(pending.back());
    pending.pop_back();
    if (program[test.source.instruction].opcode == Opcode::kAnd) {
      for (InstructionId operand : program.operands(test.source.instruction)) {
        pending.push_back({{operand, {}}, test.frame});
      }
      continue;
    }
    const auto trips = count_by_test(program, loop, tracer, test, frame);
    if (trips && (!limit || *trips < *limit)) limit = trips;
  }
  return limit;
}

std::optional<int64_t> trip_count(const hlo::Program& program, InstructionId loop) {
  const auto known = known_trip_count(program.text(loop, AttrKey::kBackendConfig));
  return known ? known : derived_trip_count(program, loop);
}

}  // namespace hloscope::graph
