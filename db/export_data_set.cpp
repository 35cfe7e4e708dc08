#include "db/export_data_set.h"

#include <fmt/format.h>
#include <stdlib.h>  // mkdtemp

#include <algorithm>
#include <cerrno>
#include <optional>
#include <unordered_set>

#include "core/base/write_file.h"
#include "core/data/export_tpugraph.h"
#include "core/data/target_file.h"

namespace hloscope::db {

namespace {

namespace fs = std::filesystem;

constexpr size_t kHashDigits = 16;

// A new folder that takes the place of `target` when all is in it.
class NewFolder {
 public:
  static Result<NewFolder> begin(const fs::path& target) {
    NewFolder out(target);
    std::error_code code;
    const auto is_absent = [&code](const fs::path& at) {
      return fs::symlink_status(at, code).type() == fs::file_type::not_found;
    };
    for (fs::path at = target.parent_path(); !at.empty() && is_absent(at); at = at.parent_path()) {
      out.parents_.push_back(at);
    }
    fs::create_directories(target.parent_path(), code);
    if (code) return fail(cannot_write(target, code.value()));
    std::string name = temporary_beside(target.string());
    if (mkdtemp(name.data()) == nullptr) return fail(cannot_write(target, errno));
    fs::permissions(name,
                    fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                        fs::perms::others_read | fs::perms::others_exec,
                    code);
    out.path_ = name;
    return out;
  }
  NewFolder(NewFolder&& other) noexcept
      : target_(std::move(other.target_)),
        path_(std::exchange(other.path_, {})),
        parents_(std::exchange(other.parents_, {})) {}
  NewFolder& operator=(NewFolder&&) = delete;
  ~NewFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
    for (const fs::path& parent : parents_) fs::remove(parent, ignored);
  }

  [[nodiscard]] const fs::path& path() const { return path_; }

  Status commit() {
    std::error_code code;
    const fs::path old = path_.string() + ".old";
    const bool replaces = fs::exists(target_, code);
    if (replaces) fs::rename(target_, old, code);
    if (!code) fs::rename(path_, target_, code);
    if (code) return fail(cannot_write(target_, code.value()));
    path_.clear();
    parents_.clear();
    if (replaces) fs::remove_all(old, code);
    return {};
  }

 private:
  explicit NewFolder(fs::path target) : target_(std::move(target)) {}

  fs::path target_;
  fs::path path_;
  std::vector<fs::path> parents_;  ///< Made for it, the innermost first.
};

std::string file_name(std::string_view text) {
  std::string out(text.substr(0, 150));
  for (char& c : out) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-';
    if (!is_plain) c = '_';
  }
  return out.empty() || out.front() == '.' ? "_" + out : out;
}

// The program that a graph was met in first, and how many graphs programs have.
struct Owners {
  std::vector<data::SourceProgram> programs;
  std::vector<uint32_t> of_graph;
  std::vector<int64_t> graphs;  ///< By program.
};

Result<Owners> read_owners(const DataSets& sets, int64_t graph_count) {
  Owners out;
  HLOSCOPE_ASSIGN(out.programs, sets.programs());
  const auto none = static_cast<uint32_t>(out.programs.size());
  out.of_graph.assign(static_cast<size_t>(graph_count), none);
  HLOSCOPE_TRY(sets.each_sighting([&out](const Sighting& sighting) {
    uint32_t& owner = out.of_graph[position(sighting.graph)];
    owner = std::min(owner, sighting.program);
    return true;
  }));
  out.graphs.assign(out.programs.size() + 1, 0);
  for (const uint32_t owner : out.of_graph) ++out.graphs[owner];
  return out;
}

class Exporter {
 public:
  Exporter(const DataSets& sets, data::Task task, fs::path folder)
      : sets_(sets), task_(task), folder_(std::move(folder)) {}

  Status prepare(const std::string& split) {
    HLOSCOPE_ASSIGN(count_, sets_.graph_count());
    if (!split.empty()) {
      HLOSCOPE_ASSIGN(split_, sets_.split(split));
    }
    HLOSCOPE_ASSIGN(owners_, read_owners(sets_, count_));
    for (size_t part = 0; part < data::kPartCount; ++part) {
      std::error_code code;
      fs::create_directories(folder_ / data::name(static_cast<data::Part>(part)), code);
      if (code) return fail(cannot_write(folder_, code.value()));
    }
    return {};
  }

  Status write_all(const Progress& progress) {
    Status status;
    HLOSCOPE_TRY(sets_.each_graph([&](const StoredGraph& graph) {
      const double done = static_cast<double>(position(graph.id)) / static_cast<double>(count_);
      progress.report(done, "writing graphs");
      status = progress.stop_requested() ? fail(ErrorCode::kCancelled, "cancelled") : write(graph);
      return status.has_value();
    }));
    return status;
  }

  ExportSummary summary;

 private:
  Status write(const StoredGraph& graph) {
    HLOSCOPE_ASSIGN(const std::vector<data::Sample> samples, sets_.samples(graph.id));
    if (samples.empty()) {
      ++summary.without_samples;
      return {};
    }
    HLOSCOPE_ASSIGN(const data::TpuGraph out, data::tpugraph_of(graph.record, task_, samples));
    const data::Part part = split_ ? split_->graphs[position(graph.id)] : data::Part::kTrain;
    const fs::path file = folder_ / data::name(part) / (name_of(graph) + ".npz");
    HLOSCOPE_TRY(data::write_tpugraph(file.string(), out));
    ++summary.files[static_cast<size_t>(part)];
    summary.configurations += static_cast<int64_t>(samples.size());
    if (samples.size() == 1) ++summary.one_configuration;
    return {};
  }

  // Unique in the data set.
  std::string name_of(const StoredGraph& graph) {
    const uint32_t owner = owners_.of_graph[position(graph.id)];
    const bool is_known = owner < owners_.programs.size();
    const std::string stem = file_name(is_known ? owners_.programs[owner].name : "graph");
    const std::string hash = graph.record.hash.hex();
    const bool is_whole = task_ == data::Task::kLayout && is_known && owners_.graphs[owner] == 1;
    std::string name = is_whole ? stem : fmt::format("{}_{}", stem, hash.substr(0, kHashDigits));
    if (names_.insert(name).second) return name;
    name = fmt::format("{}_{}", stem, hash);
    names_.insert(name);
    return name;
  }

  const DataSets& sets_;
  data::Task task_;
  fs::path folder_;
  int64_t count_ = 0;
  std::optional<data::Split> split_;
  Owners owners_;
  std::unordered_set<std::string> names_;
};

}  // namespace

Result<ExportSummary> export_tpugraphs(Database& database, const ExportOrder& order,
                                       const Progress& progress) {
  const DataSets sets(database);
  HLOSCOPE_ASSIGN(const data::DataSetInfo info, sets.info());
  // Says why there is no such thing, before anything is made.
  if (info.task == data::Task::kFusion) HLOSCOPE_TRY(data::tpugraph_of({}, info.task, {}));
  const fs::path target =
      order.folder / "npz" / (info.task == data::Task::kTile ? "tile/xla" : "layout/xla/random");
  HLOSCOPE_TRY(check_new(order.folder.string(), true));
  HLOSCOPE_TRY(check_new(target.string(), order.replace));
  HLOSCOPE_ASSIGN(NewFolder folder, NewFolder::begin(target));
  Exporter exporter(sets, info.task, folder.path());
  HLOSCOPE_TRY(exporter.prepare(order.split));
  HLOSCOPE_TRY(exporter.write_all(progress));
  HLOSCOPE_TRY(data::write_target_file(folder.path(), info.target));
  HLOSCOPE_TRY(folder.commit());
  exporter.summary.folder = target;
  return std::move(exporter.summary);
}

}  // namespace hloscope::db
