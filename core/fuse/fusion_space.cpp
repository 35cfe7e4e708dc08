#include "core/fuse/fusion_space.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/fuse/twins.h"
#include "core/graph/schedule.h"

namespace hloscope::fuse {

using hlo::InstructionId;

FusionSpace::FusionSpace(hlo::ProgramPtr program, const FusionLimits& limits)
    : program_(std::move(program)),
      limits_(limits),
      executions_(program_->computation_count(), 0.0),
      bytes_(array_bytes(program_->shapes())),
      roles_(program_->instruction_count(), Role::kNever),
      hosts_(program_->instruction_count()) {
  const graph::Schedule schedule = graph::schedule(*program_, {});
  for (hlo::ComputationId id : program_->computations()) {
    if (schedule.uses[id].is_scheduled) executions_[id] = schedule.uses[id].executions;
  }
  find_control();
  find_roles();
  find_hosts();
  find_edges();
  twins_ = find_twins(*program_, roles_);
}

void FusionSpace::find_control() {
  for (InstructionId id : program_->instructions()) {
    for (int64_t before : program_->ints(id, hlo::AttrKey::kControlPredecessors)) {
      predecessors_.add(InstructionId(static_cast<uint32_t>(before)));
    }
    predecessors_.end_row();
  }
  successors_ = predecessors_.transposed(program_->instruction_count());
}

void FusionSpace::find_roles() {
  for (InstructionId id : program_->instructions()) {
    const bool free = predecessors_[id].empty() && successors_[id].empty();
    if (free && executions(id) > 0) roles_[id] = role_of(*program_, id);
  }
}

InstructionId FusionSpace::only_user(InstructionId id) const {
  const auto users = program_->users(id);
  if (users.empty() || (*program_)[(*program_)[id].computation].root == id) return {};
  const bool same = std::all_of(users.begin(), users.end(),
                                [&users](InstructionId user) { return user == users.front(); });
  return same ? users.front() : InstructionId();
}

void FusionSpace::find_hosts() {
  std::vector<std::pair<InstructionId, InstructionId>> pairs;
  for (InstructionId id : program_->instructions()) {
    if (roles_[id] == Role::kNever || !is_trivial(*program_, id)) continue;
    const InstructionId user = only_user(id);
    if (!user.valid() || roles_[user] == Role::kNever) continue;
    const auto operands = program_->operands(user);
    bool taken = true;
    for (size_t i = 0; i < operands.size(); ++i) {
      taken = taken && (operands[i] != id || takes_producer(*program_, user, i));
    }
    if (!taken) continue;
    hosts_[id] = user;
    pairs.emplace_back(user, id);
  }
  guests_ = Csr<InstructionId, InstructionId>::from_pairs(program_->instruction_count(), pairs);
}

void FusionSpace::find_edges() {
  // The reader of each value that was seen last.
  std::vector<InstructionId> last_reader(program_->instruction_count());
  for (InstructionId id : program_->instructions()) {
    if (roles_[id] != Role::kNever) add_edges_to(id, last_reader);
  }
  std::vector<std::pair<InstructionId, EdgeId>> pairs;
  for (EdgeId id : edges()) {
    pairs.emplace_back(edges_[id].first, id);
    pairs.emplace_back(edges_[id].second, id);
  }
  edges_of_ = Csr<InstructionId, EdgeId>::from_pairs(program_->instruction_count(), pairs);
}

void FusionSpace::add_edges_to(InstructionId consumer, std::vector<InstructionId>& last_reader) {
  const auto operands = program_->operands(consumer);
  std::vector<InstructionId> ends;  // Of the edges of this consumer.
  const auto is_new = [&ends](InstructionId id) {
    return std::find(ends.begin(), ends.end(), id) == ends.end();
  };
  for (size_t i = 0; i < operands.size(); ++i) {
    const InstructionId producer = operands[i];
    if (roles_[producer] == Role::kNever || roles_[producer] == Role::kConstant) continue;
    if (program_->shape(producer).is_tuple() || hosts_[producer].valid()) continue;
    if (!is_new(producer) || !takes_producer(*program_, consumer, i)) continue;
    ends.push_back(producer);
    edges_.push_back({producer, consumer, false});
  }
  if (hosts_[consumer].valid()) return;
  for (InstructionId operand : operands) {
    const InstructionId sibling = last_reader[operand.value];
    if (sibling.valid() && sibling != consumer && is_new(sibling) &&
        bytes(operand) >= limits_.sibling_bytes) {
      ends.push_back(sibling);
      edges_.push_back({sibling, consumer, true});
    }
    last_reader[operand.value] = consumer;
  }
}

FusionConfig FusionSpace::random(Rng& rng, double probability) const {
  FusionConfig config(edge_count());
  for (uint8_t& bit : config) bit = rng.uniform() < probability ? 1 : 0;
  return config;
}

Result<FusionConfig> parse_config(const FusionSpace& space, std::string_view text) {
  FusionConfig config;
  for (char c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
    if (c != '0' && c != '1') {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("a fusion configuration has only 0 and 1, character {} is neither",
                              config.size() + 1),
                  "it is the text that `fuse --json` prints as \"config\"");
    }
    config.push_back(c == '1' ? 1 : 0);
  }
  if (config.size() != space.edge_count()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("the fusion configuration has {} bits, the program {} fusable edges",
                            config.size(), space.edge_count()),
                "a configuration belongs to one program");
  }
  return config;
}

std::string config_text(const FusionConfig& config) {
  std::string text;
  text.reserve(config.size());
  for (uint8_t bit : config) text += bit != 0 ? '1' : '0';
  return text;
}

IndexedVector<hlo::ShapeId, double> array_bytes(const hlo::ShapeTable& shapes) {
  IndexedVector<hlo::ShapeId, double> bytes(shapes.size(), 0.0);
  for (uint32_t i = 0; i < shapes.size(); ++i) {
    const hlo::ShapeId id(i);
    const hlo::Shape& shape = shapes[id];
    if (shape.is_array())
      bytes[id] = static_cast<double>(std::max<int64_t>(shapes.byte_size(id), 0));
    // Elements are interned before their tuple.
    for (hlo::ShapeId element : shape.elements) bytes[id] += bytes[element];
  }
  return bytes;
}

}  // namespace hloscope::fuse
