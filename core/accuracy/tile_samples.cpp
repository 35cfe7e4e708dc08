#include "core/accuracy/tile_samples.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

#include "core/accuracy/prediction.h"
#include "core/graph/kernels.h"

namespace hloscope::accuracy {

namespace {

bool has_run(const hlo::Module& module, const measured::TileRow& row) {
  for (const hlo::MeasuredRun& run : module.runs) {
    if (run.run_index == row.run_index) {
      return static_cast<double>(run.time_ns) == std::round(row.time_ns);
    }
  }
  return false;
}

class Joiner {
 public:
  explicit Joiner(std::span<const hlo::Module> modules)
      : modules_(modules), kernel_of_(modules.size()) {
    for (size_t m = 0; m < modules.size(); ++m) {
      by_name_[std::string(modules[m].program->name())].push_back(m);
    }
  }

  TileSamples run(std::span<const measured::TileRow> rows) {
    for (size_t r = 0; r < rows.size(); ++r) {
      const measured::TileRow& row = rows[r];
      if (row.output_bounds.empty() && row.kernel_bounds.empty()) {
        ++out_.rows_without_bounds;
        continue;
      }
      Result<TileSample> sample = join(row);
      if (sample) {
        sample->row = static_cast<uint32_t>(r);
        out_.samples.push_back(std::move(*sample));
      } else {
        out_.invalid.push_back({row.module_name, row.run_index, sample.error().message});
      }
    }
    return std::move(out_);
  }

 private:
  Result<TileSample> join(const measured::TileRow& row) {
    HLOSCOPE_ASSIGN(const size_t module, module_of(row));
    const hlo::ProgramPtr& program = modules_[module].program;
    HLOSCOPE_ASSIGN(const hlo::InstructionId instruction, only_kernel(*program));
    const sim::Tile tile{row.output_bounds, row.kernel_bounds};
    if (kernel_of_[module]) {
      const sim::KernelModel& model = out_.kernels[*kernel_of_[module]].model;
      HLOSCOPE_ASSIGN(auto bounds, sim::loop_bounds(model, tile));
      return TileSample{*kernel_of_[module], 0, std::move(bounds), row.time_ns};
    }
    TileKernel kernel{display_name(module), graph::canonical_hash(*program, instruction), program,
                      sim::kernel_model(*program, instruction)};
    HLOSCOPE_ASSIGN(auto bounds, sim::loop_bounds(kernel.model, tile));
    kernel_of_[module] = static_cast<uint32_t>(out_.kernels.size());
    out_.kernels.push_back(std::move(kernel));
    return TileSample{*kernel_of_[module], 0, std::move(bounds), row.time_ns};
  }

  Result<size_t> module_of(const measured::TileRow& row) const {
    const auto found = by_name_.find(row.module_name);
    if (found == by_name_.end()) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("no module is called \"{}\"", row.module_name));
    }
    if (found->second.size() == 1) return found->second.front();
    std::vector<size_t> owners;
    for (size_t m : found->second) {
      if (has_run(modules_[m], row)) owners.push_back(m);
    }
    if (owners.size() == 1) return owners.front();
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} modules are called \"{}\", and their runs do not tell which of "
                            "them the row belongs to",
                            found->second.size(), row.module_name));
  }

  std::string display_name(size_t module) const {
    const std::string name(modules_[module].program->name());
    return by_name_.at(name).size() == 1 ? name : fmt::format("{}#{}", name, module + 1);
  }

  std::span<const hlo::Module> modules_;
  std::map<std::string, std::vector<size_t>> by_name_;
  std::vector<std::optional<uint32_t>> kernel_of_;  // Of modules that have a sample.
  TileSamples out_;
};

}  // namespace

TileSamples join_tiles(std::span<const measured::TileRow> rows,
                       std::span<const hlo::Module> modules) {
  return Joiner(modules).run(rows);
}

}  // namespace hloscope::accuracy
