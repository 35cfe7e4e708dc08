#pragma once

#include <string>
#include <vector>

#include "core/base/csr.h"
#include "core/graph/kernels.h"
#include "core/tune/layout_orders.h"

namespace hloscope::tune {

struct LayoutGroupTag;
using LayoutGroupId = Index<LayoutGroupTag>;
struct LayoutOrderTag;
using LayoutOrderId = Index<LayoutOrderTag>;

/// Arrays of one kernel that all have the same order of dimensions: operands and results of
/// operations that keep every element at its place in each dimension (elementwise, slice, pad,
/// concatenate, dynamic-slice and -update-slice, reduce-window, reverse).
struct LayoutGroup {
  hlo::InstructionId array;  ///< One of them, or the operand of which it is an array.
  LayoutOrderId original;    ///< As the program has it.
  bool is_fixed = false;     ///< Always as the program has it.
  bool is_port = false;      ///< Read from or written to memory by its kernel.
  bool is_chosen = false;    ///< A dimension of the space:
  size_t dimension = 0;      ///< This one.
};

/// A value that is read: by an operand of a kernel, or as the root of its computation.
struct LayoutUse {
  hlo::InstructionId value;
  hlo::InstructionId user;  ///< Invalid: root.
  uint32_t operand = 0;
  LayoutGroupId from;  ///< How the value is written.
  LayoutGroupId to;    ///< How the user reads it; a copy stands between different orders.
  double bytes = 0;
};

/// What a configuration chooses: the operands and results of the convolutions, dots and reshapes
/// of a program, as far as kernels read or write them.
struct LayoutDimension {
  LayoutGroupId group;
  std::string name;                    ///< "convolution.12 operand 1".
  std::string key;                     ///< "convolution.12/in1", unique.
  std::vector<LayoutOrderId> choices;  ///< First: as the program has it.
};

/// How the layouts of a program's kernels hang together. A kernel is an instruction of a
/// computation that runs, see graph::kernels(); inside of a fusion there is no copy.
///
/// Fixed are parameters and roots of computations, tuples, bitcasts (they show the order in
/// memory), and operands and results of whatever cannot be part of a fusion: control flow,
/// collectives, custom-calls, sorts, scatters.
class LayoutGroups {
 public:
  explicit LayoutGroups(hlo::ProgramPtr program);

  [[nodiscard]] const hlo::Program& program() const { return *program_; }
  [[nodiscard]] const graph::KernelList& kernels() const { return kernels_; }
  [[nodiscard]] size_t group_count() const { return groups_.size(); }
  [[nodiscard]] const LayoutGroup& operator[](LayoutGroupId id) const { return groups_[id]; }
  [[nodiscard]] const LayoutOrder& order(LayoutOrderId id) const { return orders_[id]; }

  /// Of an array as an instruction makes it; invalid below rank 2 and in computations that do not
  /// run.
  [[nodiscard]] LayoutGroupId result(hlo::InstructionId id) const {
    return id.value < group_of_node_.size() ? group_of_node_[id.value] : LayoutGroupId();
  }
  /// As an instruction of a running computation reads it.
  [[nodiscard]] LayoutGroupId operand(hlo::InstructionId user, size_t index) const;
  /// As the caller of a running computation reads its root.
  [[nodiscard]] LayoutGroupId root(hlo::ComputationId computation) const;
  /// By value, in program order.
  [[nodiscard]] const std::vector<LayoutUse>& uses() const { return uses_; }
  [[nodiscard]] const std::vector<LayoutDimension>& dimensions() const { return dimensions_; }
  /// Each group once, in the order in which kernels run.
  [[nodiscard]] const std::vector<LayoutGroupId>& sequence() const { return sequence_; }

  /// The body of one fusion that runs: its arrays follow the layouts of its kernel.
  [[nodiscard]] bool is_body(hlo::ComputationId id) const { return is_body_[id] != 0; }

 private:
  friend class LayoutGrouper;

  hlo::ProgramPtr program_;
  graph::KernelList kernels_;
  IndexedVector<LayoutGroupId, LayoutGroup> groups_;
  IndexedVector<LayoutOrderId, LayoutOrder> orders_;
  /// By node: results of all instructions, then operands from first_operand_, then roots.
  std::vector<LayoutGroupId> group_of_node_;
  IndexedVector<hlo::InstructionId, uint32_t> first_operand_;
  IndexedVector<hlo::ComputationId, uint32_t> root_node_;
  IndexedVector<hlo::ComputationId, uint8_t> is_body_;
  std::vector<LayoutUse> uses_;
  std::vector<LayoutDimension> dimensions_;
  std::vector<LayoutGroupId> sequence_;
};

}  // namespace hloscope::tune
