#include <fmt/format.h>

#include <numeric>

#include "core/hlo/proto/module_index.h"
#include "core/hlo/proto/wire.h"

namespace hloscope::hlo {

namespace {

constexpr uint32_t kOperandField = 36;
constexpr uint32_t kControlField = 37;

/// Positions of the operands and control predecessors of each instruction, as rows.
struct Dependences {
  std::vector<uint32_t> offsets = {0};
  std::vector<uint32_t> positions;

  [[nodiscard]] size_t begin(uint32_t i) const { return offsets[i]; }
  [[nodiscard]] size_t end(uint32_t i) const { return offsets[i + 1]; }
};

using Positions = std::unordered_map<int64_t, uint32_t>;

tl::unexpected<Error> bad(std::string message) {
  return fail(ErrorCode::kInvalidInput, std::move(message));
}

Result<Positions> positions_by_id(const WireComputation& computation) {
  Positions out;
  out.reserve(computation.instructions.size());
  for (uint32_t i = 0; i < computation.instructions.size(); ++i) {
    const WireInstruction& instruction = computation.instructions[i];
    if (!out.emplace(instruction.id, i).second) {
      return bad(fmt::format("instruction '{}' has the id {} of another one", instruction.name,
                             instruction.id));
    }
  }
  return out;
}

Result<Dependences> dependences_of(const WireComputation& computation, const Positions& positions) {
  Dependences out;
  std::vector<int64_t> ids;
  for (const WireInstruction& instruction : computation.instructions) {
    ids.clear();
    WireReader reader(instruction.bytes);
    while (reader.next()) {
      const uint32_t number = reader.field().number;
      if (number != kOperandField && number != kControlField) continue;
      if (!append_varints(reader.field(), ids)) {
        return bad(fmt::format("instruction '{}': operand_ids is damaged", instruction.name));
      }
    }
    for (const int64_t id : ids) {
      const auto found = positions.find(id);
      if (found == positions.end()) {
        return bad(fmt::format("instruction '{}': operand or control predecessor {} does not exist",
                               instruction.name, id));
      }
      out.positions.push_back(found->second);
    }
    out.offsets.push_back(static_cast<uint32_t>(out.positions.size()));
  }
  return out;
}

/// The position of an instruction that stands before something it needs; the size if none does.
size_t first_too_early(const std::vector<uint32_t>& order, const Dependences& dependences) {
  std::vector<uint8_t> done(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t k = dependences.begin(order[i]); k < dependences.end(order[i]); ++k) {
      if (done[dependences.positions[k]] == 0) return i;
    }
    done[order[i]] = 1;
  }
  return order.size();
}

Result<std::vector<uint32_t>> scheduled_order(const WireComputation& computation,
                                              const Positions& positions,
                                              const std::vector<int64_t>& schedule) {
  std::vector<uint32_t> order;
  std::vector<uint8_t> seen(computation.instructions.size());
  for (const int64_t id : schedule) {
    const auto found = positions.find(id);
    if (found == positions.end())
      return bad(fmt::format("the schedule names instruction {}, which does not exist", id));
    if (seen[found->second]++ != 0)
      return bad(fmt::format("the schedule names instruction {} twice", id));
    order.push_back(found->second);
  }
  if (order.size() != computation.instructions.size()) {
    return bad(fmt::format("the schedule has {} of {} instructions", order.size(),
                           computation.instructions.size()));
  }
  return order;
}

Result<std::vector<uint32_t>> post_order(const WireComputation& computation,
                                         const Dependences& dependences) {
  enum : uint8_t { kNew, kOpen, kDone };
  struct Visit {
    uint32_t position;
    size_t next;
  };
  std::vector<uint32_t> order;
  std::vector<uint8_t> state(computation.instructions.size(), kNew);
  std::vector<Visit> stack;
  const auto open = [&](uint32_t position) {
    state[position] = kOpen;
    stack.push_back({position, dependences.begin(position)});
  };
  for (uint32_t first = 0; first < state.size(); ++first) {
    if (state[first] == kNew) open(first);
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.next == dependences.end(top.position)) {
        state[top.position] = kDone;
        order.push_back(top.position);
        stack.pop_back();
        continue;
      }
      const uint32_t needed = dependences.positions[top.next++];
      if (state[needed] == kOpen) {
        return bad(fmt::format("instruction '{}' depends on itself",
                               computation.instructions[needed].name));
      }
      if (state[needed] == kNew) open(needed);
    }
  }
  return order;
}

}  // namespace

Result<std::vector<uint32_t>> instruction_order(const WireComputation& computation,
                                                const std::vector<int64_t>* schedule) {
  HLOSCOPE_ASSIGN(const Positions positions, positions_by_id(computation));
  HLOSCOPE_ASSIGN(const Dependences dependences, dependences_of(computation, positions));
  if (schedule != nullptr) {
    HLOSCOPE_ASSIGN(auto order, scheduled_order(computation, positions, *schedule));
    const size_t early = first_too_early(order, dependences);
    if (early == order.size()) return order;
    return bad(fmt::format("the schedule has instruction '{}' before an operand of it",
                           computation.instructions[order[early]].name));
  }
  std::vector<uint32_t> order(computation.instructions.size());
  std::iota(order.begin(), order.end(), 0U);
  if (first_too_early(order, dependences) == order.size()) return order;
  return post_order(computation, dependences);
}

}  // namespace hloscope::hlo
