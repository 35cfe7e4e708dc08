#include "core/predict/tile_ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/predict/ensemble.h"
#include "core/predict/program_examples.h"
#include "core/sim/estimate.h"
#include "core/sim/simulate.h"
#include "core/sim/tile_space.h"

namespace hloscope::predict {

namespace {

using analysis::TimeSource;
using Bounds = std::vector<int64_t>;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kChunk = 512;  // Tiles between two looks at the progress.

TileColumn& column_of(TileRanking& ranking, TimeSource source) {
  return ranking.columns[static_cast<size_t>(source)];
}

// The tiles with a value, least first.
std::vector<uint32_t> ranked_tiles(const std::vector<double>& values) {
  std::vector<uint32_t> out;
  for (uint32_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) out.push_back(i);
  }
  std::ranges::stable_sort(out, {}, [&values](uint32_t i) { return values[i]; });
  return out;
}

void fill_ranks(TileColumn& column) {
  const std::vector<uint32_t> order = ranked_tiles(column.values);
  column.ranks.assign(column.values.size(), 0);
  for (uint32_t i = 0; i < order.size(); ++i) column.ranks[order[i]] = i + 1;
  if (!order.empty()) column.first = order.front();
}

void fill_simulated(TileRanking& out, const sim::Rates& rates, ThreadPool& pool,
                    const Progress& progress) {
  const size_t n = out.size();
  TileColumn& simulated = column_of(out, TimeSource::kSimulated);
  TileColumn& analytical = column_of(out, TimeSource::kAnalytical);
  for (std::vector<double>* values :
       {&simulated.values, &analytical.values, &out.iterations, &out.footprint_bytes}) {
    values->assign(n, 0);
  }
  for (size_t begin = 0; begin < n && !progress.stop_requested(); begin += kChunk) {
    progress.report(static_cast<double>(begin) / static_cast<double>(n), "timing tiles");
    pool.parallel_for(std::min(kChunk, n - begin), [&](size_t at) {
      const size_t i = begin + at;
      const Bounds& bounds = out.list.bounds[i];
      const sim::Simulation simulation = sim::simulate(out.model, bounds, rates);
      simulated.values[i] = simulation.time_ns;
      out.iterations[i] = simulation.tiles;
      out.footprint_bytes[i] = simulation.footprint_bytes;
      analytical.values[i] = sim::estimate(out.model, bounds, rates).time_ns;
    });
  }
}

Status fill_predicted(TileRanking& out, const sim::Rates& rates, ThreadPool& pool,
                      const Progress& progress) {
  const sim::Machine& machine = out.report->machine;
  HLOSCOPE_ASSIGN(const auto ensemble, builtin_for(machine.id, data::Task::kTile));
  if (!ensemble) {
    out.absence = "no model learned to rank tiles of " + machine.title;
    return {};
  }
  AskedKernel asked{
      out.report->module.program.get(), out.report->kernels.kernels[out.kernel].instruction, {}};
  for (size_t i = 0; i < out.size(); ++i) {
    const sim::Tile tile = sim::tile_of(out.model, out.list.bounds[i]);
    data::Sample sample;
    sample.configuration = {tile.kernel, tile.output, {}};
    asked.samples.push_back(std::move(sample));
  }
  HLOSCOPE_ASSIGN(const AskedExamples examples,
                  encode_kernels({&asked, 1}, *ensemble, rates, pool, progress.part(0, 0.5)));
  if (examples.set.examples.empty()) {
    out.absence = "the learned model cannot read this kernel";
    return {};
  }
  HLOSCOPE_ASSIGN(
      std::vector<EnsembleScores> scores,
      predict_ensemble(examples.set, examples.all(), *ensemble, pool, progress.part(0.5, 1)));
  TileColumn& column = column_of(out, TimeSource::kPredicted);
  column.is_score = true;
  column.values = std::move(scores.front().mean);
  column.deviation = std::move(scores.front().deviation);
  out.ranked_by = ensemble->label();
  return {};
}

void fill_measured(TileRanking& out) {
  if (out.list.measured == 0) return;
  column_of(out, TimeSource::kMeasured).values = out.list.measured_ns;
  out.slowdown.assign(out.size(), kNone);
  const auto end = out.list.measured_ns.begin() + static_cast<std::ptrdiff_t>(out.list.measured);
  const double best_ns = *std::min_element(out.list.measured_ns.begin(), end);
  for (size_t i = 0; i < out.list.measured; ++i) {
    out.slowdown[i] = out.list.measured_ns[i] / best_ns - 1;
  }
}

void fill_chart(TileColumn& column, const TileColumn& times) {
  column.chart_ns = column.values;
  if (!column.is_score) return;
  std::vector<double> sorted = times.values;
  std::erase_if(sorted, [](double time_ns) { return std::isnan(time_ns); });
  std::ranges::sort(sorted);
  // Where not all tiles have such a time, ranks are stretched over those that do.
  const double stretch =
      static_cast<double>(sorted.size()) / static_cast<double>(times.values.size());
  for (size_t i = 0; i < column.values.size(); ++i) {
    const double place = (static_cast<double>(column.ranks[i]) - 0.5) * stretch;
    const size_t at = std::min(sorted.size() - 1, static_cast<size_t>(place));
    column.chart_ns[i] = column.ranks[i] == 0 ? kNone : sorted[at];
  }
}

// A tile that was run twice counts twice among the errors, once in the ranking.
void fill_accuracy(TileColumn& column, const accuracy::MeasuredTiles& measured) {
  std::vector<double> fastest_ns;
  std::vector<double> runs_ns;
  std::vector<double> estimates_ns;
  for (size_t i = 0; i < measured.tiles.size(); ++i) {
    fastest_ns.push_back(measured.tiles[i].time_ns);
    for (const double run_ns : measured.tiles[i].runs_ns) {
      runs_ns.push_back(run_ns);
      estimates_ns.push_back(column.values[i]);
    }
  }
  column.ranking =
      accuracy::rank_distinct(std::span(column.values).first(fastest_ns.size()), fastest_ns);
  if (!column.is_score) column.errors = accuracy::summarise(estimates_ns, runs_ns);
}

void finish(TileRanking& out, const accuracy::MeasuredTiles& runs) {
  const TileColumn& measured = out.column(TimeSource::kMeasured);
  for (TileColumn& column : out.columns) {
    if (!column.is_empty()) fill_ranks(column);
  }
  for (const analysis::TimeSourceInfo& info : analysis::kTimeSources) {
    TileColumn& column = column_of(out, info.source);
    if (column.is_empty()) continue;
    fill_chart(column, measured.is_empty() ? out.column(TimeSource::kSimulated) : measured);
    if (info.is_estimate && !measured.is_empty()) fill_accuracy(column, runs);
  }
}

void find_default(TileRanking& out, const accuracy::MeasuredTiles& measured,
                  const Bounds& chosen_by_model) {
  const Bounds* bounds = &chosen_by_model;
  for (const accuracy::MeasuredTiles::Entry& entry : measured.tiles) {
    if (!entry.is_default) continue;
    bounds = &entry.bounds;
    out.default_is_recorded = true;
  }
  const auto at = std::ranges::find(out.list.bounds, *bounds);
  if (at != out.list.bounds.end()) {
    out.default_tile = static_cast<uint32_t>(at - out.list.bounds.begin());
  }
}

Error not_tiled(std::string_view kernel, sim::KernelKind kind) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = fmt::format("{} is not cut in tiles ({})", kernel, untiled_name(kind));
  error.hint = "choose another kernel";
  return error;
}

}  // namespace

std::string_view untiled_name(sim::KernelKind kind) {
  switch (kind) {
    case sim::KernelKind::kCollective:
      return "collective";
    case sim::KernelKind::kHost:
      return "host transfer";
    case sim::KernelKind::kFree:
      return "takes no time";
    case sim::KernelKind::kDma:
      return "asynchronous copy";
    case sim::KernelKind::kOpaque:
      return "opaque";
    case sim::KernelKind::kTiled:
      break;
  }
  return "";
}

std::vector<graph::KernelId> tiled_kernels(const analysis::ModuleReport& report) {
  const graph::KernelList& kernels = report.kernels;
  std::vector<double> total_ns(kernels.distinct.size(), 0);
  for (uint32_t k = 0; k < kernels.kernels.size(); ++k) {
    const graph::KernelId id(k);
    total_ns[kernels.distinct_of[id]] +=
        report.times.simulated[id].time_ns * kernels.kernels[id].executions;
  }
  std::vector<graph::KernelId> out;
  for (size_t d = 0; d < kernels.distinct.size(); ++d) {
    if (!report.times.tiles[d].tile.output.empty()) out.push_back(kernels.distinct[d]);
  }
  std::ranges::stable_sort(out, std::greater<>(),
                           [&](graph::KernelId id) { return total_ns[kernels.distinct_of[id]]; });
  return out;
}

std::optional<uint32_t> TileRanking::find(const sim::Tile& tile) const {
  const Result<Bounds> bounds = sim::loop_bounds(model, tile);
  if (!bounds) return std::nullopt;
  const auto at = std::ranges::find(list.bounds, *bounds);
  if (at == list.bounds.end()) return std::nullopt;
  return static_cast<uint32_t>(at - list.bounds.begin());
}

std::vector<uint32_t> TileRanking::order(TimeSource source) const {
  const std::vector<uint32_t>& ranks = column(source).ranks;
  std::vector<uint32_t> out(size());
  std::iota(out.begin(), out.end(), 0U);
  if (ranks.empty()) return out;
  std::ranges::stable_sort(out, {}, [&ranks](uint32_t i) { return ranks[i] - 1; });
  return out;
}

TimeSource TileRanking::best_source() const {
  for (TimeSource source : {TimeSource::kMeasured, TimeSource::kPredicted}) {
    if (!column(source).is_empty()) return source;
  }
  return TimeSource::kSimulated;
}

Result<std::shared_ptr<const TileRanking>> rank_tiles(
    std::shared_ptr<const analysis::ModuleReport> report, graph::KernelId kernel,
    const TileListOptions& options, ThreadPool& pool, const Progress& progress) {
  auto out = std::make_shared<TileRanking>();
  out->report = std::move(report);
  out->kernel = kernel;
  const hlo::Program& program = *out->report->module.program;
  const graph::KernelList& kernels = out->report->kernels;
  out->model = sim::kernel_model(program, kernels.kernels[kernel].instruction);
  if (out->model.kind != sim::KernelKind::kTiled) {
    const std::string_view name = program[kernels.kernels[kernel].instruction].name;
    return tl::unexpected(not_tiled(name, out->model.kind));
  }
  const sim::Rates rates(out->report->machine);
  accuracy::MeasuredTiles measured;
  if (kernels.kernels.size() == 1) {
    measured = accuracy::measured_tiles(out->model, out->report->module.runs);
  }
  const uint32_t distinct = kernels.distinct_of[out->kernel];
  const Bounds& chosen = out->report->times.tiles[distinct].bounds;
  progress.report(0, "listing tiles");
  out->list = list_tiles(out->model, measured, rates, chosen, options);
  out->strangers = measured.strangers;
  out->vmem_bytes = rates.vmem_bytes;
  out->all_count = sim::TileSpace(out->model, rates).all_count();
  fill_simulated(*out, rates, pool, progress.part(0, 0.3));
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
  HLOSCOPE_TRY(fill_predicted(*out, rates, pool, progress.part(0.3, 1)));
  fill_measured(*out);
  find_default(*out, measured, chosen);
  finish(*out, measured);
  return std::shared_ptr<const TileRanking>(std::move(out));
}

}  // namespace hloscope::predict
