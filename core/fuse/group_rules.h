#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/fuse/fusion_space.h"

namespace hloscope::fuse {

/// Why instructions cannot be one kernel.
enum class Verdict : uint8_t {
  kValid,
  kCycle,     ///< A result would be needed outside before the fusion has ended.
  kProducts,  ///< More than one dot or convolution.
  kOperands,  ///< More operands than FusionLimits allow.
  kSize,      ///< More instructions than FusionLimits allow.
  kResults,   ///< Several results that one loop over tiles cannot make.
  kOrder,     ///< A reduction or product whose result is moved, spread or summed again inside.
  kVmem,      ///< Not even the smallest tile fits.
};
[[nodiscard]] std::string_view text(Verdict verdict);

/// An array that a kernel reads from memory.
struct Operand {
  hlo::InstructionId value;
  double bytes_read = 0;  ///< Less than all of it where only slices are read.
};

/// Instructions of one computation as one kernel.
struct GroupFacts {
  Verdict verdict = Verdict::kValid;
  std::vector<Operand> operands;            ///< Distinct, in order of first use.
  std::vector<hlo::InstructionId> results;  ///< Members that are used outside, in program order.
  double bytes_read = 0;                    ///< Of one execution.
  double bytes_written = 0;
  bool moves_elements = false;  ///< Some member is more than elementwise, broadcast or reduce.
  size_t core_size = 0;         ///< Members without guests.
  /// One instruction, scalar constants not counted: no fusion is written for it.
  bool is_plain = false;
};

/// What follows from the members alone. Cycles and VMEM are not looked at.
///
/// A fusion makes its results tile by tile in one pass over them. So:
/// - Results have the same dimensions; those of a reduction count by its input, as that is what the
///   loops run over. What comes behind a reduction counts as the reduction.
/// - The result of a reduction or product is whole only when the pass has ended (of its sums). It
///   may go through elementwise operations, reshapes and transposes, into the update of a
///   dynamic-update-slice, that of a product also into a reduction (see product_sums.h); it
///   may not be broadcast, moved, summed again or multiplied by a second product.
/// - Next to a product nothing else than what comes behind it is a result.
/// One instruction with its guests is always valid.
///
/// Bytes: every operand is read once; of one that is read only through slices, dynamic-slices and
/// gathers just those parts; an array that a dynamic-update-slice changes is not read, and the
/// result of one is written as far as it is updated. A scalar constant costs nothing. Equal members
/// count once.
class GroupRules {
 public:
  explicit GroupRules(const FusionSpace& space);

  /// `members` in program order.
  [[nodiscard]] GroupFacts examine(std::span<const hlo::InstructionId> members);

 private:
  enum class Stage : uint8_t {
    kBefore,   ///< Can be worked out anywhere for any tile.
    kProduct,  ///< Behind the dot or convolution.
    kReduced,  ///< Behind a reduction.
    kUpdated,  ///< A dynamic-update-slice: nothing can follow.
  };
  struct Value {
    uint32_t stamp = 0;
    Stage stage = Stage::kBefore;
    bool behind_product = false;
    hlo::InstructionId loops = {};  ///< Whose shape the loops run over.
    hlo::InstructionId same;        ///< The member that stands for it: itself or an equal one.
    uint32_t operand = 0;  ///< Index in GroupFacts::operands, of what is read from outside.
  };

  [[nodiscard]] bool is_member(hlo::InstructionId id) const { return values_[id].stamp == stamp_; }
  void start(std::span<const hlo::InstructionId> members);
  [[nodiscard]] hlo::InstructionId find_same(hlo::InstructionId id);
  [[nodiscard]] bool reads_the_same(hlo::InstructionId a, hlo::InstructionId b) const;
  void read_operands(hlo::InstructionId id, GroupFacts& facts);
  void add_result(hlo::InstructionId id, GroupFacts& facts) const;
  void count(hlo::InstructionId id, GroupFacts& facts) const;
  [[nodiscard]] Verdict judge(std::span<const hlo::InstructionId> members, const GroupFacts& facts);
  [[nodiscard]] bool set_stage(hlo::InstructionId id);
  [[nodiscard]] bool join_operands(hlo::InstructionId id, Value& value) const;
  [[nodiscard]] bool set_stage_by_role(hlo::InstructionId id, Value& value) const;
  [[nodiscard]] bool sums_go(hlo::InstructionId reduction, const Value& value) const;
  [[nodiscard]] bool set_stage_of_update(hlo::InstructionId id, Value& value) const;
  [[nodiscard]] bool results_fit(const GroupFacts& facts) const;

  const FusionSpace& space_;
  const hlo::Program& program_;
  IndexedVector<hlo::ShapeId, double> array_bytes_;
  IndexedVector<hlo::InstructionId, Value> values_;
  std::vector<hlo::InstructionId> twins_;  ///< Members so far that have equals in the program.
  hlo::InstructionId product_;             ///< The one among the members.
  uint32_t stamp_ = 0;                     ///< Of members; stamp_ - 1: read from outside.
};

}  // namespace hloscope::fuse
