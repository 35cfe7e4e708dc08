#include "core/data/layout_tuning.h"

#include <fmt/format.h>

#include "core/base/file_bytes.h"
#include "core/hlo/gunzip.h"
#include "core/hlo/proto/module_index.h"
#include "core/hlo/proto/wire.h"

namespace hloscope::data {

namespace {

using hlo::WireReader;

// Field numbers of tpu_graphs/proto/tuning.proto and xla/xla_data.proto.
constexpr uint32_t kModule = 1;  // of TuningData and of ModuleTuningData
constexpr uint32_t kRuns = 3;
constexpr uint32_t kConfigIndexToNode = 4;
constexpr uint32_t kModuleConfig = 2;  // of ConfigProfile
constexpr uint32_t kError = 3;
constexpr uint32_t kProfile = 4;
constexpr uint32_t kIsDefaultField = 5;
constexpr uint32_t kLayoutConfig = 1;   // of HloModuleConfig
constexpr uint32_t kNodes = 1;          // of LayoutConfig; then tensors = 1, dims = 1
constexpr uint32_t kComputeTimeNs = 4;  // of ExecutionProfile

tl::unexpected<Error> damaged(std::string message) {
  return fail(ErrorCode::kInvalidInput, std::move(message), "the file is cut or damaged");
}

// The submessages in field `number`.
Result<std::vector<std::string_view>> children(std::string_view bytes, uint32_t number) {
  std::vector<std::string_view> out;
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.field().is_bytes(number)) out.push_back(reader.field().bytes);
  }
  if (!reader.ok()) return damaged("a message cannot be read");
  return out;
}

Result<LayoutRun::Order> order_of(std::string_view tensor) {
  LayoutRun::Order out;
  WireReader reader(tensor);
  while (reader.next()) {
    if (reader.field().number == 1 && !append_varints(reader.field(), out)) {
      return damaged("dims of a TensorLayoutConfig cannot be read");
    }
  }
  if (!reader.ok()) return damaged("a TensorLayoutConfig cannot be read");
  return out;
}

Result<std::vector<std::vector<LayoutRun::Order>>> layouts_of(std::string_view module_config) {
  std::vector<std::vector<LayoutRun::Order>> out;
  HLOSCOPE_ASSIGN(const auto configs, children(module_config, kLayoutConfig));
  for (const std::string_view config : configs) {
    HLOSCOPE_ASSIGN(const auto nodes, children(config, kNodes));
    for (const std::string_view node : nodes) {
      out.emplace_back();
      HLOSCOPE_ASSIGN(const auto tensors, children(node, 1));
      for (const std::string_view tensor : tensors) {
        HLOSCOPE_ASSIGN(LayoutRun::Order order, order_of(tensor));
        out.back().push_back(std::move(order));
      }
    }
  }
  return out;
}

int64_t compute_time_ns(std::string_view profile) {
  int64_t out = 0;
  WireReader reader(profile);
  while (reader.next()) {
    if (reader.field().is_varint(kComputeTimeNs)) out = static_cast<int64_t>(reader.field().value);
  }
  return out;
}

struct ParsedRun {
  LayoutRun run;
  bool has_layouts = false;
};

Result<ParsedRun> parse_run(std::string_view bytes) {
  ParsedRun out;
  WireReader reader(bytes);
  while (reader.next()) {
    const hlo::WireField& field = reader.field();
    if (field.is_varint(kError)) out.run.failed = field.value != 0;
    if (field.is_varint(kIsDefaultField)) out.run.is_default = field.value != 0;
    if (field.is_bytes(kProfile)) out.run.time_ns = compute_time_ns(field.bytes);
    if (!field.is_bytes(kModuleConfig)) continue;
    out.has_layouts = true;
    HLOSCOPE_ASSIGN(out.run.layouts, layouts_of(field.bytes));
  }
  if (!reader.ok()) return damaged("a ConfigProfile cannot be read");
  return out;
}

// For each instruction in the order of the file, the one of the Program. A Program keeps the order
// of the computations, and orders each by instruction_order().
Result<std::vector<hlo::InstructionId>> ids_in_file_order(std::string_view module) {
  HLOSCOPE_ASSIGN(const hlo::WireModule index, hlo::index_module(module));
  std::vector<hlo::InstructionId> out;
  for (const hlo::WireComputation& computation : index.computations) {
    const auto schedule = index.schedule.find(computation.id);
    const bool scheduled = schedule != index.schedule.end();
    HLOSCOPE_ASSIGN(const auto order,
                    hlo::instruction_order(computation, scheduled ? &schedule->second : nullptr));
    const size_t base = out.size();
    out.resize(base + order.size());
    for (size_t i = 0; i < order.size(); ++i) out[base + order[i]] = hlo::InstructionId(base + i);
  }
  return out;
}

Result<std::vector<hlo::InstructionId>> configurable_of(std::string_view tuning) {
  std::vector<int64_t> positions;
  std::string_view module;
  WireReader reader(tuning);
  while (reader.next()) {
    const hlo::WireField& field = reader.field();
    if (field.is_bytes(kModule)) module = field.bytes;
    if (field.number == kConfigIndexToNode && !append_varints(field, positions)) {
      return damaged("config_index_to_node cannot be read");
    }
  }
  HLOSCOPE_ASSIGN(const auto ids, ids_in_file_order(module));
  std::vector<hlo::InstructionId> out;
  for (const int64_t position : positions) {
    if (position < 0 || static_cast<uint64_t>(position) >= ids.size()) {
      return damaged(fmt::format("config_index_to_node holds {}, but the module has {} nodes",
                                 position, ids.size()));
    }
    out.push_back(ids[static_cast<size_t>(position)]);
  }
  return out;
}

Result<LayoutTuning> module_tuning(std::string_view bytes, hlo::ProgramPtr program) {
  LayoutTuning out;
  out.program = std::move(program);
  HLOSCOPE_ASSIGN(out.configurable, configurable_of(bytes));
  HLOSCOPE_ASSIGN(const auto runs, children(bytes, kRuns));
  for (uint32_t i = 0; i < runs.size(); ++i) {
    HLOSCOPE_ASSIGN(ParsedRun parsed, parse_run(runs[i]));
    if (!parsed.has_layouts) continue;
    parsed.run.run_index = i;
    if (parsed.run.layouts.size() != out.configurable.size()) {
      return damaged(fmt::format("run {} has layouts of {} nodes, but {} are configurable", i,
                                 parsed.run.layouts.size(), out.configurable.size()));
    }
    out.runs.push_back(std::move(parsed.run));
  }
  return out;
}

Result<std::vector<LayoutTuning>> tunings_in(const std::string& bytes, std::string_view name) {
  HLOSCOPE_ASSIGN(const hlo::File file, hlo::read_bytes(bytes, name));
  std::vector<std::string_view> parts = {bytes};
  if (file.kind == hlo::FileKind::kTuningData) {
    HLOSCOPE_ASSIGN(parts, children(bytes, kModule));
  } else if (file.kind != hlo::FileKind::kModuleTuningData) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("is {}, not a tuning file", hlo::name(file.kind)));
  }
  if (parts.size() != file.modules.size()) return damaged("a ModuleTuningData has two modules");
  std::vector<LayoutTuning> out;
  for (size_t i = 0; i < parts.size(); ++i) {
    HLOSCOPE_ASSIGN(LayoutTuning one, module_tuning(parts[i], file.modules[i].program));
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

Result<std::vector<LayoutTuning>> layout_tunings(std::string bytes, std::string_view name) {
  if (hlo::is_gzip(bytes)) {
    HLOSCOPE_ASSIGN(bytes, hlo::gunzip(bytes, {}));
  }
  auto out = tunings_in(bytes, name);
  if (out || !out.error().file.empty()) return out;
  Error error = std::move(out).error();
  error.file = name;
  return fail(std::move(error));
}

Result<std::vector<LayoutTuning>> read_layout_tunings(const std::string& path) {
  HLOSCOPE_ASSIGN(std::string bytes, read_file_bytes(path));
  return layout_tunings(std::move(bytes), path);
}

}  // namespace hloscope::data
