#pragma once

#include <string>
#include <vector>

#include "core/hlo/print.h"

namespace hloscope::hlo {

/// `%name`, or `name` where the options say so and the text stays readable.
void append_name(std::string& out, std::string_view name, const PrintOptions& options);
/// `, key=value`.
void append_attribute(std::string& out, const Program& program, const Attribute& attribute,
                      const PrintOptions& options);
/// The attributes in the order in which XLA prints them for this opcode.
[[nodiscard]] std::vector<Attribute> in_print_order(std::span<const Attribute> attributes,
                                                    Opcode opcode);
/// The same for those of a module header.
[[nodiscard]] std::vector<Attribute> in_header_order(std::span<const Attribute> attributes);

}  // namespace hloscope::hlo
