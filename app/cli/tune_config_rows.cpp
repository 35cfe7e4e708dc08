#include "app/cli/tune_config_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "app/cli/text_table.h"

namespace hloscope::cli {

namespace {

using Parts = std::vector<std::pair<std::string, std::string>>;

/// `fusion.1:out=2x3;fusion.2:out=...`, as spaces of many kernels or arrays write it.
Parts parts_of(std::string_view text) {
  Parts out;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(';'));
    const size_t colon = part.rfind(':');
    if (colon != std::string_view::npos) {
      out.emplace_back(part.substr(0, colon), part.substr(colon + 1));
    }
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return out;
}

std::vector<ConfigRow> rows_of_parts(const tune::Space& space, const tune::Config& config) {
  const Parts usual = parts_of(space.text(space.default_config()));
  const std::map<std::string, std::string> usual_of(usual.begin(), usual.end());
  std::vector<ConfigRow> out;
  for (auto& [name, choice] : parts_of(space.text(config))) {
    const auto known = usual_of.find(name);
    out.push_back({name, choice, known == usual_of.end() ? "default" : known->second});
  }
  return out;
}

std::vector<ConfigRow> rows_of_edges(const tune::Space& space, const tune::Config& config) {
  const auto word = [](uint32_t value) { return value != 0 ? "fused" : "apart"; };
  const tune::Config usual = space.default_config();
  std::vector<ConfigRow> out;
  for (size_t d = 0; d < config.size(); ++d) {
    out.push_back({space.dimension_name(d), word(config[d]), word(usual[d])});
  }
  return out;
}

struct Titles {
  const char* of;
  const char* choice;
  const char* many;  ///< "12 of 181 tiles".
};

Titles titles_of(tune::SpaceKind space) {
  switch (space) {
    case tune::SpaceKind::kFusion:
      return {"Edge", "Here", "edges"};
    case tune::SpaceKind::kLayout:
      return {"Array", "Layout", "layouts"};
    case tune::SpaceKind::kTiles:
    case tune::SpaceKind::kProgramTiles:
      break;
  }
  return {"Kernel", "Tile", "tiles"};
}

}  // namespace

std::vector<ConfigRow> config_rows(const tune::Space& space, const tune::Settings& settings,
                                   const tune::Config& config) {
  std::vector<ConfigRow> out;
  switch (settings.space) {
    case tune::SpaceKind::kTiles:
      return {{settings.kernel, space.text(config), space.text(space.default_config())}};
    case tune::SpaceKind::kFusion:
      out = rows_of_edges(space, config);
      break;
    case tune::SpaceKind::kProgramTiles:
    case tune::SpaceKind::kLayout:
      out = rows_of_parts(space, config);
      break;
  }
  std::ranges::stable_partition(out, [](const ConfigRow& row) { return !row.is_usual(); });
  return out;
}

std::string config_table(const std::vector<ConfigRow>& rows, tune::SpaceKind space, size_t limit) {
  constexpr size_t kMostOfName = 46;
  const Titles titles = titles_of(space);
  const auto others = std::ranges::count_if(rows, [](const auto& row) { return !row.is_usual(); });
  std::string out = others == 0 ? fmt::format("all {} are the default ones\n", titles.many)
                                : fmt::format("{} of {} {} differ from the default\n",
                                              grouped(others), grouped(rows.size()), titles.many);
  // Which of the default there are is not told for layouts.
  if (space == tune::SpaceKind::kLayout && others > 0) {
    out = fmt::format("{} {} differ from the default\n", grouped(others), titles.many);
  }
  if (rows.empty()) return out;
  using enum TextTable::Align;
  TextTable table({{titles.of, kLeft}, {titles.choice, kLeft}, {"Default", kLeft}});
  const size_t shown = std::min(limit, rows.size());
  for (size_t i = 0; i < shown; ++i) {
    table.add_row({shortened(rows[i].of, kMostOfName), rows[i].choice,
                   rows[i].is_usual() ? "the same" : rows[i].usual});
  }
  out += table.text();
  if (shown < rows.size()) {
    out += fmt::format("{} more: see --all, --limit and --json\n", grouped(rows.size() - shown));
  }
  return out;
}

nlohmann::ordered_json config_json(const std::vector<ConfigRow>& rows) {
  auto out = nlohmann::ordered_json::array();
  for (const ConfigRow& row : rows) {
    out.push_back({{"of", row.of}, {"choice", row.choice}, {"default", row.usual}});
  }
  return out;
}

}  // namespace hloscope::cli
