#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/hlo/proto/annotations.pb.h"
#include "core/hlo/shape.h"

namespace hloscope::hlo {

/// The texts that XLA prints for parts of a proto, braces included; empty where XLA prints nothing.
/// Errors: kInvalidInput (enumeration value out of range, structure that has no text).

using Payloads = std::span<const std::string_view>;  ///< HloModuleProto.payloads

[[nodiscard]] std::string_view payload_value(const wire::Payload& payload, Payloads payloads);
[[nodiscard]] std::string metadata_text(const wire::OpMetadata& metadata, Payloads payloads);
[[nodiscard]] Result<std::string> sharding_text(const wire::OpSharding& sharding,
                                                Payloads payloads);
/// `mesh['x'=2,'y'=4], device_ids=(...)`.
[[nodiscard]] std::string mesh_text(const wire::Mesh& mesh);
/// `{'x','y':(1)2}`.
[[nodiscard]] Result<std::string> axes_text(
    const google::protobuf::RepeatedPtrField<wire::AxisRef>& axes, const wire::Mesh& mesh);
[[nodiscard]] std::string replica_groups_text(
    const google::protobuf::RepeatedPtrField<wire::ReplicaGroup>& groups);
[[nodiscard]] std::string replica_groups_text(const wire::IotaReplicaGroupList& list);
[[nodiscard]] Result<std::string> replica_groups_text(const wire::MeshAxesReplicaGroupList& list);
[[nodiscard]] std::string frontend_attributes_text(const wire::FrontendAttributes& attributes);
[[nodiscard]] std::string statistics_text(const wire::StatisticsViz& statistics);
[[nodiscard]] std::string parameter_replication_text(const wire::ParameterReplication& flags);
[[nodiscard]] std::string aliasing_text(
    const google::protobuf::RepeatedPtrField<wire::OutputOperandAliasing>& pairs);
/// `{"name" {1,0}}`.
[[nodiscard]] std::string original_array_text(const wire::OriginalArray& array);
[[nodiscard]] std::string origin_text(const wire::OriginalValue& value, ShapeId shape,
                                      const ShapeTable& shapes);
}  // namespace hloscope::hlo
