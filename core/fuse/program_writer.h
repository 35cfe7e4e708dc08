#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/graph/content_copier.h"

namespace hloscope::fuse {

/// Writes a changed version of a program. Unlike graph::ProgramCopier, which takes a piece out, it
/// keeps all that belongs to the module: attributes, metadata, stack frame tables. The new program
/// shares nothing with the old one. Equal literals of the old program stay one literal.
class ProgramWriter {
 public:
  explicit ProgramWriter(const hlo::Program& source);

  hlo::ProgramBuilder& builder() { return out_; }

  /// Name, module attributes and stack frame tables.
  void copy_header();
  /// An empty computation that stands for `from`; instructions added afterwards that call `from`
  /// call it. Callees must be begun before their callers.
  hlo::ComputationId begin(hlo::ComputationId from) { return contents_.begin(from); }
  /// `from` as it is, after the computations that it calls; nothing when it is there already.
  void copy_computation(hlo::ComputationId from);
  /// A copy of instruction `id` in `target` with these operands and control predecessors (of the
  /// new program). The name gets a number behind it when `target` has it already.
  hlo::InstructionId add(hlo::InstructionId id, hlo::ComputationId target,
                         std::span<const hlo::InstructionId> operands,
                         std::span<const hlo::InstructionId> predecessors = {});

  hlo::ShapeId copy_shape(hlo::ShapeId id) { return contents_.shape(id); }
  hlo::Attribute copy_attribute(const hlo::Attribute& attribute) {
    return contents_.attribute(attribute);
  }
  /// `wanted`, or the first of `wanted.1`, `wanted.2`, ... that `target` does not have yet.
  std::string_view unused_name(hlo::ComputationId target, std::string_view wanted);

 private:
  void copy_stack_frames();
  void copy_instructions(hlo::ComputationId from, hlo::ComputationId to);

  const hlo::Program& source_;
  hlo::ProgramBuilder out_;
  graph::ContentCopier contents_;
  std::vector<std::unordered_set<std::string_view>> names_;             ///< By new ComputationId.
  IndexedVector<hlo::InstructionId, hlo::InstructionId> instructions_;  ///< copy_computation().
};

}  // namespace hloscope::fuse
