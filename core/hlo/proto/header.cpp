#include "core/hlo/proto/header.h"

#include <fmt/format.h>

#include <array>

#include "core/hlo/print.h"
#include "core/hlo/proto/annotations.h"
#include "core/hlo/proto/module.pb.h"
#include "core/hlo/proto/modules.h"
#include "core/hlo/proto/shapes.h"
#include "core/hlo/quote.h"

namespace hloscope::hlo {

namespace {

// XLA prints "/*index=N*/" before every fifth parameter of the entry layout.
constexpr size_t kIndexCommentInterval = 5;

template <typename Message>
Result<Message> decode(std::string_view bytes, std::string_view what) {
  Message message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return fail(ErrorCode::kInvalidInput, fmt::format("{} is cut or damaged", what));
  }
  return message;
}

void add_raw(AttrKey key, std::string_view text, ProgramBuilder& builder) {
  if (text.empty()) return;
  builder.add_module_attribute(Attribute::of_text(key, AttrKind::kRaw, builder.arena().copy(text)));
}

Status add_aliases(const WireModule& module, ProgramBuilder& builder) {
  constexpr std::array<std::string_view, 3> kKinds = {"may-alias", "may-alias", "must-alias"};
  HLOSCOPE_ASSIGN(const auto alias,
                  decode<wire::InputOutputAlias>(module.input_output_alias, "input_output_alias"));
  std::string out;
  for (const wire::AliasEntry& entry : alias.entries()) {
    if (entry.kind() < 0 || entry.kind() >= static_cast<int32_t>(kKinds.size())) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("unknown kind {} in input_output_alias", entry.kind()));
    }
    out += fmt::format("{}{{{}}}: ({}, {{{}}}, {})", out.empty() ? "" : ", ",
                       fmt::join(entry.output_shape_index(), ","), entry.parameter_number(),
                       fmt::join(entry.parameter_shape_index(), ","),
                       kKinds[static_cast<size_t>(entry.kind())]);
  }
  if (!out.empty()) add_raw(AttrKey::kInputOutputAlias, "{ " + out + " }", builder);
  return {};
}

Status add_donors(const WireModule& module, ProgramBuilder& builder) {
  HLOSCOPE_ASSIGN(const auto donors,
                  decode<wire::BufferDonor>(module.buffer_donor, "buffer_donor"));
  std::string out;
  for (const wire::BufferDonorEntry& entry : donors.entries()) {
    out += fmt::format("{}({}, {{{}}})", out.empty() ? "" : ", ", entry.parameter_number(),
                       fmt::join(entry.parameter_shape_index(), ","));
  }
  if (!out.empty()) add_raw(AttrKey::kBufferDonor, "{ " + out + " }", builder);
  return {};
}

Status add_entry_layout(const WireModule& module, ProgramBuilder& builder) {
  if (module.program_shape.empty()) return {};
  HLOSCOPE_ASSIGN(const ProgramShape shape,
                  program_shape_from_wire(module.program_shape, builder.shapes()));
  if (!shape.result.valid()) return {};
  std::string out = "{(";
  for (size_t i = 0; i < shape.parameters.size(); ++i) {
    if (i > 0) out += ", ";
    if (i > 0 && i % kIndexCommentInterval == 0) out += fmt::format("/*index={}*/", i);
    out += builder.shapes().text(shape.parameters[i]);
  }
  out += ")->" + builder.shapes().text(shape.result) + "}";
  add_raw(AttrKey::kEntryComputationLayout, out, builder);
  return {};
}

Status add_recovery_table(const WireModule& module, ProgramBuilder& builder) {
  HLOSCOPE_ASSIGN(const auto table, decode<wire::RecoveryTable>(module.recovery_table,
                                                                "original_value_recovery_table"));
  std::string out;
  for (const wire::RecoveryEntry& entry : table.entries()) {
    out += fmt::format("  {} : {}", original_array_text(entry.old_original_array()),
                       original_array_text(entry.new_original_array()));
    if (!entry.recovery_module().empty()) {
      HLOSCOPE_ASSIGN(const ProgramPtr program, recovery_module_from_wire(entry.recovery_module()));
      out += ", " + quote(print(*program));
    }
    out += '\n';
  }
  if (!out.empty()) add_raw(AttrKey::kOriginRecoveryTable, "{\n" + out + "}", builder);
  return {};
}

Result<std::string> debug_text(const wire::DebugAttributes& debug) {
  constexpr std::array<std::string_view, 5> kModes = {"", "default", "fusion_debugger", "no_fusion",
                                                      "guaranteed"};
  if (debug.log_mode() < 0 || debug.log_mode() >= static_cast<int32_t>(kModes.size())) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("unknown log mode {} in debug_attributes", debug.log_mode()));
  }
  std::string out;
  const auto add = [&out](const std::string& item) { out += (out.empty() ? "" : ",") + item; };
  if (debug.log_mode() != 0) {
    add(fmt::format("log_mode={}", kModes[static_cast<size_t>(debug.log_mode())]));
  }
  if (debug.callback_id() != 0) add(fmt::format("callback_id={}", debug.callback_id()));
  if (debug.partitioned()) add("partitioned=true");
  if (debug.op_id() != 0) add(fmt::format("op_id={}", debug.op_id()));
  return "{" + out + "}";
}

Status add_debug_attributes(const WireModule& module, ProgramBuilder& builder) {
  std::string out;
  for (std::string_view bytes : module.debug_attributes) {
    HLOSCOPE_ASSIGN(const auto entry, decode<wire::DebugAttributeEntry>(bytes, "debug_attributes"));
    std::string items;
    for (const wire::DebugAttributes& debug : entry.debug_attributes()) {
      HLOSCOPE_ASSIGN(const std::string text, debug_text(debug));
      items += (items.empty() ? "" : ", ") + text;
    }
    if (items.empty()) continue;
    out += fmt::format("{}{}: ({})", out.empty() ? "" : ", ",
                       original_array_text(entry.original_array()), items);
  }
  if (!out.empty()) add_raw(AttrKey::kDebugAttributes, "{" + out + "}", builder);
  return {};
}

Status add_stack_frames(const WireModule& module, ProgramBuilder& builder) {
  HLOSCOPE_ASSIGN(const auto index,
                  decode<wire::StackFrameIndex>(module.stack_frames, "stack_frame_index"));
  StackFrameIndex& out = builder.stack_frames();
  for (const std::string& name : index.file_names()) {
    out.file_names.push_back(builder.arena().copy(name));
  }
  for (const std::string& name : index.function_names()) {
    out.function_names.push_back(builder.arena().copy(name));
  }
  for (const wire::FileLocation& l : index.file_locations()) {
    out.locations.push_back({l.file_name_id(), l.function_name_id(), l.line(), l.end_line(),
                             l.column(), l.end_column()});
  }
  for (const wire::StackFrame& frame : index.stack_frames()) {
    out.frames.push_back({frame.file_location_id(), frame.parent_frame_id()});
  }
  return {};
}

}  // namespace

Status add_module_header(const WireModule& module, ProgramBuilder& builder) {
  if (module.is_scheduled) {
    builder.add_module_attribute(Attribute::of_int(AttrKey::kIsScheduled, AttrKind::kBool, 1));
  }
  HLOSCOPE_TRY(add_aliases(module, builder));
  HLOSCOPE_TRY(add_donors(module, builder));
  HLOSCOPE_TRY(add_entry_layout(module, builder));
  HLOSCOPE_ASSIGN(const auto frontend, decode<wire::FrontendAttributes>(module.frontend_attributes,
                                                                        "frontend_attributes"));
  add_raw(AttrKey::kFrontendAttributes, frontend_attributes_text(frontend), builder);
  HLOSCOPE_TRY(add_recovery_table(module, builder));
  HLOSCOPE_TRY(add_debug_attributes(module, builder));
  return add_stack_frames(module, builder);
}

}  // namespace hloscope::hlo
