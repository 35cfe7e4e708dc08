#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/csr.h"
#include "core/base/result.h"
#include "core/base/rng.h"
#include "core/fuse/opcode_rules.h"
#include "core/hlo/program.h"

namespace hloscope::fuse {

struct EdgeTag;
using EdgeId = Index<EdgeTag>;

/// Something that may be fused: a bit of a configuration.
struct Edge {
  hlo::InstructionId first;   ///< The producer; of siblings the earlier one.
  hlo::InstructionId second;  ///< The consumer; of siblings the later one.
  bool is_sibling = false;    ///< Both read one array.
};

/// One flag per edge of a FusionSpace, in its order. Edges that are not valid together with those
/// before them count as not set: see FusionState::take().
using FusionConfig = std::vector<uint8_t>;

/// What a fusion may be at most.
struct FusionLimits {
  /// Distinct arrays read. XLA:TPU's flags for fusions with one result and for those with several.
  size_t operands = 13;
  size_t multi_output_operands = 19;
  /// Instructions in it, several times what the largest fusions of real programs have. Without a
  /// limit the time to fuse a chain grows with the square of its length.
  size_t instructions = 1000;
  double vmem_bytes = 15.5 * 1024 * 1024;  ///< What tiles may use of a TPU v3's VMEM.
  double sibling_bytes = 4096;  ///< Sharing smaller arrays is no reason to fuse siblings.
};

/// Everything that can be fused in a program, and what the rules need to know of it. Edges lie in
/// the computations that run (entry, loop bodies and conditions, branches, callees).
///
/// Trivial producers (see is_trivial()) with one user are no choice: they are always in the fusion
/// of that user. So a program from clean_up() has its constants, iotas and scalar broadcasts where
/// they are used.
class FusionSpace {
 public:
  /// The program should come from clean_up(); any other is understood as it stands.
  explicit FusionSpace(hlo::ProgramPtr program, const FusionLimits& limits = {});

  [[nodiscard]] const hlo::Program& program() const { return *program_; }
  [[nodiscard]] const FusionLimits& limits() const { return limits_; }

  /// By consumer in program order: its producers in operand order, then the one sibling per operand
  /// that reads the same array last before it.
  [[nodiscard]] size_t edge_count() const { return edges_.size(); }
  [[nodiscard]] const Edge& operator[](EdgeId id) const { return edges_[id]; }
  [[nodiscard]] IdRange<EdgeId> edges() const { return {0, static_cast<uint32_t>(edges_.size())}; }
  /// Those that begin or end at an instruction.
  [[nodiscard]] std::span<const EdgeId> edges_of(hlo::InstructionId id) const {
    return edges_of_[id];
  }

  /// kNever also for what takes part in control dependencies or does not run.
  [[nodiscard]] Role role(hlo::InstructionId id) const { return roles_[id]; }
  /// The user that a trivial producer always follows; invalid for others.
  [[nodiscard]] hlo::InstructionId host(hlo::InstructionId id) const { return hosts_[id]; }
  /// The trivial producers that follow an instruction.
  [[nodiscard]] std::span<const hlo::InstructionId> guests(hlo::InstructionId id) const {
    return guests_[id];
  }
  /// Shared by equal instructions, see find_twins(); invalid for what has no equal.
  [[nodiscard]] hlo::InstructionId twin(hlo::InstructionId id) const { return twins_[id]; }
  [[nodiscard]] std::span<const hlo::InstructionId> predecessors(hlo::InstructionId id) const {
    return predecessors_[id];
  }
  [[nodiscard]] std::span<const hlo::InstructionId> successors(hlo::InstructionId id) const {
    return successors_[id];
  }
  /// How often the instruction runs when the program runs once; 0: never, or inside of another.
  [[nodiscard]] double executions(hlo::InstructionId id) const {
    return executions_[(*program_)[id].computation];
  }
  /// Bytes of all arrays of its result, without padding.
  [[nodiscard]] double bytes(hlo::InstructionId id) const { return bytes_[(*program_)[id].shape]; }

  [[nodiscard]] FusionConfig none() const { return FusionConfig(edge_count(), 0); }
  /// Every edge with the same probability.
  [[nodiscard]] FusionConfig random(Rng& rng, double probability = 0.5) const;

 private:
  void find_control();
  void find_roles();
  void find_hosts();
  void find_edges();
  void add_edges_to(hlo::InstructionId consumer, std::vector<hlo::InstructionId>& last_reader);
  [[nodiscard]] hlo::InstructionId only_user(hlo::InstructionId id) const;

  hlo::ProgramPtr program_;
  FusionLimits limits_;
  IndexedVector<hlo::ComputationId, double> executions_;
  IndexedVector<hlo::ShapeId, double> bytes_;
  IndexedVector<hlo::InstructionId, Role> roles_;
  IndexedVector<hlo::InstructionId, hlo::InstructionId> hosts_;
  Csr<hlo::InstructionId, hlo::InstructionId> guests_;
  IndexedVector<hlo::InstructionId, hlo::InstructionId> twins_;
  Csr<hlo::InstructionId, hlo::InstructionId> predecessors_;
  Csr<hlo::InstructionId, hlo::InstructionId> successors_;
  IndexedVector<EdgeId, Edge> edges_;
  Csr<hlo::InstructionId, EdgeId> edges_of_;
};

/// "0110..." of one character per edge; blanks and line ends between them do not count. Errors:
/// kInvalidInput for other characters, and where there are not as many as edges.
[[nodiscard]] Result<FusionConfig> parse_config(const FusionSpace& space, std::string_view text);
[[nodiscard]] std::string config_text(const FusionConfig& config);

/// Sizes of all arrays in each shape, tuples summed.
[[nodiscard]] IndexedVector<hlo::ShapeId, double> array_bytes(const hlo::ShapeTable& shapes);

}  // namespace hloscope::fuse
