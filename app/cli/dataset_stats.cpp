#include "core/data/statistics.h"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/printable.h"
#include "app/cli/terminal.h"
#include "app/cli/text_histogram.h"
#include "app/cli/text_table.h"
#include "db/data_set_statistics.h"
#include "db/open_data_set.h"

namespace hloscope::cli {

namespace {

using data::Distribution;
using data::Statistics;
using nlohmann::ordered_json;

struct StatsOptions {
  std::string file;
  std::string split;
  bool json = false;
};

// What is shown.
struct Stats {
  std::string file;
  data::DataSetInfo info;
  Statistics counted;
  std::optional<data::Split> split;
  std::vector<std::string> split_names;

  // What a graph is.
  [[nodiscard]] std::string graph() const { return graph_noun(info.task); }
  [[nodiscard]] std::string graphs() const { return graph() + "s"; }
};

double count_share(int64_t count, int64_t all) {
  return all == 0 ? 0 : static_cast<double>(count) / static_cast<double>(all);
}

// 250 ns, 2.5 µs, 40 ms.
std::string stats_time_text(double time_ns) {
  if (time_ns < 1e3) return fmt::format("{:.3g} ns", time_ns);
  if (time_ns < 1e6) return fmt::format("{:.3g} µs", time_ns / 1e3);
  if (time_ns < 1e9) return fmt::format("{:.3g} ms", time_ns / 1e6);
  return fmt::format("{:.3g} s", time_ns / 1e9);
}

std::string ratio_text(double ratio) {
  if (ratio >= 100) return grouped(ratio);
  return fmt::format("{:.{}f}", ratio, ratio < 10 ? 2 : 1);
}

using Text = std::string (*)(double);

// Bins of numbers that go on: "2 µs – 5 µs".
std::string range_label(const Distribution::Bin& bin, Text text) {
  if (std::isinf(bin.from)) return fmt::format("under {}", text(bin.to));
  if (std::isinf(bin.to)) return fmt::format("from {}", text(bin.from));
  return fmt::format("{} – {}", text(bin.from), text(bin.to));
}

// Bins of counts: "4", "4 – 7".
std::string count_label(const Distribution::Bin& bin) {
  if (std::isinf(bin.from)) return "0";
  if (std::isinf(bin.to)) return fmt::format("from {}", grouped(bin.from));
  if (bin.to - bin.from <= 1) return grouped(bin.from);
  return fmt::format("{} – {}", grouped(bin.from), grouped(bin.to - 1));
}

void print_distribution(const std::string& title, const Distribution& distribution, Text text,
                        bool is_count) {
  if (distribution.count() == 0) return;
  std::cout << fmt::format(
      "\n{}: mean {}, {} to {}\n", title,
      is_count ? fmt::format("{:.1f}", *distribution.mean()) : text(*distribution.mean()),
      text(*distribution.least()), text(*distribution.most()));
  std::vector<HistogramRow> rows;
  for (const Distribution::Bin& bin : distribution.bins()) {
    rows.push_back({is_count ? count_label(bin) : range_label(bin, text), bin.count});
  }
  std::cout << histogram_text(rows, distribution.count());
}

void print_head(const Stats& stats) {
  const Statistics& counted = stats.counted;
  std::cout << fmt::format("{}: data set '{}', task {}\ntimes: {}\n\n", stats.file,
                           printable(stats.info.name), data::name(stats.info.task),
                           stats.info.target.label());
  TextTable table({{""}, {"", TextTable::Align::kLeft}});
  const auto add = [&table](int64_t count, const std::string& what) {
    table.add_row({grouped(count), what});
  };
  add(counted.all.programs,
      fmt::format("program{} of {} famil{}", counted.all.programs == 1 ? "" : "s",
                  grouped(std::ssize(counted.families)),
                  counted.families.size() == 1 ? "y" : "ies"));
  if (counted.kernels_met > 0) {
    add(counted.units, "fusion configurations");
    add(counted.kernels_met, "kernels met in them");
    add(counted.all.graphs, fmt::format("kernels differ; {} of those met were known already",
                                        percent(counted.repeated_share())));
  } else {
    add(counted.all.graphs, counted.all.graphs == 1 ? stats.graph() : stats.graphs());
  }
  add(counted.all.samples, counted.all.samples == 1 ? "sample" : "samples");
  std::string text = table.text();
  std::cout << text.substr(text.find('\n') + 1);
}

void print_groups(const Stats& stats) {
  using enum TextTable::Align;
  const Statistics& counted = stats.counted;
  TextTable classes({{"op class", kLeft}, {stats.graphs()}, {"share"}, {"samples"}, {"", kLeft}});
  for (const Statistics::Counts& row : counted.op_classes) {
    const double part = count_share(row.graphs, counted.all.graphs);
    classes.add_row({class_text(row.name), grouped(row.graphs), percent(part), grouped(row.samples),
                     bar(part)});
  }
  std::cout << "\n" << classes.text();
  TextTable families({{"family", kElided}, {"programs"}, {stats.graphs()}, {"share"}, {"samples"}});
  for (const Statistics::Counts& row : counted.families) {
    families.add_row({row.name.empty() ? "(none)" : row.name, grouped(row.programs),
                      grouped(row.graphs), percent(count_share(row.graphs, counted.all.graphs)),
                      grouped(row.samples)});
  }
  std::cout << "\n" << families.text();
}

void print_split(const Stats& stats) {
  using enum TextTable::Align;
  if (!stats.split) {
    std::cout << fmt::format(
        "\nsplits: {}\n",
        stats.split_names.empty() ? "none" : fmt::format("{}", fmt::join(stats.split_names, ", ")));
    return;
  }
  TextTable table({{"split " + stats.split->name, kElided},
                   {"programs"},
                   {stats.graphs()},
                   {"share"},
                   {"samples"}});
  for (const Statistics::Counts& row : stats.counted.parts) {
    table.add_row({row.name, grouped(row.programs), grouped(row.graphs),
                   percent(count_share(row.graphs, stats.counted.all.graphs)),
                   grouped(row.samples)});
  }
  std::cout << "\n" << table.text();
}

void print_text(const Stats& stats) {
  const Statistics& counted = stats.counted;
  print_head(stats);
  print_split(stats);
  print_groups(stats);
  print_distribution("nodes of a " + stats.graph(), counted.nodes, grouped, true);
  print_distribution(fmt::format("{} time of a sample", data::name(stats.info.target.kind)),
                     counted.time_ns, stats_time_text, false);
  if (counted.all.samples > 0) {
    std::cout << fmt::format(
        "  under 5 µs: {} of the samples, {} of the {} at their best\n",
        percent(count_share(counted.short_samples, counted.all.samples)),
        percent(count_share(counted.short_graphs, counted.samples_per_graph.count())),
        stats.graphs());
  }
  if (counted.slowdown.count() == 0) return;
  print_distribution("samples of a " + stats.graph(), counted.samples_per_graph, grouped, true);
  print_distribution("slowdown against the best of the same " + stats.graph(), counted.slowdown,
                     ratio_text, false);
}

ordered_json to_json(const Distribution& distribution) {
  auto bins = ordered_json::array();
  for (const Distribution::Bin& bin : distribution.bins()) {
    // JSON has no infinity: null is an open end.
    bins.push_back({{"from", std::isinf(bin.from) ? ordered_json() : ordered_json(bin.from)},
                    {"to", std::isinf(bin.to) ? ordered_json() : ordered_json(bin.to)},
                    {"count", bin.count}});
  }
  return {{"count", distribution.count()},
          {"mean", or_null(distribution.mean())},
          {"least", or_null(distribution.least())},
          {"most", or_null(distribution.most())},
          {"histogram", bins}};
}

ordered_json rows_json(const std::vector<Statistics::Counts>& rows, const char* key,
                       bool with_programs) {
  auto out = ordered_json::array();
  for (const Statistics::Counts& counts : rows) {
    ordered_json row = {{key, counts.name}};
    if (with_programs) row["programs"] = counts.programs;
    row["graphs"] = counts.graphs;
    row["samples"] = counts.samples;
    out.push_back(std::move(row));
  }
  return out;
}

ordered_json to_json(const Stats& stats) {
  const Statistics& counted = stats.counted;
  ordered_json out = {
      {"file", stats.file},
      {"name", stats.info.name},
      {"task", data::name(stats.info.task)},
      {"target", stats.info.target.label()},
      {"target_kind", data::name(stats.info.target.kind)},
      {"programs", counted.all.programs},
      {"families", counted.families.size()},
      {"configurations", counted.units},
      {"kernels_met", counted.kernels_met},
      {"graphs", counted.all.graphs},
      {"repeated", or_null(counted.repeated_share())},
      {"samples", counted.all.samples},
      {"under_5_us_samples", count_share(counted.short_samples, counted.all.samples)},
      {"under_5_us_graphs", count_share(counted.short_graphs, counted.samples_per_graph.count())},
      {"by_op_class", rows_json(counted.op_classes, "op_class", false)},
      {"by_family", rows_json(counted.families, "family", true)},
      {"nodes", to_json(counted.nodes)},
      {"time_ns", to_json(counted.time_ns)},
      {"samples_per_graph", to_json(counted.samples_per_graph)},
      {"slowdown", to_json(counted.slowdown)},
      {"splits", stats.split_names}};
  if (stats.split) {
    out["split"] = {{"name", stats.split->name},
                    {"settings", ordered_json::parse(stats.split->settings, nullptr, false)},
                    {"parts", rows_json(counted.parts, "part", true)}};
  }
  return out;
}

Status show(const StatsOptions& options) {
  const Interrupt interrupt;
  const Progress progress = terminal_progress(interrupt.token());
  HLOSCOPE_ASSIGN(db::Database database, db::open_data_set(options.file, db::OpenMode::kReadOnly));
  const db::DataSets data_sets(database);
  Stats stats;
  stats.file = options.file;
  HLOSCOPE_ASSIGN(stats.info, data_sets.info());
  HLOSCOPE_ASSIGN(stats.split_names, data_sets.split_names());
  if (!options.split.empty()) {
    HLOSCOPE_ASSIGN(stats.split, data_sets.split(options.split));
  }
  HLOSCOPE_ASSIGN(stats.counted, db::data_set_statistics(
                                     data_sets, stats.split ? &*stats.split : nullptr, progress));
  progress.report(1, "");
  if (options.json) {
    std::cout << json_text(to_json(stats)) << "\n";
  } else {
    print_text(stats);
  }
  return {};
}

}  // namespace

void add_dataset_stats(CLI::App& dataset, int& exit_code) {
  const auto options = std::make_shared<StatsOptions>();
  CLI::App& command = *dataset.add_subcommand(
      "stats", "counts of a data set, and histograms of its kernels and times");
  command.add_option("FILE", options->file, "a data set")->required();
  command.add_option("--split", options->split, "with the parts of this split");
  command.add_flag("--json", options->json, "JSON instead of text");
  command.footer(
      "A kernel counts in every family that it was met in. Slowdown: time / least time of the same "
      "kernel, of\nkernels with two samples or more.\n"
      "Example: hloscope-cli dataset stats kernels.hloscope --split random --json\n"
      "  {\"file\": \"...\", \"task\": \"fusion\", \"target\": \"simulated (tpu_v3@4f1c09ab)\", "
      "\"target_kind\": \"simulated\",\n   \"programs\": 9, \"families\": 7, \"configurations\": "
      "700, \"kernels_met\": 90000, \"graphs\": 8000,\n   \"repeated\": 0.91, \"samples\": 8000, "
      "\"under_5_us_samples\": 0.48, \"under_5_us_graphs\": 0.48,\n   \"by_op_class\": "
      "[{\"op_class\": \"elementwise\", \"graphs\": 5000, \"samples\": 5000}], \"by_family\": "
      "[...],\n   \"nodes\": {\"count\": 8000, \"mean\": 7.1, \"least\": 1, \"most\": 300, "
      "\"histogram\":\n   [{\"from\": 1, \"to\": 2, \"count\": 90}]}, \"time_ns\": {...}, "
      "\"samples_per_graph\": {...}, \"slowdown\": {...},\n   \"splits\": [\"random\"], \"split\": "
      "{\"name\": \"random\", \"settings\": {...}, \"parts\": [...]}}");
  command.callback([options, &exit_code] { settle(show(*options), exit_code); });
}

}  // namespace hloscope::cli
