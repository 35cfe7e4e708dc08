#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"

namespace hloscope::hlo {

/// Where the parts of an HloModuleProto are: a first pass that copies nothing.
struct WireInstruction {
  std::string_view bytes;
  std::string_view name;
  int64_t id = 0;
};

struct WireComputation {
  std::string_view bytes;
  std::string_view name;
  std::string_view execution_thread;
  int64_t id = 0;
  int64_t root_id = 0;
  std::vector<WireInstruction> instructions;
};

struct WireModule {
  std::string_view name;
  std::string_view entry_name;
  int64_t entry_id = 0;
  std::vector<WireComputation> computations;
  std::string_view program_shape;
  std::string_view input_output_alias;
  std::string_view buffer_donor;
  std::string_view stack_frames;
  std::string_view frontend_attributes;
  std::string_view recovery_table;
  std::vector<std::string_view> debug_attributes;
  std::vector<std::string_view> payloads;
  bool is_scheduled = false;
  /// Computation id -> instruction ids in order.
  std::unordered_map<int64_t, std::vector<int64_t>> schedule;
};

/// Errors: kInvalidInput (cut or damaged bytes; two instructions with one id).
[[nodiscard]] Result<WireModule> index_module(std::string_view bytes);

/// The positions of the instructions of a computation in the order they get in a Program: the
/// schedule if there is one; else the order of the file if operands stand before their users; else
/// a post-order over operands and control predecessors. Errors: kInvalidInput (an id that does not
/// exist, a cycle, a schedule that is no order of the instructions).
[[nodiscard]] Result<std::vector<uint32_t>> instruction_order(const WireComputation& computation,
                                                              const std::vector<int64_t>* schedule);

}  // namespace hloscope::hlo
