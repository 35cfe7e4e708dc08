#include "app/cli/kernel_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "app/cli/commands.h"
#include "core/hlo/similar.h"
#include "core/predict/tile_ranking.h"

namespace hloscope::cli {

namespace {

constexpr size_t kMostNames = 5;

// The kernels of all modules, and which of them match.
struct Search {
  std::vector<ChosenKernel> found;
  std::vector<std::string> names;  // Of all kernels.
  std::string inside;              // The kernel that an instruction of that name is a part of.
  bool is_raw_kernel = false;      // Without own fusion there is a kernel of that name.
};

std::string_view without_percent(std::string_view name) {
  return name.starts_with('%') ? name.substr(1) : name;
}

bool matches(const hlo::Program& program, const graph::Kernel& kernel, std::string_view wanted) {
  const std::string_view name = program[kernel.instruction].name;
  if (name == wanted) return true;
  const std::string_view computation = program[kernel.computation].name;
  return wanted.size() == computation.size() + 1 + name.size() && wanted.starts_with(computation) &&
         wanted[computation.size()] == '/' && wanted.ends_with(name);
}

/// A module of a file as it is shown.
struct Shown {
  const LoadedFile& file;
  size_t index;
  analysis::ShownModule module;
  graph::KernelList kernels;

  Shown(const LoadedFile& of, size_t number, const InputOptions& options)
      : file(of),
        index(number),
        module(show_module(of, number, options.kernel_choice())),
        kernels(graph::kernels(*module.module.program)) {}
};

ChosenKernel choose(const Shown& shown, graph::KernelId id) {
  const auto& [file, index, module, kernels] = shown;
  ChosenKernel chosen;
  chosen.file_path = file.file.path;
  chosen.module_number = file.first + static_cast<int>(index);
  chosen.file = chosen.module_number == 1
                    ? chosen.file_path
                    : fmt::format("{}#{}", chosen.file_path, chosen.module_number);
  chosen.module = module.module;
  chosen.origin = module.origin;
  chosen.kernel = kernels.kernels[id];
  chosen.is_only_kernel =
      kernels.kernels.size() == 1 && module.origin != analysis::KernelOrigin::kOwnFusion;
  return chosen;
}

bool has_kernel(const hlo::Program& program, std::string_view wanted) {
  const graph::KernelList kernels = graph::kernels(program);
  return std::any_of(kernels.kernels.begin(), kernels.kernels.end(),
                     [&](const graph::Kernel& kernel) { return matches(program, kernel, wanted); });
}

void search_module(const Shown& shown, std::string_view wanted, Search& search) {
  const hlo::Program& program = *shown.module.module.program;
  const graph::KernelList& kernels = shown.kernels;
  const bool is_fused = shown.module.origin == analysis::KernelOrigin::kOwnFusion;
  const size_t found_before = search.found.size();
  for (uint32_t k = 0; k < kernels.kernels.size(); ++k) {
    const graph::Kernel& kernel = kernels.kernels[graph::KernelId(k)];
    search.names.emplace_back(program[kernel.instruction].name);
    if (matches(program, kernel, wanted)) {
      search.found.push_back(choose(shown, graph::KernelId(k)));
    }
  }
  if (search.found.size() == found_before && is_fused) {
    search.is_raw_kernel |= has_kernel(*shown.module.original, wanted);
  }
  for (hlo::InstructionId id : program.instructions()) {
    if (program[id].name != wanted || !kernels.kernel_of[id].valid()) continue;
    search.inside = program[kernels.kernels[kernels.kernel_of[id]].instruction].name;
  }
}

std::vector<std::string> similar_names(std::string_view wanted,
                                       const std::vector<std::string>& names) {
  std::vector<std::string_view> left(names.begin(), names.end());
  std::sort(left.begin(), left.end());
  left.erase(std::unique(left.begin(), left.end()), left.end());
  std::vector<std::string> out;
  while (out.size() < kMostNames) {
    const auto best = hlo::most_similar(wanted, left);
    if (!best) break;
    out.emplace_back(*best);
    left.erase(std::find(left.begin(), left.end(), *best));
  }
  for (std::string_view name : left) {
    if (out.size() == kMostNames) break;
    if (name.find(wanted) != std::string_view::npos) out.emplace_back(name);
  }
  return out;
}

Error not_found(std::string_view wanted, const Search& search) {
  Error error;
  error.code = ErrorCode::kNotFound;
  error.message = fmt::format("no kernel is called '{}'", wanted);
  const std::vector<std::string> similar = similar_names(wanted, search.names);
  if (!search.inside.empty()) {
    error.hint = fmt::format("'{}' is a part of the kernel {}{}", wanted, search.inside,
                             search.is_raw_kernel ? "; with --raw it is a kernel" : "");
  } else if (search.is_raw_kernel) {
    error.hint = fmt::format("own fusion has no '{}'; with --raw it is a kernel", wanted);
  } else if (!similar.empty()) {
    error.hint = fmt::format("there are {}", fmt::join(similar, ", "));
  } else {
    error.hint = "'hloscope-cli kernels FILE' lists the kernels";
  }
  return error;
}

Error not_unique(std::string_view wanted, const std::vector<ChosenKernel>& found) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = fmt::format("{} kernels are called '{}'", found.size(), wanted);
  std::vector<std::string> places;
  for (const ChosenKernel& one : found) {
    if (places.size() == kMostNames) break;
    places.push_back(fmt::format("{}/{} in {}", one.computation(), one.name(), one.file));
  }
  error.hint = fmt::format("name it as COMPUTATION/NAME, its module as FILE#N: {}{}",
                           fmt::join(places, ", "), found.size() > places.size() ? ", ..." : "");
  return error;
}

void only_kernel(const Shown& shown, Search& search, int& exit_code) {
  if (shown.kernels.kernels.size() == 1) {
    search.found.push_back(choose(shown, graph::KernelId(0U)));
    return;
  }
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = fmt::format("module {} of {} has {} kernels",
                              shown.file.first + static_cast<int>(shown.index),
                              shown.file.file.path, shown.kernels.kernels.size());
  error.hint = "say which one with --kernel; 'hloscope-cli kernels FILE' lists them";
  print_error(error);
  exit_code = kBadInput;
}

}  // namespace

std::string ChosenKernel::name() const {
  return std::string((*module.program)[kernel.instruction].name);
}

std::string ChosenKernel::computation() const {
  return std::string((*module.program)[kernel.computation].name);
}

Error ChosenKernel::located(Error error) const {
  error.message = fmt::format("{}: kernel {}: {}", file, name(), error.message);
  if (error.hint.empty()) {
    error.hint =
        fmt::format("'hloscope-cli tiles {} --kernel {}' lists loops and ranges", file, name());
  }
  return error;
}

std::vector<ChosenKernel> choose_kernels(const InputOptions& options, const std::string& name,
                                         int& exit_code) {
  const std::string_view wanted = without_percent(name);
  Search search;
  size_t modules = 0;
  for (const std::string& address : options.files) {
    const Result<LoadedFile> file = load(address);
    if (!file) {
      print_error(file.error());
      exit_code = kBadInput;
      continue;
    }
    for (size_t i = 0; i < file->file.modules.size(); ++i, ++modules) {
      const Shown shown(*file, i, options);
      if (name.empty()) {
        only_kernel(shown, search, exit_code);
      } else {
        search_module(shown, wanted, search);
      }
    }
  }
  if (!name.empty() && modules > 0 && search.found.size() != 1) {
    print_error(search.found.empty() ? not_found(wanted, search)
                                     : not_unique(wanted, search.found));
    exit_code = kBadInput;
    return {};
  }
  for (ChosenKernel& one : search.found) {
    one.model = sim::kernel_model(*one.module.program, one.kernel.instruction);
  }
  return std::move(search.found);
}

MeasuredTiles measured_tiles(const ChosenKernel& chosen) {
  if (!chosen.is_only_kernel) return {};
  return accuracy::measured_tiles(chosen.model, chosen.module.runs);
}

std::string simulated_line(const sim::Machine& machine) {
  return fmt::format("simulated, not measured; {} ({}, hash {})", machine.title, machine.id,
                     machine.hash.hex());
}

std::string_view kind_name(sim::KernelKind kind) {
  return kind == sim::KernelKind::kTiled ? "tiled" : predict::untiled_name(kind);
}

std::vector<std::string> assumed_constants(const sim::Machine& machine, sim::KernelKind kind) {
  const auto is_used = [kind](std::string_view name) {
    const bool link = name.starts_with("link_");
    const bool host = name.starts_with("host_");
    if (kind == sim::KernelKind::kTiled) return !link && !host;
    if (kind == sim::KernelKind::kFree) return false;
    if (name == "launch_ns") return true;
    if (kind == sim::KernelKind::kOpaque || kind == sim::KernelKind::kDma) {
      return name.starts_with("hbm_") || name == "dma_latency_ns";
    }
    return kind == sim::KernelKind::kCollective ? link : host;
  };
  std::vector<std::string> names;
  for (const auto& [name, constant] : machine.constants) {
    if (constant.is_assumed() && is_used(name)) names.push_back(name);
  }
  return names;
}

}  // namespace hloscope::cli
