#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/data/data_set.h"

namespace hloscope::data {

/// Configurations of many values, as those of layouts are: nearly all nodes have one of a few
/// layouts, so that each distinct one is written once and then named by its number. A list of more
/// than one layout's length that stands alone is cut in pieces of that length first.
[[nodiscard]] std::string pack_words(const Configuration& configuration);
/// Whether the bytes are those of pack_words(): no count stands in front of them.
[[nodiscard]] bool are_words(std::string_view bytes);
/// Nothing for damaged bytes.
[[nodiscard]] std::optional<Configuration> unpack_words(std::string_view bytes);

/// The list as pack_configuration() writes it: its size and values.
void put_list(std::string& out, const std::vector<int64_t>& list);
[[nodiscard]] std::optional<std::vector<int64_t>> take_list(std::string_view& bytes);

}  // namespace hloscope::data
