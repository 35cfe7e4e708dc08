#pragma once

#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/fuse/fusion_state.h"
#include "core/fuse/program_writer.h"
#include "core/fuse/twins.h"

namespace hloscope::fuse {

/// Writes groups as fusions.
class FusionWriter {
 public:
  explicit FusionWriter(const FusionSpace& space);

  ProgramWriter& writer() { return writer_; }

  /// The value in the new program that stands for an instruction; set by write(), or by the caller
  /// for what a group reads.
  [[nodiscard]] hlo::InstructionId& value(hlo::InstructionId id) { return values_[id]; }
  /// Writes a group into `target`: as a fusion, or as it is when it is only one instruction. What
  /// it reads, and computations that its members call, must be there. The instruction that is the
  /// kernel.
  hlo::InstructionId write(const Group& group, hlo::ComputationId target);
  /// Keeps the names of all computations of the source: before a whole program is written.
  void reserve_computation_names();
  /// The computations that the members call, as they are; their names are kept.
  void copy_callees(const Group& group);
  /// `wanted`, or with a number behind it when a computation has that name.
  std::string_view unused_computation_name(std::string_view wanted);

 private:
  hlo::InstructionId write_plain(const Group& group, hlo::ComputationId target);
  hlo::InstructionId write_fusion(const Group& group, hlo::ComputationId target,
                                  hlo::ComputationId body);
  hlo::ComputationId write_body(const Group& group);
  hlo::InstructionId write_member(hlo::InstructionId id, hlo::ComputationId body);
  void write_constants(const Group& group, hlo::ComputationId body);
  hlo::InstructionId add_results(std::span<const hlo::InstructionId> results,
                                 hlo::ComputationId body);
  [[nodiscard]] hlo::ShapeId shape_of(std::span<const hlo::InstructionId> results);
  [[nodiscard]] std::vector<hlo::Attribute> attributes_of(const Group& group,
                                                          hlo::ComputationId body);

  const FusionSpace& space_;
  const hlo::Program& program_;
  ProgramWriter writer_;
  IndexedVector<hlo::InstructionId, hlo::InstructionId> values_;
  /// Inside of the fusion that is being written.
  std::unordered_map<hlo::InstructionId, hlo::InstructionId> inside_;
  std::unordered_multimap<uint64_t, hlo::InstructionId> by_hash_;  ///< Members written.
  std::unordered_set<std::string> computation_names_;
  int fusions_ = 0;
};

}  // namespace hloscope::fuse
