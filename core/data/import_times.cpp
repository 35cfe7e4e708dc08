#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/data/import.h"
#include "core/data/import_rules.h"
#include "core/data/least_times.h"
#include "core/data/times_table.h"
#include "core/hlo/similar.h"
#include "core/sim/kernel_model.h"

namespace hloscope::data {

namespace {

// Rows of one program, in the order of the file.
struct ProgramRows {
  std::string program;
  std::vector<const TimesRow*> rows;
};

std::vector<ProgramRows> by_program(const TimesTable& table) {
  std::vector<ProgramRows> out;
  std::map<std::string_view, size_t> place;
  for (const TimesRow& row : table.rows) {
    const auto [at, is_new] = place.try_emplace(row.program, out.size());
    if (is_new) out.push_back({row.program, {}});
    out[at->second].rows.push_back(&row);
  }
  return out;
}

// The kernels of a program, as rows name them.
class NamedKernels {
 public:
  explicit NamedKernels(const hlo::Program& program)
      : list_(graph::kernels(program)), executions_(list_.distinct.size(), 0.0) {
    for (uint32_t k = 0; k < list_.kernels.size(); ++k) {
      const graph::KernelId id(k);
      const graph::Kernel& kernel = list_.kernels[id];
      const std::string_view name = program[kernel.instruction].name;
      by_name_[std::string(name)].push_back(id);
      by_name_[fmt::format("{}/{}", program[kernel.computation].name, name)].push_back(id);
      executions_[list_.distinct_of[id]] += kernel.executions;
    }
  }

  [[nodiscard]] const graph::KernelList& list() const { return list_; }
  /// NAME or COMPUTATION/NAME.
  [[nodiscard]] std::span<const graph::KernelId> called(const std::string& name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return {};
    return found->second;
  }
  /// Of all kernels that are equal to this one.
  [[nodiscard]] double executions(uint32_t distinct) const { return executions_[distinct]; }

 private:
  graph::KernelList list_;
  std::unordered_map<std::string, std::vector<graph::KernelId>> by_name_;
  std::vector<double> executions_;  // By distinct kernel.
};

class TimesImport {
 public:
  TimesImport(const TimesTable& table, const ImportOptions& options, const ImportSink& sink,
              ImportReport& report)
      : table_(table),
        options_(options),
        sink_(sink),
        report_(report),
        has_tiles_(table.has_tiles()) {}

  Status program(const ProgramRows& rows, const Target& target) {
    HLOSCOPE_TRY(read(rows));
    kernels_.emplace(*module_.program);
    std::vector<Found> found;
    std::map<uint32_t, size_t> place;  // Of a distinct kernel in `found`.
    for (const TimesRow* row : rows.rows) {
      HLOSCOPE_ASSIGN(const graph::KernelId kernel, find(*row));
      const uint32_t distinct = kernels_->list().distinct_of[kernel];
      const auto [at, is_new] = place.try_emplace(distinct, found.size());
      if (is_new) found.push_back(begin(distinct));
      add(*row, found[at->second]);
    }
    for (Found& one : found) HLOSCOPE_TRY(give(one, target));
    return {};
  }

 private:
  struct Found {
    graph::KernelId kernel;
    double executions = 0;
    sim::KernelModel model;
    LeastTimes times;
    std::optional<double> default_ns;
  };

  Status read(const ProgramRows& rows) {
    namespace fs = std::filesystem;
    const std::string path =
        (fs::path(table_.csv.file).parent_path() / rows.program).lexically_normal().string();
    auto modules = read_modules(path, report_.warnings, options_.progress);
    const TimesRow& first = *rows.rows.front();
    if (!modules) {
      if (modules.error().code != ErrorCode::kNotFound) return fail(std::move(modules).error());
      return fail(table_.error_at(first, table_.program_column,
                                  fmt::format("cannot read {}: {}", path, modules.error().message),
                                  "paths count from the folder of this file"));
    }
    if (modules->size() != 1) {
      return fail(table_.error_at(first, table_.program_column,
                                  fmt::format("{} has {} modules", rows.program, modules->size()),
                                  "name one as FILE#N"));
    }
    module_ = std::move(modules->front());
    return {};
  }

  Result<graph::KernelId> find(const TimesRow& row) const {
    if (row.kernel.empty()) {
      const size_t count = kernels_->list().kernels.size();
      if (count == 1) return graph::KernelId(0U);
      return fail(table_.error_at(row, table_.kernel_column,
                                  fmt::format("{} has {} kernels", row.program, count),
                                  "name one in the column 'kernel'"));
    }
    const std::span<const graph::KernelId> found = kernels_->called(row.kernel);
    if (found.size() == 1) return found.front();
    if (!found.empty()) {
      return fail(table_.error_at(
          row, table_.kernel_column,
          fmt::format("{} kernels of {} are called '{}'", found.size(), row.program, row.kernel),
          "name it as COMPUTATION/NAME"));
    }
    return fail(
        table_.error_at(row, table_.kernel_column,
                        fmt::format("no kernel of {} is called '{}'", row.program, row.kernel),
                        similar_hint(row.kernel)));
  }

  std::string similar_hint(const std::string& name) const {
    std::vector<std::string_view> names;
    for (const graph::Kernel& kernel : kernels_->list().kernels) {
      names.push_back((*module_.program)[kernel.instruction].name);
    }
    const auto similar = hlo::most_similar(name, names);
    return similar ? fmt::format("there is {}", *similar)
                   : "'hloscope-cli kernels FILE' lists the kernels";
  }

  Found begin(uint32_t distinct) const {
    Found out;
    out.kernel = kernels_->list().distinct[distinct];
    out.executions = kernels_->executions(distinct);
    if (has_tiles_) {
      const graph::Kernel& kernel = kernels_->list().kernels[out.kernel];
      out.model = sim::kernel_model(*module_.program, kernel.instruction);
    }
    return out;
  }

  void add(const TimesRow& row, Found& found) {
    if (has_tiles_ && (row.is_default || !row.tile)) {
      found.default_ns = std::min(found.default_ns.value_or(row.time_ns), row.time_ns);
    }
    if (has_tiles_ && !row.tile) {
      ++report_.without_choice;
      return;
    }
    Sample sample;
    sample.time_ns = row.time_ns;
    sample.is_default = row.is_default;
    if (row.tile) {
      sample.configuration = {row.tile->kernel, row.tile->output, {}};
      warn_of_stranger(row, found);
    }
    found.times.add(std::move(sample));
  }

  void warn_of_stranger(const TimesRow& row, const Found& found) {
    const auto bounds = sim::loop_bounds(found.model, *row.tile);
    if (bounds || ++strangers_ > kMostStrangers) return;
    report_.warnings.push_back(table_.error_at(
        row, table_.tile_column,
        fmt::format("no tile of this kernel as hloscope knows it: {}", bounds.error().message),
        "it is taken as it is"));
  }

  Status give(Found& found, const Target& target) {
    const graph::Kernel& kernel = kernels_->list().kernels[found.kernel];
    ImportedGraph out;
    out.task = has_tiles_ ? Task::kTile : Task::kFusion;
    out.target = target;
    out.program = module_.source;
    out.executions = found.executions;
    HLOSCOPE_ASSIGN(out.graph, kernel_record(*module_.program, kernel));
    report_.duplicates += found.times.duplicates();
    out.samples = std::move(found.times.samples());
    for (Sample& sample : out.samples) sample.normalizer_ns = found.default_ns;
    if (!out.samples.empty()) return sink_(std::move(out));
    ++report_.graphs_left_out;
    return {};
  }

  static constexpr size_t kMostStrangers = 3;
  const TimesTable& table_;
  const ImportOptions& options_;
  const ImportSink& sink_;
  ImportReport& report_;
  bool has_tiles_ = false;
  size_t strangers_ = 0;
  AddressedModule module_;
  std::optional<NamedKernels> kernels_;  // Of module_.
};

}  // namespace

Status import_times(const std::string& path, const ImportOptions& options, const ImportSink& sink,
                    ImportReport& report) {
  HLOSCOPE_ASSIGN(const TimesTable table, read_times(path));
  report.warnings.insert(report.warnings.end(), table.warnings.begin(), table.warnings.end());
  std::string device = options.device.empty() ? table.device : options.device;
  if (device.empty()) device = "device not stated";
  Target target = measured_target(device);
  target.repeats = table.repeats;
  TimesImport importer(table, options, sink, report);
  for (const ProgramRows& rows : by_program(table)) HLOSCOPE_TRY(importer.program(rows, target));
  return {};
}

}  // namespace hloscope::data
