#include "core/sim/machine_edit.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace hloscope::sim {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr double kWholeNumbers = 1e15;
constexpr std::string_view kChangedId = "_changed";

// 200, not 200.0, as in the shipped files.
OrderedJson number(double value) {
  if (value == std::round(value) && std::abs(value) < kWholeNumbers) {
    return static_cast<int64_t>(value);
  }
  return value;
}

void add_constant(OrderedJson& constants, const std::string& key, const Constant& constant) {
  constants[key] = {
      {"value", number(constant.value)}, {"unit", constant.unit}, {"source", constant.source}};
}

// Through the reader: what it refuses is no machine, and the hash is that of the text.
Result<Machine> reread(const Machine& machine) {
  return parse_machine(machine_json(machine), machine.title);
}

// Letters, digits and underscores.
std::string id_of(std::string_view title) {
  std::string id;
  for (const char c : title) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      id += static_cast<char>(std::tolower(byte));
    } else if (!id.empty() && id.back() != '_') {
      id += '_';
    }
  }
  while (id.ends_with('_')) id.pop_back();
  return id;
}

}  // namespace

const std::vector<ConstantInfo>& constant_infos() {
  static const std::vector<ConstantInfo> infos = {
      {"clock_ghz", "Clock", "Core"},
      {"cores_per_chip", "Cores per chip", "Core", false},
      {"iteration_cycles", "Loop over tiles", "Core"},
      {"launch_ns", "Kernel launch", "Core"},
      {"tile_choice_cycles", "Compiler, per tile", "Core"},
      {"mxu_count", "Matrix units", "Matrix unit"},
      {"mxu_rows", "Weight tile, rows", "Matrix unit"},
      {"mxu_columns", "Weight tile, columns", "Matrix unit"},
      {"mxu_rows_per_cycle", "Rows streamed", "Matrix unit"},
      {"mxu_weight_load_cycles", "Weight load", "Matrix unit"},
      {"mxu_tail_cycles", "Fill and drain", "Matrix unit"},
      {"mxu_split_tail_cycles", "Split sums", "Matrix unit"},
      {"mxu_accumulate_cycles", "Partial sums", "Matrix unit"},
      {"mxu_row_group_cycles", "Row group", "Matrix unit"},
      {"f32_passes_default", "f32 passes, default", "Matrix unit"},
      {"f32_passes_high", "f32 passes, high", "Matrix unit"},
      {"f32_passes_highest", "f32 passes, highest", "Matrix unit"},
      {"peak_bf16_flops_per_s", "Peak in bf16", "Matrix unit", false},
      {"vreg_sublanes", "Register sublanes", "Vector units", false},
      {"vreg_lanes", "Register lanes", "Vector units", false},
      {"vreg_count", "Vector registers", "Vector units", false},
      {"valu_ops_per_cycle", "ALU operations", "Vector units"},
      {"eup_vregs_per_cycle", "EUP registers", "Vector units"},
      {"vector_loads_per_cycle", "Vector loads", "Vector units"},
      {"vector_stores_per_cycle", "Vector stores", "Vector units"},
      {"transpose_cycles", "Transpose (XLU)", "Vector units"},
      {"reduction_row_cycles", "Reduction, per row", "Vector units"},
      {"reduction_tail_cycles", "Reduction, tail", "Vector units"},
      {"f16_unpack_cycles", "float16 unpack", "Vector units"},
      {"f16_pack_cycles", "float16 pack", "Vector units"},
      {"minimum_tile_rows", "Least tile sublanes", "Vector units", false},
      {"hbm_bytes_per_s", "HBM bandwidth", "Memory"},
      {"hbm_efficiency", "HBM efficiency", "Memory"},
      {"hbm_mixed_penalty", "Read beside write", "Memory"},
      {"hbm_bytes", "HBM", "Memory", false},
      {"dma_latency_ns", "DMA latency", "Memory"},
      {"dma_issue_cycles", "DMA issue", "Memory"},
      {"dma_read_run_ns", "Run read", "Memory"},
      {"dma_write_run_ns", "Run written", "Memory"},
      {"dma_free_stride_bytes", "Free stride", "Memory"},
      {"dma_free_run_bytes", "Free run", "Memory"},
      {"vmem_bytes", "VMEM", "Memory"},
      {"vmem_reserved_bytes", "VMEM reserved", "Memory"},
      {"vector_tile_bytes", "VMEM, vector kernels", "Memory"},
      {"link_bytes_per_s", "Link bandwidth", "Links"},
      {"link_latency_ns", "Link latency", "Links"},
      {"host_bytes_per_s", "Host bandwidth", "Links"},
      {"host_latency_ns", "Host latency", "Links"},
  };
  return infos;
}

Grade grade(const Constant& constant) {
  if (constant.is_assumed()) return Grade::kAssumed;
  return constant.source.starts_with("fitted") ? Grade::kFitted : Grade::kPublished;
}

std::string machine_json(const Machine& machine) {
  OrderedJson constants = OrderedJson::object();
  std::set<std::string_view> written;
  for (const ConstantInfo& info : constant_infos()) {
    const auto found = machine.constants.find(std::string(info.key));
    if (found == machine.constants.end()) continue;
    add_constant(constants, found->first, found->second);
    written.insert(info.key);
  }
  for (const auto& [key, constant] : machine.constants) {
    if (!written.contains(key)) add_constant(constants, key, constant);
  }
  const OrderedJson root = {
      {"id", machine.id}, {"title", machine.title}, {"constants", std::move(constants)}};
  return root.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

Result<Machine> changed_machine(const Machine& base, const NewValues& values) {
  if (values.empty()) return base;
  Machine machine = base;
  for (const auto& [key, value] : values) {
    const auto found = machine.constants.find(key);
    if (found == machine.constants.end()) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("{} has no constant \"{}\"", base.title, key));
    }
    found->second.source = fmt::format("assumed: changed by hand from {:g} ({})",
                                       found->second.value, found->second.source);
    found->second.value = value;
  }
  if (!machine.id.ends_with(kChangedId)) machine.id += kChangedId;
  machine.title = fmt::format("{}, {} changed", base.title, values.size());
  return reread(machine);
}

Result<Machine> named_machine(const Machine& machine, std::string_view title) {
  Machine named = machine;
  named.title = title;
  named.id = id_of(title);
  if (named.id.empty()) {
    return fail(ErrorCode::kInvalidInput, "the name of a machine needs a letter or a digit");
  }
  for (const Machine& known : builtin_machines()) {
    if (known.id == named.id) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("\"{}\" is the name of a built-in machine", title),
                  "choose another name");
    }
  }
  return reread(named);
}

}  // namespace hloscope::sim
