#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/tune/settings.h"
#include "core/tune/space.h"

namespace hloscope::cli {

/// One choice of a configuration, in words.
struct ConfigRow {
  std::string of;      ///< A kernel, an edge or an array.
  std::string choice;  ///< Its tile, "fused", its order of dimensions.
  std::string usual;   ///< The same of the default configuration.
  [[nodiscard]] bool is_usual() const { return choice == usual; }
};

/// All choices of a configuration; of layouts those that are not the default. Those that differ
/// from the default come first.
[[nodiscard]] std::vector<ConfigRow> config_rows(const tune::Space& space,
                                                 const tune::Settings& settings,
                                                 const tune::Config& config);
/// A table of the first `limit` rows, and how many more there are.
[[nodiscard]] std::string config_table(const std::vector<ConfigRow>& rows, tune::SpaceKind space,
                                       size_t limit);
[[nodiscard]] nlohmann::ordered_json config_json(const std::vector<ConfigRow>& rows);

}  // namespace hloscope::cli
