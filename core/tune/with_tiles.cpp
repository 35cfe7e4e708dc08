#include <fmt/format.h>

#include <algorithm>

#include "core/graph/callee_order.h"
#include "core/graph/content_copier.h"
#include "core/tune/tile_kernel.h"

namespace hloscope::tune {

namespace {

using hlo::Attribute;
using hlo::AttrKey;
using hlo::AttrKind;
using hlo::ComputationId;
using hlo::InstructionId;

/// Copies a program as it is, but for the frontend attributes of some instructions.
class TileWriter {
 public:
  using Tiles = std::vector<std::pair<InstructionId, std::string>>;

  TileWriter(const hlo::Program& source, const Tiles& tiles)
      : source_(source),
        tiles_(tiles),
        contents_(source, out_),
        copies_(source.instruction_count()) {}

  Result<hlo::ProgramPtr> run() {
    copy_header();
    graph::CalleeOrder order(source_, graph::Follow::kAll);
    for (ComputationId id : source_.computations()) {
      for (ComputationId from : order.visit(id)) copy_computation(from);
    }
    return out_.finish();
  }

 private:
  void copy_header() {
    out_.reserve(source_.instruction_count());
    out_.set_name(out_.arena().copy(source_.name()));
    for (const Attribute& attribute : source_.module_attributes()) {
      out_.add_module_attribute(contents_.attribute(attribute));
    }
    hlo::StackFrameIndex& frames = out_.stack_frames();
    frames = source_.stack_frames();
    for (std::string_view& name : frames.file_names) name = out_.arena().copy(name);
    for (std::string_view& name : frames.function_names) name = out_.arena().copy(name);
  }

  void copy_computation(ComputationId from) {
    const ComputationId to = contents_.begin(from);
    for (InstructionId id : source_[from].instructions) copy_instruction(id, to);
    out_.computation(to).root = copies_[source_[from].root];
    if (from == source_.entry()) out_.set_entry(to);
  }

  void copy_instruction(InstructionId id, ComputationId to) {
    std::vector<InstructionId> operands;
    for (InstructionId operand : source_.operands(id)) operands.push_back(copies_[operand]);
    std::vector<Attribute> attributes;
    const std::string* tile = tile_of(id);
    for (const Attribute& attribute : source_.attributes(id)) {
      if (tile != nullptr && attribute.key() == AttrKey::kFrontendAttributes) continue;
      attributes.push_back(copy_attribute(attribute));
    }
    if (tile != nullptr) attributes.push_back(tile_attribute(id, *tile));
    hlo::NewInstruction copy = contents_.instruction(id, to);
    copy.name = out_.arena().copy(source_[id].name);
    copy.operands = operands;
    copy.attributes = attributes;
    copies_[id] = out_.add(copy);
  }

  Attribute copy_attribute(const Attribute& attribute) {
    if (attribute.kind() != AttrKind::kInstructions) return contents_.attribute(attribute);
    std::vector<InstructionId> ids;
    for (int64_t id : source_.ints(attribute)) {
      ids.push_back(copies_[InstructionId(static_cast<uint32_t>(id))]);
    }
    return out_.ids(attribute.key(), attribute.kind(), std::span<const InstructionId>(ids));
  }

  const std::string* tile_of(InstructionId id) const {
    const auto at =
        std::lower_bound(tiles_.begin(), tiles_.end(), id,
                         [](const auto& entry, InstructionId key) { return entry.first < key; });
    return at != tiles_.end() && at->first == id ? &at->second : nullptr;
  }

  // Those that are there, `{a="b"}`, and the tile behind them.
  Attribute tile_attribute(InstructionId id, const std::string& tile) {
    std::string_view others = source_.text(id, AttrKey::kFrontendAttributes);
    if (others.size() > 2) {
      others = others.substr(1, others.size() - 2);
    } else {
      others = {};
    }
    const std::string text =
        fmt::format("{{{}{}hloscope_tile=\"{}\"}}", others, others.empty() ? "" : ",", tile);
    return Attribute::of_text(AttrKey::kFrontendAttributes, AttrKind::kRaw,
                              out_.arena().copy(text));
  }

  const hlo::Program& source_;
  const Tiles& tiles_;
  hlo::ProgramBuilder out_;
  graph::ContentCopier contents_;
  IndexedVector<InstructionId, InstructionId> copies_;
};

}  // namespace

Result<hlo::ProgramPtr> with_tiles(const hlo::Program& program,
                                   std::vector<std::pair<InstructionId, std::string>> tiles) {
  std::sort(tiles.begin(), tiles.end());
  return TileWriter(program, tiles).run();
}

}  // namespace hloscope::tune
