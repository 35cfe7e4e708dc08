#include "core/hlo/proto/annotations.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "core/hlo/quote.h"

namespace hloscope::hlo {

namespace {

void add_text(std::string& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  out += fmt::format("{}{}={}", out.empty() ? "" : " ", key, quote(value));
}

void add_number(std::string& out, std::string_view key, int64_t value) {
  if (value == 0) return;
  out += fmt::format("{}{}={}", out.empty() ? "" : " ", key, value);
}

using OriginLeaves = std::map<std::vector<int64_t>, const wire::OriginalArray*>;

void append_origin(std::string& out, ShapeId id, const ShapeTable& shapes,
                   const OriginLeaves& leaves, std::vector<int64_t>& index) {
  const Shape& shape = shapes[id];
  if (!shape.is_tuple()) {
    const auto leaf = leaves.find(index);
    out += leaf == leaves.end() ? "{}" : original_array_text(*leaf->second);
    return;
  }
  out += '(';
  for (size_t i = 0; i < shape.elements.size(); ++i) {
    if (i > 0) out += ", ";
    index.push_back(static_cast<int64_t>(i));
    append_origin(out, shape.elements[i], shapes, leaves, index);
    index.pop_back();
  }
  out += ')';
}

}  // namespace

std::string_view payload_value(const wire::Payload& payload, Payloads payloads) {
  if (payload.has_value()) return payload.value();
  if (!payload.has_id()) return {};
  const auto id = static_cast<uint64_t>(payload.id());
  return id < payloads.size() ? payloads[id] : std::string_view();
}

std::string metadata_text(const wire::OpMetadata& m, Payloads payloads) {
  std::string out;
  add_text(out, "op_type", m.op_type());
  add_text(out, "op_name", m.op_name());
  add_text(out, "source_file", m.source_file());
  add_number(out, "source_line", m.source_line());
  add_number(out, "source_end_line", m.source_end_line());
  add_number(out, "source_column", m.source_column());
  add_number(out, "source_end_column", m.source_end_column());
  if (!m.profile_type().empty()) {
    out += fmt::format("{}profile_type={{{}}}", out.empty() ? "" : " ",
                       fmt::join(m.profile_type(), ","));
  }
  add_text(out, "deduplicated_name", m.deduplicated_name());
  add_text(out, "scheduling_name", m.scheduling_name());
  add_number(out, "stack_frame_id", m.stack_frame_id());
  add_text(out, "metadata_payload", payload_value(m.metadata_payload(), payloads));
  return out.empty() ? out : fmt::format("{{{}}}", out);
}

std::string replica_groups_text(
    const google::protobuf::RepeatedPtrField<wire::ReplicaGroup>& groups) {
  std::string out = "{";
  for (const wire::ReplicaGroup& group : groups) {
    out += fmt::format("{}{{{}}}", out.size() == 1 ? "" : ",", fmt::join(group.replica_ids(), ","));
  }
  return out + "}";
}

std::string replica_groups_text(const wire::IotaReplicaGroupList& list) {
  std::string out =
      fmt::format("[{},{}]<=[{}]", list.num_replica_groups(), list.num_devices_per_group(),
                  fmt::join(list.iota_reshape_dims(), ","));
  if (list.iota_reshape_dims_size() > 1) {
    out += fmt::format("T({})", fmt::join(list.iota_transpose_perm(), ","));
  }
  return out;
}

Result<std::string> replica_groups_text(const wire::MeshAxesReplicaGroupList& list) {
  HLOSCOPE_ASSIGN(const std::string axes, axes_text(list.axes(), list.mesh()));
  return fmt::format("{} {}", mesh_text(list.mesh()), axes);
}

std::string frontend_attributes_text(const wire::FrontendAttributes& attributes) {
  std::map<std::string_view, std::string_view> sorted;
  for (const auto& entry : attributes.map()) sorted[entry.key()] = entry.value();
  std::string out;
  for (const auto& [key, value] : sorted) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", key, quote_or_brace(value));
  }
  return out.empty() ? out : fmt::format("{{{}}}", out);
}

std::string statistics_text(const wire::StatisticsViz& statistics) {
  if (statistics.statistics().empty()) return {};
  std::string out = fmt::format("{{visualizing_index={}", statistics.stat_index_to_visualize());
  for (const wire::Statistic& statistic : statistics.statistics()) {
    out += fmt::format(",{}={:g}", statistic.stat_name(), statistic.stat_val());
  }
  return out + "}";
}

std::string parameter_replication_text(const wire::ParameterReplication& flags) {
  return fmt::format("{{{}}}", fmt::join(flags.replicated_at_leaf_buffers(), ","));
}

std::string aliasing_text(
    const google::protobuf::RepeatedPtrField<wire::OutputOperandAliasing>& pairs) {
  std::string out;
  for (const wire::OutputOperandAliasing& pair : pairs) {
    out += fmt::format("{}{{{}}}: ({}, {{{}}})", out.empty() ? "" : ", ",
                       fmt::join(pair.output_shape_index(), ","), pair.operand_index(),
                       fmt::join(pair.operand_shape_index(), ","));
  }
  return out.empty() ? out : fmt::format("{{{}}}", out);
}

std::string original_array_text(const wire::OriginalArray& array) {
  std::string out = fmt::format("{{{}", quote(array.instruction_name()));
  if (!array.shape_index().empty()) {
    out += fmt::format(" {{{}}}", fmt::join(array.shape_index(), ","));
  }
  return out + "}";
}

std::string origin_text(const wire::OriginalValue& value, ShapeId shape, const ShapeTable& shapes) {
  if (value.is_synthetic_call()) return "{[synthetic_call]}";
  OriginLeaves leaves;
  for (const wire::OriginalValueElement& element : value.elements()) {
    leaves[{element.shape_index().begin(), element.shape_index().end()}] =
        &element.original_array();
  }
  std::string out = "{";
  std::vector<int64_t> index;
  append_origin(out, shape, shapes, leaves, index);
  return out + "}";
}

}  // namespace hloscope::hlo
