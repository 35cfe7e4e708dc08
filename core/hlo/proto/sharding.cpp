#include <fmt/format.h>

#include <array>

#include "core/hlo/proto/annotations.h"
#include "core/hlo/proto/errors.h"
#include "core/hlo/quote.h"

namespace hloscope::hlo {

namespace {

/// Values of xla.OpSharding.Type.
enum SharingType { kReplicated, kMaximal, kTuple, kOther, kManual, kUnknown, kUnreduced };
constexpr std::array<std::string_view, 7> kTypeNames = {
    "replicated", "maximal", "tuple", "other", "manual", "unknown", "unreduced"};
// XLA prints "/*index=N*/" before every fifth element of a tuple sharding.
constexpr int kIndexCommentInterval = 5;

std::string metadata_list(const google::protobuf::RepeatedPtrField<wire::OpMetadata>& list,
                          Payloads payloads, bool always_list) {
  std::string items;
  for (const wire::OpMetadata& metadata : list) {
    std::string text = metadata_text(metadata, payloads);
    if (text.empty()) text = "{}";
    items += (items.empty() ? "" : ", ") + text;
  }
  const bool braces = list.size() != 1 || always_list;
  return braces ? "{" + items + "}" : items;
}

/// ` shard_as 1 metadata={...}`: what may follow in every form but tuples.
Result<std::string> suffix(const wire::OpSharding& s, Payloads payloads) {
  std::string out;
  if (s.is_shard_group()) {
    if (s.shard_group_type() < 0 || s.shard_group_type() > 1) {
      return bad(fmt::format("unknown shard group type {} in OpSharding", s.shard_group_type()));
    }
    out += fmt::format(" {} {}", s.shard_group_type() == 0 ? "shard_as" : "shard_like",
                       s.shard_group_id());
  }
  if (!s.metadata().empty()) out += " metadata=" + metadata_list(s.metadata(), payloads, false);
  return out;
}

Result<std::string> subgroups(const wire::OpSharding& s) {
  if (s.replicate_on_last_tile_dim()) return std::string(" last_tile_dim_replicate");
  if (s.last_tile_dims().empty()) return std::string();
  if (s.last_tile_dims_size() == 1 && s.last_tile_dims(0) == kReplicated) {
    return std::string(" last_tile_dim_replicate");
  }
  std::string names;
  for (const int32_t type : s.last_tile_dims()) {
    if (type < 0 || type >= static_cast<int32_t>(kTypeNames.size()) || type == kTuple ||
        type == kOther) {
      return bad(fmt::format("bad type {} in OpSharding.last_tile_dims", type));
    }
    names += (names.empty() ? "" : ", ") + std::string(kTypeNames[static_cast<size_t>(type)]);
  }
  return " last_tile_dims={" + names + "}";
}

Result<std::string> tiled(const wire::OpSharding& s, Payloads payloads) {
  if (s.tile_assignment_dimensions().empty()) return bad("a tiled OpSharding without dimensions");
  std::string out = fmt::format("{{devices=[{}]", fmt::join(s.tile_assignment_dimensions(), ","));
  if (s.iota_reshape_dims().empty()) {
    out += fmt::format("{}", fmt::join(s.tile_assignment_devices(), ","));
  } else {
    out += fmt::format("<=[{}]", fmt::join(s.iota_reshape_dims(), ","));
    if (s.iota_reshape_dims_size() > 1) {
      out += fmt::format("T({})", fmt::join(s.iota_transpose_perm(), ","));
    }
  }
  HLOSCOPE_ASSIGN(const std::string groups, subgroups(s));
  HLOSCOPE_ASSIGN(const std::string rest, suffix(s, payloads));
  return out + groups + rest + "}";
}

/// `{'x'}`, `{'x', ?}`, `{?}`.
Result<std::string> dimension_text(const wire::DimensionSharding& d, const wire::Mesh& mesh) {
  HLOSCOPE_ASSIGN(std::string axes, axes_text(d.axes(), mesh));
  if (d.is_closed()) return axes;
  axes.pop_back();
  return axes + (d.axes().empty() ? "?}" : ", ?}");
}

Result<std::string> named_dimensions(const wire::NamedSharding& n) {
  std::string out = "[";
  for (const wire::DimensionSharding& dimension : n.dim_shardings()) {
    HLOSCOPE_ASSIGN(const std::string text, dimension_text(dimension, n.mesh()));
    out += (out.size() == 1 ? "" : ", ") + text;
  }
  return out + "]";
}

Result<std::string> named_axes(const wire::NamedSharding& n) {
  constexpr std::array<std::string_view, 3> kReductions = {"", "max", "min"};
  if (n.reduction_op() < 0 || n.reduction_op() >= static_cast<int32_t>(kReductions.size())) {
    return bad(fmt::format("unknown reduction {} in NamedShardingProto", n.reduction_op()));
  }
  const std::string_view reduction = kReductions[static_cast<size_t>(n.reduction_op())];
  std::string out;
  if (!n.replicated_axes().empty()) {
    HLOSCOPE_ASSIGN(const std::string text, axes_text(n.replicated_axes(), n.mesh()));
    out += ", replicated=" + text;
  }
  if (!n.unreduced_axes().empty()) {
    HLOSCOPE_ASSIGN(const std::string text, axes_text(n.unreduced_axes(), n.mesh()));
    out += fmt::format(", unreduced={}{}", reduction, text);
  }
  if (!n.manual_axes().empty()) {
    HLOSCOPE_ASSIGN(const std::string text, axes_text(n.manual_axes(), n.mesh()));
    out += ", manual=" + text;
  }
  return out;
}

Result<std::string> named(const wire::NamedSharding& n, Payloads payloads) {
  const std::string metadata =
      n.metadata().empty() ? "" : ", metadata=" + metadata_list(n.metadata(), payloads, true);
  if (n.mesh().axes().empty() && n.mesh().device_ids_size() == 1) {
    return fmt::format("{{maximal_mesh[device_id={}]{}}}", n.mesh().device_ids(0), metadata);
  }
  const std::string mesh = mesh_text(n.mesh());
  if (n.dim_shardings().empty()) {
    const std::string_view word = !n.manual_axes().empty()      ? "manual"
                                  : !n.unreduced_axes().empty() ? "unreduced"
                                                                : "replicated";
    return fmt::format("{{{}, {}{}}}", mesh, word, metadata);
  }
  HLOSCOPE_ASSIGN(const std::string dimensions, named_dimensions(n));
  HLOSCOPE_ASSIGN(const std::string axes, named_axes(n));
  return fmt::format("{{{}, {}{}{}}}", mesh, dimensions, axes, metadata);
}

Result<std::string> single(const wire::OpSharding& s, Payloads payloads) {
  if (s.has_named_sharding()) return named(s.named_sharding(), payloads);
  switch (s.type()) {
    case kOther:
      return tiled(s, payloads);
    case kMaximal: {
      if (s.tile_assignment_devices_size() != 1)
        return bad("a maximal OpSharding without a device");
      HLOSCOPE_ASSIGN(const std::string rest, suffix(s, payloads));
      return fmt::format("{{maximal device={}{}}}", s.tile_assignment_devices(0), rest);
    }
    case kReplicated:
    case kManual:
    case kUnknown:
    case kUnreduced: {
      HLOSCOPE_ASSIGN(const std::string rest, suffix(s, payloads));
      return fmt::format("{{{}{}}}", kTypeNames[static_cast<size_t>(s.type())], rest);
    }
    case kTuple:
      return bad("a tuple OpSharding inside of another");
    default:
      return bad(fmt::format("unknown type {} in OpSharding", s.type()));
  }
}

}  // namespace

Result<std::string> sharding_text(const wire::OpSharding& sharding, Payloads payloads) {
  if (sharding.has_named_sharding() || sharding.type() != kTuple) return single(sharding, payloads);
  std::string out = "{";
  for (int i = 0; i < sharding.tuple_shardings_size(); ++i) {
    if (i > 0) out += ", ";
    if (i > 0 && i % kIndexCommentInterval == 0) out += fmt::format("/*index={}*/", i);
    HLOSCOPE_ASSIGN(const std::string text, single(sharding.tuple_shardings(i), payloads));
    out += text;
  }
  return out + "}";
}

std::string mesh_text(const wire::Mesh& mesh) {
  std::string axes;
  for (const wire::MeshAxis& axis : mesh.axes()) {
    axes += fmt::format("{}'{}'={}", axes.empty() ? "" : ",", escaped(axis.name()), axis.size());
  }
  std::string out = "mesh[" + axes + "]";
  if (mesh.has_iota_transform()) {
    out += fmt::format(", device_ids=([{}]T({}))",
                       fmt::join(mesh.iota_transform().reshape_dims(), ","),
                       fmt::join(mesh.iota_transform().transpose_perm(), ","));
  } else if (!mesh.device_ids().empty()) {
    out += fmt::format(", device_ids=({})", fmt::join(mesh.device_ids(), ","));
  }
  return out;
}

Result<std::string> axes_text(const google::protobuf::RepeatedPtrField<wire::AxisRef>& axes,
                              const wire::Mesh& mesh) {
  std::string out = "{";
  for (const wire::AxisRef& axis : axes) {
    if (axis.mesh_axis_index() < 0 || axis.mesh_axis_index() >= mesh.axes_size()) {
      return bad(fmt::format("mesh axis {} of {} in AxisRefProto", axis.mesh_axis_index(),
                             mesh.axes_size()));
    }
    const auto index = static_cast<int>(axis.mesh_axis_index());
    out += fmt::format("{}'{}'", out.size() == 1 ? "" : ",", escaped(mesh.axes(index).name()));
    if (axis.has_sub_axis_info()) {
      out += fmt::format(":({}){}", axis.sub_axis_info().pre_size(), axis.sub_axis_info().size());
    }
  }
  return out + "}";
}

}  // namespace hloscope::hlo
