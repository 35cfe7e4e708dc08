#include "core/hlo/proto/tuning.h"

#include <fmt/format.h>

#include "core/base/hash.h"
#include "core/hlo/proto/tuning.pb.h"
#include "core/hlo/proto/wire.h"

namespace hloscope::hlo {

namespace {

// Fields of tpu_graphs.ModuleTuningData.
constexpr uint32_t kFingerprint = 2;
constexpr uint32_t kRuns = 3;
constexpr uint32_t kConfigIndexToNode = 4;

template <typename List>
std::vector<int64_t> vector_of(const List& list) {
  return {list.begin(), list.end()};
}

uint64_t layout_hash(const std::vector<int64_t>& config_index_to_node, std::string_view layouts) {
  return Hasher().add(std::span(config_index_to_node)).add(layouts).digest().low;
}

MeasuredRun to_run(const wire::ConfigProfile& proto,
                   const std::vector<int64_t>& config_index_to_node) {
  MeasuredRun run;
  run.is_default = proto.is_default();
  run.failed = proto.error();
  run.time_ns = proto.profile().compute_time_ns();
  const wire::TileSizeConfig& tile = proto.op_config().tile_size_config();
  run.kernel_bounds = vector_of(tile.kernel_bounds());
  run.output_bounds = vector_of(tile.output_bounds());
  run.input_bounds = vector_of(tile.input_bounds());
  run.iteration_bounds = vector_of(tile.iteration_bounds());
  if (proto.has_module_config()) {
    run.layout_hash = layout_hash(config_index_to_node, proto.module_config().layout_config());
  }
  return run;
}

tl::unexpected<Error> damaged(std::string_view what) {
  return fail(ErrorCode::kInvalidInput, fmt::format("{} is cut or damaged", what));
}

}  // namespace

bool looks_like_module_tuning(std::string_view bytes) {
  size_t runs = 0;
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.field().is_varint(kFingerprint)) return true;
    if (reader.field().number == kConfigIndexToNode) return true;
    if (reader.field().is_bytes(kRuns)) ++runs;
  }
  return runs > 1;
}

Result<std::vector<MeasuredRun>> runs_from_wire(std::string_view bytes) {
  std::vector<std::string_view> run_bytes;
  std::vector<int64_t> config_index_to_node;
  WireReader reader(bytes);
  while (reader.next()) {
    const WireField& field = reader.field();
    if (field.is_bytes(kRuns)) run_bytes.push_back(field.bytes);
    if (field.number == kConfigIndexToNode && !append_varints(field, config_index_to_node)) {
      return damaged("ModuleTuningData.config_index_to_node");
    }
  }
  if (!reader.ok()) return damaged("ModuleTuningData");
  std::vector<MeasuredRun> runs;
  runs.reserve(run_bytes.size());
  for (uint32_t i = 0; i < run_bytes.size(); ++i) {
    wire::ConfigProfile proto;
    if (run_bytes[i].size() > INT32_MAX ||
        !proto.ParseFromArray(run_bytes[i].data(), static_cast<int>(run_bytes[i].size()))) {
      return damaged(fmt::format("run {} (ConfigProfile)", i));
    }
    runs.push_back(to_run(proto, config_index_to_node));
    runs.back().run_index = i;
  }
  return runs;
}

}  // namespace hloscope::hlo
