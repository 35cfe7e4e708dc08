#pragma once

#include <span>

#include "core/analysis/cost.h"
#include "core/features/feature.h"
#include "core/hlo/program.h"

namespace hloscope::features {

/// What a getter sees of one instruction.
struct NodeView {
  const hlo::Program& program;
  hlo::InstructionId id;
  const hlo::Instruction& instruction;
  const hlo::Shape& shape;
  bool is_root = false;  ///< Of the graph that is encoded, or of its computation.
  analysis::Cost cost;
};

/// A row of the table of features of instructions. One of the two getters is set; `real` goes with
/// Form::kReal.
struct NodeFeature {
  Feature feature;
  void (*integers)(const NodeView& node, Integers& out) = nullptr;
  double (*real)(const NodeView& node) = nullptr;
};

/// The only list of features of instructions: groups kNode (in the order of TpuGraphs), kStatic and
/// kExtra.
[[nodiscard]] std::span<const NodeFeature> node_table();

}  // namespace hloscope::features
