#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "app/cli/commands.h"
#include "app/cli/json_rows.h"
#include "app/cli/json_text.h"
#include "app/cli/simulate.h"
#include "app/cli/terminal.h"
#include "app/cli/tile_rows.h"
#include "core/sim/simulate.h"
#include "core/sim/tile_space.h"

namespace hloscope::cli {

namespace {

constexpr size_t kSimulatedTilesShown = 50;
constexpr size_t kChunk = 16384;  // Tiles simulated at once; JSON and CSV are written so too.

bool is_faster(const TileRow& a, const TileRow& b) {
  return std::tie(a.time_ns, a.bounds) < std::tie(b.time_ns, b.bounds);
}

// What was simulated of one kernel; only the fastest rows are kept where a limit is set.
struct TileList {
  std::vector<TileRow> rows;  // By time.
  double simulated = 0;       // Tiles.
  double slowest_ns = 0;
  double faster_than_default = 0;
  size_t measured = 0;  // Tiles with a measured time.
};

class TileLister {
 public:
  TileLister(const ChosenKernel& chosen, const sim::Rates& rates, size_t most, ThreadPool& pool)
      : model_(chosen.model),
        rates_(rates),
        space_(chosen.model, rates),
        most_(most),
        pool_(pool),
        measured_(measured_tiles(chosen)),
        default_(tile_rows(model_, {sim::default_bounds(model_, rates)}, rates, pool).front()) {}

  const sim::TileSpace& space() const { return space_; }
  const TileRow& default_row() const { return default_; }
  const MeasuredTiles& measured() const { return measured_; }

  TileList all() {
    space_.each([this](const std::vector<int64_t>& bounds) {
      waiting_.push_back(bounds);
      if (waiting_.size() == kChunk) flush();
      return true;
    });
    return finish();
  }
  // Tiles drawn twice are simulated once.
  TileList sample(size_t draws, uint64_t seed) {
    Rng rng(seed);
    std::set<std::vector<int64_t>> seen;
    for (size_t i = 0; i < draws; ++i) {
      std::vector<int64_t> bounds = space_.random(rng);
      if (!space_.fits(bounds) || !seen.insert(bounds).second) continue;
      waiting_.push_back(std::move(bounds));
      if (waiting_.size() == kChunk) flush();
    }
    return finish();
  }

 private:
  void flush() {
    for (TileRow& row : tile_rows(model_, std::move(waiting_), rates_, pool_)) {
      row.measured_ns = measured_.find(row.bounds);
      if (row.measured_ns) ++list_.measured;
      ++list_.simulated;
      list_.slowest_ns = std::max(list_.slowest_ns, row.time_ns);
      if (row.time_ns < default_.time_ns) ++list_.faster_than_default;
      list_.rows.push_back(std::move(row));
    }
    waiting_.clear();
    if (most_ > 0 && list_.rows.size() > 2 * most_ + kChunk) keep_fastest();
  }
  void keep_fastest() {
    const auto middle = list_.rows.begin() + static_cast<std::ptrdiff_t>(most_);
    std::nth_element(list_.rows.begin(), middle, list_.rows.end(), is_faster);
    list_.rows.erase(middle, list_.rows.end());
  }
  TileList finish() {
    flush();
    std::sort(list_.rows.begin(), list_.rows.end(), is_faster);
    if (most_ > 0 && list_.rows.size() > most_) list_.rows.resize(most_);
    return std::move(list_);
  }

  const sim::KernelModel& model_;
  const sim::Rates& rates_;
  sim::TileSpace space_;
  size_t most_;
  ThreadPool& pool_;
  MeasuredTiles measured_;
  TileRow default_;
  std::vector<std::vector<int64_t>> waiting_;
  TileList list_;
};

// One kernel with the list of its tiles, written as text, JSON or CSV.
struct TileListing {
  const SimulateOptions& options;
  const ChosenKernel& chosen;
  const sim::Machine& machine;
  const sim::Rates& rates;
  double fitting = 0;  // Tiles that fit.
};

std::string to_text(const TileListing& listing, const TileLister& lister, const TileList& list) {
  const TileRow& chosen_row = lister.default_row();
  std::string out =
      fmt::format("{} in {}, {}: {}\n{}\n", listing.chosen.name(), listing.chosen.computation(),
                  listing.chosen.file,
                  analysis::kernel_label(*listing.chosen.module.program, listing.chosen.kernel),
                  simulated_line(listing.machine));
  out += origin_text(listing.chosen.origin) + "\n";
  out += fmt::format(
      "{} tiles fit in VMEM, {} simulated{}", grouped(listing.fitting), grouped(list.simulated),
      listing.options.sample > 0 ? fmt::format(" (sample, seed {})", listing.options.seed)
                                 : std::string());
  if (list.rows.empty()) return out + "\n";
  out += fmt::format(": {} to {} µs\n", microseconds(list.rows.front().time_ns),
                     microseconds(list.slowest_ns));
  out += fmt::format("default tile {}: {} µs, {} of these are faster\n",
                     sim::tile_text(sim::tile_of(listing.chosen.model, chosen_row.bounds)),
                     microseconds(chosen_row.time_ns), grouped(list.faster_than_default));
  const MeasuredTiles& measured = lister.measured();
  if (!measured.tiles.empty() || measured.strangers > 0) {
    out += fmt::format("measured in this file: {} tiles, {} of them among these\n",
                       measured.tiles.size() + measured.strangers, list.measured);
  }
  out += "\n" + tile_table(list.rows, listing.chosen.model, !measured.tiles.empty());
  if (static_cast<double>(list.rows.size()) < list.simulated) {
    out += fmt::format("... {} more; --limit N shows N\n",
                       grouped(list.simulated - static_cast<double>(list.rows.size())));
  }
  return out;
}

nlohmann::ordered_json head_json(const TileListing& listing, const TileLister& lister,
                                 const TileList& list) {
  const TileRow& chosen_row = lister.default_row();
  return {{"file", listing.chosen.file_path},
          {"module_number", listing.chosen.module_number},
          {"kernel", listing.chosen.name()},
          {"computation", listing.chosen.computation()},
          {"source", "simulated"},
          {"machine", listing.machine.id},
          {"machine_hash", listing.machine.hash.hex()},
          {"kernels_from", analysis::name(listing.chosen.origin)},
          {"vmem_bytes", listing.rates.vmem_bytes},
          {"tile_count", listing.fitting},
          {"all_tile_count", lister.space().all_count()},
          {"simulated_count", list.simulated},
          {"default_tile", sim::tile_text(sim::tile_of(listing.chosen.model, chosen_row.bounds))},
          {"default_time_ns", chosen_row.time_ns},
          {"faster_than_default", list.faster_than_default},
          {"measured_tiles", lister.measured().tiles.size()},
          {"measured_simulated", list.measured}};
}

// Calls `write` with the rows as JSON, some at a time: a list can have two million.
template <typename Write>
void each_chunk(const TileListing& listing, const TileList& list, const Write& write) {
  for (size_t begin = 0; begin < list.rows.size(); begin += kChunk) {
    auto rows = nlohmann::ordered_json::array();
    for (size_t i = begin; i < std::min(begin + kChunk, list.rows.size()); ++i) {
      rows.push_back(tile_row_json(list.rows[i], listing.chosen.model));
    }
    write(rows, begin == 0);
  }
}

void write_json(const TileListing& listing, const TileLister& lister, const TileList& list) {
  const std::string head = json_text(head_json(listing, lister, list));
  std::cout << head.substr(0, head.rfind('\n')) << ",\n  \"tiles\": [";
  each_chunk(listing, list, [](const nlohmann::ordered_json& rows, bool is_first) {
    for (size_t i = 0; i < rows.size(); ++i) {
      std::cout << (is_first && i == 0 ? "\n    " : ",\n    ") << json_text(rows[i], -1);
    }
  });
  std::cout << "\n  ]\n}";
}

void write_csv(const TileListing& listing, const TileList& list, bool with_header) {
  each_chunk(listing, list, [&](const nlohmann::ordered_json& rows, bool is_first) {
    auto full = nlohmann::ordered_json::array();
    for (const auto& row : rows) {
      nlohmann::ordered_json one = {{"file", listing.chosen.file_path},
                                    {"module_number", listing.chosen.module_number},
                                    {"kernel", listing.chosen.name()},
                                    {"machine", listing.machine.id},
                                    {"machine_hash", listing.machine.hash.hex()},
                                    {"source", "simulated"}};
      one.update(row);
      full.push_back(std::move(one));
    }
    std::cout << json_rows_csv(full, with_header && is_first);
  });
}

void list_tiles(TileListing& listing, ThreadPool& pool, bool is_first) {
  const SimulateOptions& options = listing.options;
  const bool as_text = !options.json && !options.csv;
  const size_t most = options.limit == 0 && as_text ? kSimulatedTilesShown : options.limit;
  TileLister lister(listing.chosen, listing.rates, most, pool);
  const TileList list =
      options.sample > 0 ? lister.sample(options.sample, options.seed) : lister.all();
  if (options.json) {
    if (!is_first) std::cout << ",\n";
    write_json(listing, lister, list);
  } else if (options.csv) {
    write_csv(listing, list, is_first);
  } else {
    std::cout << (is_first ? "" : "\n") << to_text(listing, lister, list);
  }
}

// The number of tiles that fit, or why they are not listed.
Result<double> listable(const ChosenKernel& chosen, const sim::Rates& rates,
                        const SimulateOptions& options) {
  if (chosen.model.kind != sim::KernelKind::kTiled) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("it is not cut in tiles ({})", kind_name(chosen.model.kind)),
                "leave out --all-tiles");
  }
  HLOSCOPE_ASSIGN(const double count,
                  sim::TileSpace(chosen.model, rates).count(terminal_progress()));
  if (count > kMostTiles && options.sample == 0 && options.limit == 0) {
    return fail(too_many_tiles(count,
                               "--sample 10000 --seed 1 simulates some at random; --limit N "
                               "simulates all, which can take long, and keeps the N fastest"));
  }
  return count;
}

}  // namespace

void simulate_tiles(const SimulateOptions& options, int& exit_code) {
  const auto machine = load_machine(options.machine, exit_code);
  if (!machine) return;
  const sim::Rates rates(*machine);
  ThreadPool pool;
  bool is_first = true;
  if (options.json) std::cout << "[";
  for (const ChosenKernel& chosen : choose_kernels(options, options.kernel, exit_code)) {
    const Result<double> count = listable(chosen, rates, options);
    if (!count) {
      print_error(chosen.located(count.error()));
      exit_code = kBadInput;
      continue;
    }
    TileListing listing{options, chosen, *machine, rates, *count};
    list_tiles(listing, pool, is_first);
    is_first = false;
  }
  if (options.json) std::cout << "]\n";
}

}  // namespace hloscope::cli
