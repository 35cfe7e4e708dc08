#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/data/import.h"
#include "core/data/import_rules.h"
#include "core/data/least_times.h"
#include "core/data/packed_graph.h"
#include "core/data/program_list.h"
#include "core/data/target_file.h"
#include "core/data/tpugraphs.h"

namespace hloscope::data {

namespace {

// Shorter digits are numbers of the model's own name.
constexpr size_t kLeastHashDigits = 10;

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// Without "_HASH"; hashes may have a sign.
std::string_view without_hash(std::string_view name) {
  const size_t at = name.rfind('_');
  if (at == std::string_view::npos || at == 0) return name;
  std::string_view digits = name.substr(at + 1);
  if (digits.starts_with('-')) digits.remove_prefix(1);
  return digits.size() >= kLeastHashDigits && is_hex(digits) ? name.substr(0, at) : name;
}

bool take_word(std::string_view& name, std::string_view word) {
  if (!name.starts_with(word) || name.size() <= word.size() || name[word.size()] != '_') {
    return false;
  }
  name.remove_prefix(word.size() + 1);
  return true;
}

// Takes "tile_xla_train_" and the like from the front.
std::optional<Part> take_collection(std::string_view& name) {
  std::string_view rest = name;
  if (!take_word(rest, "tile") && !take_word(rest, "layout")) return std::nullopt;
  if (!take_word(rest, "xla") && !take_word(rest, "nlp")) return std::nullopt;
  if (!take_word(rest, "random")) (void)take_word(rest, "default");
  for (const Part part : {Part::kTrain, Part::kValid, Part::kTest}) {
    if (!take_word(rest, data::name(part))) continue;
    name = rest;
    return part;
  }
  return std::nullopt;
}

SourceProgram program_of(const std::string& path, std::string name, Task task) {
  SourceProgram out;
  out.hash = Hasher().add("TpuGraphs").add(data::name(task)).add(name).digest();
  out.family = family_of(name);
  out.name = std::move(name);
  out.file_path = path;
  return out;
}

Error in_file(const std::string& path, Error error) {
  if (error.file.empty()) error.file = path;
  return error;
}

Status add_samples(const TpuGraph& graph, LeastTimes& times, ImportReport& report) {
  for (size_t i = 0; i < graph.configurations(); ++i) {
    HLOSCOPE_ASSIGN(Configuration configuration, configuration_of(graph, i));
    if (graph.runtimes_ns[i] < kLeastTimeNs) {
      ++report.too_short;
      continue;
    }
    Sample sample;
    sample.configuration = std::move(configuration);
    sample.time_ns = static_cast<double>(graph.runtimes_ns[i]);
    if (!graph.normalizers_ns.empty() && graph.normalizers_ns[i] > 0) {
      sample.normalizer_ns = static_cast<double>(graph.normalizers_ns[i]);
    }
    times.add(std::move(sample));
  }
  return {};
}

}  // namespace

TpuGraphsName tpugraphs_name(const std::string& path, Task task) {
  const std::filesystem::path file(path);
  const std::string stem = file.stem().string();
  std::string_view name = stem;
  TpuGraphsName out;
  out.part = take_collection(name);
  if (!out.part) out.part = find_part(file.parent_path().filename().string());
  out.program = task == Task::kTile ? without_hash(name) : name;
  return out;
}

Status import_tpugraph(const std::string& path, const ImportOptions& options,
                       const ImportSink& sink, ImportReport& report) {
  HLOSCOPE_ASSIGN(const TpuGraph graph, read_tpugraph(path));
  ImportedGraph out;
  out.task = graph.collection == TpuGraph::Collection::kTile ? Task::kTile : Task::kLayout;
  HLOSCOPE_ASSIGN(const std::optional<Target> written, target_beside(path));
  out.target =
      written.value_or(measured_target(options.device.empty() ? kTpuGraphsDevice : options.device));
  TpuGraphsName name = tpugraphs_name(path, out.task);
  out.part = name.part;
  out.program = program_of(path, std::move(name.program), out.task);
  out.graph.form = GraphForm::kTpuGraph;
  out.graph.content = pack_graph(graph);
  out.graph.hash = hash128(out.graph.content);
  out.graph.label = std::filesystem::path(path).stem().string();
  out.graph.node_count = static_cast<int64_t>(graph.nodes());
  if (graph.has_runtimes()) {
    LeastTimes times;
    if (auto status = add_samples(graph, times, report); !status) {
      return fail(in_file(path, std::move(status).error()));
    }
    report.duplicates += times.duplicates();
    out.samples = std::move(times.samples());
  } else {
    Error warning;
    warning.file = path;
    warning.message = "has no runtimes: the graph comes without samples";
    report.warnings.push_back(std::move(warning));
  }
  return sink(std::move(out));
}

}  // namespace hloscope::data
