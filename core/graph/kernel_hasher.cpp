#include "core/graph/kernel_hasher.h"

#include <algorithm>

#include "core/graph/kernels.h"
#include "core/graph/work_attributes.h"

namespace hloscope::graph {

using hlo::Attribute;
using hlo::AttrKind;
using hlo::ComputationId;
using hlo::InstructionId;
using hlo::ShapeId;

namespace {

constexpr uint32_t kNoPosition = ~0U;

}  // namespace

KernelHasher::KernelHasher(const hlo::Program& program)
    : program_(program),
      order_(program, Follow::kAll),
      bodies_(program.computation_count()),
      shapes_(program.shapes().size()),
      position_(program.instruction_count(), kNoPosition) {}

Hash128 KernelHasher::of(InstructionId kernel) {
  hash_callees(kernel);
  words_.clear();
  add_own(kernel);
  const auto operands = program_.operands(kernel);
  for (const InstructionId operand : operands) position_[operand] = kNoPosition;
  for (size_t i = 0; i < operands.size(); ++i) {
    // The position of the first equal operand tells which ones are the same value.
    uint32_t& first = position_[operands[i]];
    first = std::min(first, static_cast<uint32_t>(i));
    words_.add(uint64_t{first});
    words_.add(shape_hash(program_[operands[i]].shape));
  }
  return words_.digest();
}

void KernelHasher::hash_callees(InstructionId id) {
  for (ComputationId callee : program_.called(id)) {
    for (ComputationId computation : order_.visit(callee)) {
      bodies_[computation] = hash_body(computation);
    }
  }
}

Hash128 KernelHasher::hash_body(ComputationId computation) {
  const auto& instructions = program_[computation].instructions;
  const uint32_t first = instructions.empty() ? 0 : instructions.front().value;
  nodes_.clear();
  for (InstructionId id : instructions) {
    words_.clear();
    add_own(id);
    for (InstructionId operand : program_.operands(id)) words_.add(nodes_[operand.value - first]);
    nodes_.push_back(words_.digest());
  }
  words_.clear();
  words_.add(nodes_[program_[computation].root.value - first]);
  std::sort(nodes_.begin(), nodes_.end());
  for (const Hash128& node : nodes_) words_.add(node);
  return words_.digest();
}

void KernelHasher::add_own(InstructionId id) {
  const hlo::Instruction& instruction = program_[id];
  words_.add(static_cast<uint64_t>(instruction.opcode));
  words_.add(instruction.number);
  words_.add(shape_hash(instruction.shape));
  add_attributes(id);
}

void KernelHasher::add_attributes(InstructionId id) {
  attributes_.clear();
  for (const Attribute& attribute : program_.attributes(id)) {
    if (changes_work(attribute, program_[id].opcode)) attributes_.push_back(&attribute);
  }
  std::stable_sort(attributes_.begin(), attributes_.end(),
                   [](const Attribute* a, const Attribute* b) { return a->key() < b->key(); });
  words_.add(static_cast<uint64_t>(attributes_.size()));
  for (const Attribute* attribute : attributes_) {
    words_.add(static_cast<uint64_t>(attribute->key()));
    add_value(*attribute);
  }
}

void KernelHasher::add_value(const Attribute& attribute) {
  switch (attribute.kind()) {
    case AttrKind::kBool:
    case AttrKind::kInt:
    case AttrKind::kDouble:
    case AttrKind::kLiteral:
      words_.add(attribute.integer());
      return;
    case AttrKind::kText:
    case AttrKind::kRaw:
      if (attribute.key() == hlo::AttrKey::kReplicaGroups) {
        if (const auto sizes = replica_group_sizes(attribute.text())) {
          words_.add(sizes->first);
          words_.add(sizes->second);
          return;
        }
      }
      words_.add(attribute.text());
      return;
    default:
      break;
  }
  words_.add(uint64_t{attribute.pool_count()});
  for (int64_t value : program_.ints(attribute)) {
    const auto index = static_cast<uint32_t>(value);
    if (attribute.kind() == AttrKind::kComputations) {
      words_.add(bodies_[ComputationId(index)]);
    } else if (attribute.kind() == AttrKind::kShapes) {
      words_.add(shape_hash(ShapeId(index)));
    } else {
      words_.add(value);
    }
  }
}

const Hash128& KernelHasher::shape_hash(ShapeId id) {
  std::optional<Hash128>& hash = shapes_[id];
  if (!hash) hash = hash_shape(program_.shape(id));
  return *hash;
}

Hash128 KernelHasher::hash_shape(const hlo::Shape& shape) {
  WordBuffer words;
  const auto add_all = [&words](const std::vector<int64_t>& values) {
    words.add(uint64_t{values.size()});
    for (int64_t value : values) words.add(value);
  };
  words.add(static_cast<uint64_t>(shape.element_type));
  add_all(shape.dimensions);
  for (size_t i = 0; i < shape.rank(); ++i) words.add(uint64_t{shape.is_dynamic(i)});
  const hlo::Layout& layout = shape.layout;
  add_all(layout.minor_to_major);
  words.add(uint64_t{layout.tiles.size()});
  for (const auto& tile : layout.tiles) add_all(tile);
  words.add(layout.tail_padding_alignment_in_elements);
  words.add(layout.element_size_in_bits);
  words.add(layout.memory_space);
  for (const hlo::SplitConfig& split : layout.split_configs) {
    words.add(split.dimension);
    add_all(split.split_indices);
  }
  words.add(uint64_t{shape.elements.size()});
  for (ShapeId element : shape.elements) words.add(shape_hash(element));
  return words.digest();
}

Hash128 canonical_hash(const hlo::Program& program, InstructionId kernel) {
  return KernelHasher(program).of(kernel);
}

}  // namespace hloscope::graph
