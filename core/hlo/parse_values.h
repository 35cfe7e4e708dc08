#pragma once

#include "core/hlo/parse_context.h"

namespace hloscope::hlo {

/// The value behind `name=` of an instruction attribute, in the grammar of its key. Literals,
/// computations and instructions are not among these.
[[nodiscard]] bool parse_text_value(ParseContext& c, Opcode opcode, AttrKey key, Attribute& out);
[[nodiscard]] bool parse_raw_value(ParseContext& c, AttrKey key, Attribute& out);
[[nodiscard]] bool parse_window(ParseContext& c, Attribute& out);
[[nodiscard]] bool parse_padding(ParseContext& c, Attribute& out);
[[nodiscard]] bool parse_slice(ParseContext& c, Attribute& out);
[[nodiscard]] bool parse_int_pairs(ParseContext& c, AttrKey key, Attribute& out);
/// `{{1,2},{3}}`: a list of lists, kept as text.
[[nodiscard]] bool skip_list_of_lists(ParseContext& c);
/// The value of an attribute that is not known: up to the next "," outside of brackets and
/// strings, or the end of the line. Kept from `begin`, where its name is.
[[nodiscard]] bool parse_unknown_value(ParseContext& c, const char* begin, Attribute& out);

// Checkers of the kRaw kinds: each passes over one value and keeps nothing.
[[nodiscard]] bool skip_metadata(ParseContext& c);
[[nodiscard]] bool skip_frontend_attributes(ParseContext& c);
[[nodiscard]] bool skip_statistics(ParseContext& c);
[[nodiscard]] bool skip_result_accuracy(ParseContext& c);
[[nodiscard]] bool skip_origin(ParseContext& c);
/// `{ "name" {1,0} }`, also `{}`.
[[nodiscard]] bool skip_original_array(ParseContext& c);
/// `{true,false}`, or a bare bool where `bare` is set.
[[nodiscard]] bool skip_bool_list(ParseContext& c, bool bare);
[[nodiscard]] bool skip_sharding(ParseContext& c);
[[nodiscard]] bool skip_domain(ParseContext& c);
[[nodiscard]] bool skip_replica_groups(ParseContext& c);
/// `[1,2]`; `what` completes "expected '[' ...".
[[nodiscard]] bool parse_bracketed(ParseContext& c, std::vector<int64_t>& values,
                                   std::string_view what);
/// Product of positive factors; -1 when a factor is not positive or the product does not fit.
[[nodiscard]] int64_t product_of_sizes(const std::vector<int64_t>& factors);
/// `[4,2]T(1,0)` of `count` devices: the T is needed exactly when there are several dimensions.
[[nodiscard]] bool skip_iota_devices(ParseContext& c, int64_t count);
/// `mesh['x'=2,'y'=4]`, with `, device_ids=(...)`.
[[nodiscard]] bool skip_mesh(ParseContext& c);
/// `{'x', 'y':(1)2}`: axes of a mesh.
[[nodiscard]] bool skip_axes(ParseContext& c);
[[nodiscard]] bool skip_sparsity_config(ParseContext& c);
/// `{ {0}: (1, {}), ... }`; kinds (may-alias, must-alias) only in module headers.
[[nodiscard]] bool skip_alias_list(ParseContext& c, bool with_kind);
[[nodiscard]] bool skip_buffer_donors(ParseContext& c);

}  // namespace hloscope::hlo
