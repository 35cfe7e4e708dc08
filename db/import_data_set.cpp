#include "db/import_data_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/folder_files.h"
#include "core/data/split.h"
#include "db/given_name.h"
#include "db/new_file.h"

namespace hloscope::db {

namespace {

namespace fs = std::filesystem;

// Files of a transaction: with one each, ten thousand small files wait for the disk most of the
// time.
constexpr size_t kFilesPerWriting = 200;
constexpr std::array<std::string_view, 3> kMeasuredEndings{".npz", ".pb", ".csv"};
constexpr std::array<std::string_view, 3> kProgramEndings{".hlo", ".txt", ".pb"};

Result<std::vector<std::string>> files_of(const ImportOrder& order) {
  const std::span<const std::string_view> endings =
      order.compiler_machine ? std::span(kProgramEndings) : std::span(kMeasuredEndings);
  const auto is_wanted = [endings](const std::string& path) {
    return std::any_of(endings.begin(), endings.end(),
                       [&path](auto ending) { return path.ends_with(ending); });
  };
  std::vector<std::string> out;
  for (const std::string& path : order.paths) {
    std::error_code code;
    if (fs::is_directory(path, code)) {
      HLOSCOPE_ASSIGN(const std::vector<std::string> found, files_below(path));
      std::copy_if(found.begin(), found.end(), std::back_inserter(out), is_wanted);
    } else {
      out.push_back(path);
    }
  }
  if (!out.empty()) return out;
  return fail(ErrorCode::kNotFound, "there is no file to import in what was given",
              fmt::format("folders are searched for files ending in {}, {} and {}", endings[0],
                          endings[1], endings[2]));
}

Status import_file(const std::string& path, const ImportOrder& order, const Progress& progress,
                   const data::ImportSink& sink, data::ImportReport& report) {
  data::ImportOptions options{order.device, progress};
  if (order.compiler_machine) {
    return data::import_compiler_times(path, *order.compiler_machine, options, sink, report);
  }
  if (order.profiled_program) {
    return data::import_hlo_stats(path, *order.profiled_program, options, sink, report);
  }
  HLOSCOPE_ASSIGN(const data::ImportKind kind, data::find_import_kind(path));
  switch (kind) {
    case data::ImportKind::kTpuGraph:
      return data::import_tpugraph(path, options, sink, report);
    case data::ImportKind::kTimes:
      return data::import_times(path, options, sink, report);
    case data::ImportKind::kHlo:
      return data::import_tuning(path, options, sink, report);
    case data::ImportKind::kHloStats:
      break;
  }
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.file = path;
  error.message = "is a table of HLO ops; the program that ran is missing";
  error.hint = "give it with --program FILE";
  return fail(std::move(error));
}

void add_report(data::ImportReport& to, data::ImportReport&& from) {
  to.duplicates += from.duplicates;
  to.failed += from.failed;
  to.too_short += from.too_short;
  to.without_choice += from.without_choice;
  to.graphs_left_out += from.graphs_left_out;
  for (Error& warning : from.warnings) to.warnings.push_back(std::move(warning));
  for (std::string& note : from.notes) to.notes.push_back(std::move(note));
}

// The file that is made, and what has gone into it.
class Importer {
 public:
  Importer(Database database, const ImportOrder& order)
      : database_(std::move(database)), order_(order) {}

  Status add_files(const std::vector<std::string>& files, const Progress& progress) {
    for (size_t i = 0; i < files.size(); ++i) {
      const double share = 1 / static_cast<double>(files.size());
      const double done = static_cast<double>(i) * share;
      progress.report(done, files[i]);
      if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
      if (i % kFilesPerWriting == 0) HLOSCOPE_TRY(next_writing());
      HLOSCOPE_TRY(add_file(files[i], progress.part(done, done + share)));
    }
    return {};
  }

  Result<ImportSummary> finish() {
    if (!has_info_) {
      return fail(
          ErrorCode::kInvalidInput, "nothing is left to import",
          out_.bad.empty() ? "no file has a graph with a time" : out_.bad.front().headline());
    }
    HLOSCOPE_TRY(put_published_split());
    HLOSCOPE_TRY(sets_.finish());
    HLOSCOPE_TRY(writing_->commit());
    HLOSCOPE_ASSIGN(out_.counts, sets_.counts());
    out_.report.duplicates += given_ - out_.counts.samples;
    out_.programs = static_cast<int64_t>(program_parts_.size());
    return std::move(out_);
  }

 private:
  Status next_writing() {
    if (writing_) HLOSCOPE_TRY(writing_->commit());
    writing_.reset();
    HLOSCOPE_ASSIGN(Writing writing, Writing::begin(database_));
    writing_.emplace(std::move(writing));
    return {};
  }

  // A file is taken as a whole or not at all.
  Status add_file(const std::string& path, const Progress& progress) {
    std::vector<data::ImportedGraph> graphs;
    data::ImportReport report;
    const auto sink = [&graphs, &progress](data::ImportedGraph graph) -> Status {
      graphs.push_back(std::move(graph));
      if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
      return {};
    };
    if (auto status = import_file(path, order_, progress, sink, report); !status) {
      Error error = std::move(status).error();
      if (error.code == ErrorCode::kCancelled) return fail(std::move(error));
      if (error.file.empty()) error.file = path;
      if (!order_.skip_bad) return fail(std::move(error));
      out_.bad.push_back(std::move(error));
      return {};
    }
    ++out_.files;
    add_report(out_.report, std::move(report));
    for (data::ImportedGraph& graph : graphs) HLOSCOPE_TRY(add(graph, path));
    return {};
  }

  Status add(data::ImportedGraph& one, const std::string& path) {
    if (has_info_) {
      HLOSCOPE_TRY(check_same(one, path));
    } else {
      HLOSCOPE_TRY(begin(one, path));
    }
    HLOSCOPE_ASSIGN(const uint32_t program, sets_.put_program(one.program));
    HLOSCOPE_ASSIGN(const GraphRow graph, sets_.put_graph(one.graph, 0, one.samples));
    HLOSCOPE_TRY(sets_.add_sighting({graph, program, 1, one.executions}));
    given_ += static_cast<int64_t>(one.samples.size());
    if (program == program_parts_.size()) program_parts_.push_back(one.part);
    if (program_parts_[program] != one.part) program_parts_[program] = std::nullopt;
    meetings_.push_back({program, position(graph)});
    return {};
  }

  Status begin(const data::ImportedGraph& first, const std::string& path) {
    out_.info.name = order_.name;
    out_.info.settings = order_.settings;
    out_.info.task = first.task;
    out_.info.target = first.target;
    first_file_ = path;
    has_info_ = true;
    return sets_.create(out_.info, {});
  }

  Status check_same(const data::ImportedGraph& one, const std::string& path) const {
    std::string what;
    if (one.task != out_.info.task) {
      what = fmt::format("is of the task {}, but {} of the task {}", data::name(one.task),
                         first_file_, data::name(out_.info.task));
    } else if (one.target != out_.info.target) {
      what = fmt::format("has times that are {}, but {} has times that are {}", one.target.label(),
                         first_file_, out_.info.target.label());
    } else {
      return {};
    }
    Error error;
    error.code = ErrorCode::kInvalidInput;
    error.file = path;
    error.message = std::move(what);
    error.hint = "one data set has one task and one target: import them into two files";
    if (one.task == out_.info.task)
      error.hint += ", or say with --device what both were measured on";
    return fail(std::move(error));
  }

  // Where one program is in several parts, or a file says none, there is no such split.
  Status put_published_split() {
    data::Split split;
    split.name = kPublishedSplit;
    split.settings = R"({"method":"published"})";
    for (const std::optional<data::Part>& part : program_parts_) {
      if (!part) return {};
      split.programs.push_back(*part);
    }
    HLOSCOPE_ASSIGN(const int64_t count, sets_.graph_count());
    split.graphs = data::graph_parts(split.programs, static_cast<size_t>(count), meetings_).parts;
    out_.has_published_split = true;
    return sets_.put_split(split);
  }

  Database database_;
  DataSets sets_{database_};
  const ImportOrder& order_;
  std::optional<Writing> writing_;
  ImportSummary out_;
  bool has_info_ = false;
  std::string first_file_;
  int64_t given_ = 0;
  std::vector<std::optional<data::Part>> program_parts_;
  std::vector<data::Meeting> meetings_;
};

}  // namespace

Result<ImportSummary> import_data_set(const ImportOrder& order, const fs::path& to,
                                      const Progress& progress) {
  // A name that the file has got is as good as the file.
  if (order.name != to.stem().string()) HLOSCOPE_TRY(check_given_name("data set", order.name));
  HLOSCOPE_ASSIGN(const std::vector<std::string> files, files_of(order));
  HLOSCOPE_ASSIGN(NewFile file, NewFile::begin(to));
  const auto write = [&]() -> Result<ImportSummary> {
    HLOSCOPE_ASSIGN(Database database, Database::open(file.path()));
    Importer importer(std::move(database), order);
    HLOSCOPE_TRY(importer.add_files(files, progress));
    return importer.finish();
  };
  Result<ImportSummary> out = write();
  if (!out) return fail(file.named(std::move(out).error()));
  HLOSCOPE_TRY(file.commit());
  return out;
}

}  // namespace hloscope::db
