#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/tune/problem.h"
#include "db/tuning.h"
#include "ui/models/tune_columns.h"

namespace hloscope::ui {

/// A trial that was measured after it was tried.
struct MeasuredTrial {
  uint32_t trial = 0;
  uint32_t order = 0;
  double time_ns = 0;  ///< NaN: it failed.
  double booked_ns = 0;
  double at_s = 0;
  std::string error;
};

/// What does not change while a session runs.
struct SessionFacts {
  bool is_tile = false;
  double space_count = 0;    ///< 0: cannot be counted.
  double best_known_ns = 0;  ///< Of recorded runs; 0: not known.
  size_t recorded = 0;       ///< Recorded runs.
};

/// Some trials of a session, with what stands around them.
struct TrialChunk {
  int64_t session = 0;
  uint64_t from = 0;
  TrialColumns trials;
  std::vector<MeasuredTrial> measured;  ///< All of them, where that was asked for.
  bool has_measured = false;
  bool more = false;  ///< Others follow.
  SessionFacts facts;
};

/// A program that a trial stands for.
struct TunedProgram {
  std::string text;                  ///< HLO.
  std::vector<std::string> changed;  ///< Kernels that the program of the default does not have.
  size_t kernels = 0;
};

enum class ExportFormat { kCsv, kJson, kOptuna };

/// Reads sessions and their trials for the page, on workers, one call at a time: the results file
/// and the spaces that give configurations their text are opened once.
class TrialReader {
 public:
  explicit TrialReader(std::filesystem::path database) : path_(std::move(database)) {}

  /// Newest first; none where there is no results file yet.
  [[nodiscard]] Result<std::vector<db::SessionInfo>> sessions();
  /// At most `most` trials from `from` on, and all measured ones if `with_measured`.
  [[nodiscard]] Result<TrialChunk> trials(int64_t session, uint64_t from, uint64_t most,
                                          bool with_measured, const Progress& progress);
  /// Errors: those of Space::program().
  [[nodiscard]] Result<TunedProgram> program(int64_t session, uint64_t trial,
                                             const Progress& progress);
  /// Writes a file of all trials. Errors: those of db::export_session.h.
  [[nodiscard]] Status save(int64_t session, ExportFormat format, const std::filesystem::path& file,
                            const Progress& progress);

 private:
  struct Known {
    tune::Settings settings;
    std::unique_ptr<tune::Space> space;  ///< Null: it could not be made.
    tune::Config base;
    std::vector<std::string> dimension_names;
    SessionFacts facts;
  };
  Status open();
  Result<Known*> known(int64_t session, const Progress& progress);
  void append(TrialColumns& columns, const tune::Trial& trial, const Known& known) const;

  std::filesystem::path path_;
  std::mutex mutex_;
  std::optional<db::Database> database_;
  std::map<int64_t, Known> known_;
};

/// Where `config` differs from `base`, in words: "+12 −40" for edges, else names and values; cut
/// after a few. `changed` gets their number.
[[nodiscard]] std::string difference_text(const tune::Config& config, const tune::Config& base,
                                          const std::vector<std::string>& names, bool is_fusion,
                                          uint32_t& changed);

}  // namespace hloscope::ui
