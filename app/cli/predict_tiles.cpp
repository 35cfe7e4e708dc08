#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/cli/commands.h"
#include "app/cli/json_rows.h"
#include "app/cli/json_text.h"
#include "app/cli/kernel_choice.h"
#include "app/cli/predict.h"
#include "app/cli/text_table.h"
#include "app/cli/tile_rows.h"
#include "core/accuracy/prediction.h"
#include "core/accuracy/ranking.h"
#include "core/predict/program_examples.h"
#include "core/predict/tile_list.h"
#include "core/sim/tile_space.h"

namespace hloscope::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kPredictedTilesShown = 20;

/// The tiles of a kernel, as the ensemble ranks them.
struct RankedKernel {
  const ChosenKernel* chosen = nullptr;
  std::vector<TileRow> rows;  // Simulated.
  bool is_drawn = false;      // Not all tiles that fit.
  size_t strangers = 0;       // Measured runs of tiles that the kernel does not have.
  std::vector<std::vector<double>> runs_ns;  // All measured runs, by row.
  std::vector<double> analytical_ns;
  predict::EnsembleScores scores;
  std::vector<size_t> order;  // Positions in rows, best first.

  [[nodiscard]] bool is_measured() const { return !rows.empty() && rows.front().measured_ns; }
};

RankedKernel with_tiles(const ChosenKernel& chosen, const sim::Rates& rates, ThreadPool& pool) {
  RankedKernel out;
  out.chosen = &chosen;
  if (chosen.model.kind != sim::KernelKind::kTiled) return out;
  const MeasuredTiles measured = measured_tiles(chosen);
  predict::TileList list =
      predict::list_tiles(chosen.model, measured, rates, sim::default_bounds(chosen.model, rates));
  out.is_drawn = list.is_drawn;
  out.rows = tile_rows(chosen.model, std::move(list.bounds), rates, pool);
  out.strangers = measured.strangers;
  for (TileRow& row : out.rows) {
    const MeasuredTiles::Entry* entry = measured.entry(row.bounds);
    row.measured_ns = measured.find(row.bounds);
    out.runs_ns.push_back(entry != nullptr ? entry->runs_ns : std::vector<double>());
  }
  return out;
}

predict::AskedKernel asked_kernel(const RankedKernel& kernel) {
  predict::AskedKernel out{
      kernel.chosen->module.program.get(), kernel.chosen->kernel.instruction, {}};
  for (const TileRow& row : kernel.rows) {
    const sim::Tile tile = sim::tile_of(kernel.chosen->model, row.bounds);
    data::Sample sample;
    sample.configuration = {tile.kernel, tile.output, {}};
    sample.time_ns = row.measured_ns.value_or(0);
    out.samples.push_back(std::move(sample));
  }
  return out;
}

Error not_ranked(const ChosenKernel& chosen) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = "it has no tiles to rank";
  error.hint = "'hloscope-cli predict' without --tiles gives its time";
  return chosen.located(error);
}

Result<std::vector<RankedKernel>> ranked(std::span<const ChosenKernel> chosen,
                                         const predict::Ensemble& ensemble,
                                         const sim::Rates& rates) {
  ThreadPool pool;
  std::vector<RankedKernel> kernels;
  std::vector<predict::AskedKernel> asked;
  for (const ChosenKernel& one : chosen) {
    kernels.push_back(with_tiles(one, rates, pool));
    if (kernels.back().rows.empty()) return fail(not_ranked(one));
    asked.push_back(asked_kernel(kernels.back()));
  }
  HLOSCOPE_ASSIGN(predict::AskedExamples examples,
                  predict::encode_kernels(asked, ensemble, rates, pool));
  if (examples.set.examples.size() < asked.size()) {
    return fail(ErrorCode::kInvalidInput, "a kernel cannot be encoded as a graph",
                "name another one with --kernel");
  }
  HLOSCOPE_ASSIGN(std::vector<predict::EnsembleScores> scores,
                  predict::predict_ensemble(examples.set, examples.all(), ensemble, pool));
  for (size_t i = 0; i < kernels.size(); ++i) {
    RankedKernel& kernel = kernels[i];
    kernel.scores = std::move(scores[i]);
    kernel.analytical_ns = std::move(examples.set.examples[i].analytical_ns);
    kernel.order.resize(kernel.rows.size());
    std::iota(kernel.order.begin(), kernel.order.end(), size_t{0});
    std::ranges::stable_sort(kernel.order, {}, [&](size_t at) { return kernel.scores.mean[at]; });
  }
  return kernels;
}

accuracy::Ranking accuracy_of(const RankedKernel& kernel, std::span<const double> estimates) {
  std::vector<double> measured_ns;
  for (const TileRow& row : kernel.rows) measured_ns.push_back(row.measured_ns.value_or(0));
  return accuracy::rank_distinct(estimates, measured_ns);
}

std::vector<double> simulated_ns(const RankedKernel& kernel) {
  std::vector<double> out;
  for (const TileRow& row : kernel.rows) out.push_back(row.time_ns);
  return out;
}

// A tile that was run twice counts twice among the errors.
double error_of(const RankedKernel& kernel, std::span<const double> estimates_ns) {
  std::vector<double> runs_ns;
  std::vector<double> at_runs_ns;
  for (size_t i = 0; i < kernel.rows.size(); ++i) {
    for (const double run_ns : kernel.runs_ns[i]) {
      runs_ns.push_back(run_ns);
      at_runs_ns.push_back(estimates_ns[i]);
    }
  }
  return accuracy::summarise(at_runs_ns, runs_ns).mean;
}

size_t run_count(const RankedKernel& kernel) {
  size_t count = 0;
  for (const auto& runs : kernel.runs_ns) count += runs.size();
  return count;
}

// From 1; equal values by position.
std::vector<size_t> ranks_of(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [values](size_t at) { return values[at]; });
  std::vector<size_t> ranks(values.size());
  for (size_t i = 0; i < order.size(); ++i) ranks[order[i]] = i + 1;
  return ranks;
}

Json to_json(const accuracy::Ranking& ranking) {
  return {{"kendall_tau", or_null(ranking.kendall_tau)},
          {"top1_slowdown", or_null(ranking.top1_slowdown)},
          {"top5_slowdown", or_null(ranking.top5_slowdown)},
          {"top10_slowdown", or_null(ranking.top10_slowdown)}};
}

Json with_error(Json ranking, double mape) {
  ranking["mape"] = mape;
  return ranking;
}

Json tiles_json(const RankedKernel& kernel, size_t limit) {
  const std::vector<size_t> simulated_ranks = ranks_of(simulated_ns(kernel));
  const std::vector<size_t> analytical_ranks = ranks_of(kernel.analytical_ns);
  std::optional<double> best_ns;
  for (const TileRow& row : kernel.rows) {
    if (row.measured_ns) best_ns = std::min(best_ns.value_or(*row.measured_ns), *row.measured_ns);
  }
  auto out = Json::array();
  for (const size_t at : kernel.order) {
    if (limit > 0 && out.size() == limit) break;
    const TileRow& row = kernel.rows[at];
    out.push_back({{"rank", out.size() + 1},
                   {"tile", sim::tile_text(sim::tile_of(kernel.chosen->model, row.bounds))},
                   {"score", kernel.scores.mean[at]},
                   {"deviation", kernel.scores.deviation[at]},
                   {"measured_ns", or_null(row.measured_ns)},
                   {"slowdown", row.measured_ns ? Json(*row.measured_ns / *best_ns - 1) : Json()},
                   {"simulated_ns", row.time_ns},
                   {"simulated_rank", simulated_ranks[at]},
                   {"analytical_ns", kernel.analytical_ns[at]},
                   {"analytical_rank", analytical_ranks[at]},
                   {"iterations", row.iterations},
                   {"footprint_bytes", row.footprint_bytes}});
  }
  return out;
}

Json to_json(const RankedKernel& kernel, const predict::Ensemble& ensemble, size_t limit) {
  const ChosenKernel& chosen = *kernel.chosen;
  Json out = {{"file", chosen.file_path}, {"module_number", chosen.module_number},
              {"kernel", chosen.name()},  {"computation", chosen.computation()},
              {"source", "predicted"},    {"kernels_from", analysis::name(chosen.origin)}};
  out.update(ensemble_json(ensemble));
  out["tile_count"] = kernel.rows.size();
  out["are_all_tiles"] = !kernel.is_drawn && !kernel.is_measured();
  if (kernel.is_measured()) {
    const std::vector<double> simulated = simulated_ns(kernel);
    out["measured_runs"] = run_count(kernel);
    out["runs_of_unknown_tiles"] = kernel.strangers;
    out["accuracy"] = {{"predicted", to_json(accuracy_of(kernel, kernel.scores.mean))},
                       {"simulated", with_error(to_json(accuracy_of(kernel, simulated)),
                                                error_of(kernel, simulated))},
                       {"analytical", with_error(to_json(accuracy_of(kernel, kernel.analytical_ns)),
                                                 error_of(kernel, kernel.analytical_ns))}};
  }
  out["tiles"] = tiles_json(kernel, limit);
  return out;
}

std::string slowdown_text(const accuracy::Ranking& ranking) {
  if (!ranking.top1_slowdown) return "too few tiles for figures";
  return fmt::format("first choice {} slower than the best, first 5 {}, first 10 {}; tau {}",
                     percent(ranking.top1_slowdown), percent(ranking.top5_slowdown),
                     percent(ranking.top10_slowdown),
                     ranking.kendall_tau ? fmt::format("{:.3f}", *ranking.kendall_tau) : "-");
}

std::string tile_list(const RankedKernel& kernel, size_t limit) {
  using enum TextTable::Align;
  std::vector<TextTable::Column> columns{{"Rank"}, {"Score"}, {"±"}};
  if (kernel.is_measured()) columns.push_back({"Measured µs"});
  for (const char* title : {"Simulated µs", "Analytical µs"}) columns.push_back({title});
  columns.push_back({"Tile", kLeft});
  TextTable table(columns);
  for (const size_t at : kernel.order) {
    if (table.rows() == limit) break;
    const TileRow& row = kernel.rows[at];
    std::vector<std::string> cells{fmt::format("{}", table.rows() + 1),
                                   fmt::format("{:.3f}", kernel.scores.mean[at]),
                                   fmt::format("{:.3f}", kernel.scores.deviation[at])};
    if (row.measured_ns) cells.push_back(microseconds(*row.measured_ns));
    cells.push_back(microseconds(row.time_ns));
    cells.push_back(microseconds(kernel.analytical_ns[at]));
    cells.push_back(sim::tile_text(sim::tile_of(kernel.chosen->model, row.bounds)));
    table.add_row(std::move(cells));
  }
  return table.text();
}

std::string to_text(const RankedKernel& kernel, size_t limit) {
  const ChosenKernel& chosen = *kernel.chosen;
  std::string out = fmt::format("{} in {}, {}: {} {}\n", chosen.name(), chosen.computation(),
                                chosen.file, kernel.rows.size(),
                                kernel.is_measured() ? "measured tiles"
                                : kernel.is_drawn    ? "tiles drawn from all that fit"
                                                     : "tiles, all that fit");
  if (kernel.is_measured()) {
    out += "predicted   " + slowdown_text(accuracy_of(kernel, kernel.scores.mean)) + "\n";
    const auto add = [&](const char* source, const std::vector<double>& times_ns) {
      out +=
          fmt::format("{:<12}{}, MAPE {}\n", source, slowdown_text(accuracy_of(kernel, times_ns)),
                      percent(error_of(kernel, times_ns)));
    };
    add("simulated", simulated_ns(kernel));
    add("analytical", kernel.analytical_ns);
    if (kernel.strangers > 0) {
      out += fmt::format("left out: {} of tiles that this kernel does not have\n",
                         counted(static_cast<int64_t>(kernel.strangers), "run", "runs"));
    }
  }
  return out + tile_list(kernel, limit);
}

}  // namespace

void predict_tiles(const PredictOptions& options, int& exit_code) {
  const auto machine = load_machine(options.machine, exit_code);
  if (!machine) return;
  const auto fail_with = [&exit_code](const Error& error) {
    print_error(error);
    exit_code = kBadInput;
  };
  const auto ensemble = chosen_ensemble(options, *machine, data::Task::kTile);
  if (!ensemble) return fail_with(ensemble.error());
  const std::vector<ChosenKernel> chosen = choose_kernels(options, options.kernel, exit_code);
  if (chosen.empty()) return;
  const auto kernels = ranked(chosen, **ensemble, sim::Rates(*machine));
  if (!kernels) return fail_with(kernels.error());
  auto list = Json::array();
  std::string text = fmt::format("predicted ranks, not measured; {}, {}\n", machine->title,
                                 ensemble_text(**ensemble));
  for (const RankedKernel& kernel : *kernels) {
    list.push_back(to_json(kernel, **ensemble, options.top));
    text += "\n" + to_text(kernel, options.top > 0 ? options.top : kPredictedTilesShown);
  }
  if (options.json) {
    std::cout << json_text(list) << "\n";
  } else if (options.csv) {
    auto rows = Json::array();
    for (const Json& kernel : list) {
      for (const Json& tile : kernel["tiles"]) {
        Json row = kernel;
        row.erase("tiles");
        row.update(tile);
        rows.push_back(std::move(row));
      }
    }
    std::cout << json_rows_csv(rows, true);
  } else {
    std::cout << text;
  }
}

}  // namespace hloscope::cli
