#pragma once

#include <map>
#include <unordered_set>

#include "core/data/disjoint_sets.h"
#include "core/fuse/opcode_rules.h"
#include "core/tune/layout_groups.h"

namespace hloscope::tune {

/// Finds the groups of a program: arrays as instructions make them and as kernels read them are
/// nodes; what must have one order is joined.
class LayoutGrouper {
 public:
  explicit LayoutGrouper(LayoutGroups& out);
  void run();

 private:
  using Node = uint32_t;
  static constexpr Node kNone = ~0U;

  void number_nodes();
  void link_kernel(hlo::InstructionId id);
  void link_fusion(hlo::InstructionId id, hlo::ComputationId body);
  void link_tuple_results(hlo::InstructionId fusion, hlo::InstructionId root);
  void link_member(hlo::InstructionId id);
  /// What the opcode of an instruction joins or fixes, in a computation that runs or in a body.
  void link(hlo::InstructionId id);
  void link_move(hlo::InstructionId id);
  void fix_all(hlo::InstructionId id);

  [[nodiscard]] Node result_node(hlo::InstructionId id) const;
  [[nodiscard]] Node operand_node(hlo::InstructionId id, size_t index) const;
  [[nodiscard]] hlo::ComputationId body_of(hlo::InstructionId id) const;
  [[nodiscard]] const hlo::Shape& shape_of(Node node) const;
  void join(Node a, Node b);
  void fix(Node node);
  void mark_port(Node node);

  void make_groups();
  void make_uses();
  void make_sequence();
  void make_dimensions();
  void add_dimensions(hlo::InstructionId id);
  void add_dimension(Node node, hlo::InstructionId id, int operand);
  [[nodiscard]] LayoutOrderId order_id(const LayoutOrder& order);
  template <typename Visit>
  void each_running(Visit visit) const;

  LayoutGroups& out_;
  const hlo::Program& program_;
  std::vector<hlo::InstructionId> array_of_node_;
  data::DisjointSets sets_;
  std::vector<uint8_t> fixed_;  ///< By node.
  std::vector<uint8_t> port_;
  std::map<LayoutOrder, LayoutOrderId> order_ids_;
  std::unordered_set<std::string> keys_;
};

}  // namespace hloscope::tune
