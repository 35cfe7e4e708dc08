#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/tune/problem.h"
#include "db/kept_database.h"
#include "db/tuning.h"
#include "ui/models/tune_columns.h"

namespace hloscope::ui {

/// Configurations of some trials of a session.
struct ConfigChunk {
  int64_t session = 0;
  int generation = 0;
  uint64_t from = 0;
  TrialConfigs configs;
};

/// A program that a trial stands for.
struct TunedProgram {
  std::string text;                  ///< HLO.
  std::vector<std::string> changed;  ///< Kernels that the program of the default does not have.
  size_t kernels = 0;
};

enum class ExportFormat { kCsv, kJson, kOptuna };

/// Reads what trials tried, on workers, one call at a time; who waits for another call can be
/// cancelled. Search spaces are made once: of a program with 50,000 instructions that takes half a
/// minute, for which TrialReader does not wait.
class TrialConfigReader {
 public:
  explicit TrialConfigReader(std::filesystem::path database)
      : file_(std::move(database), db::KeptDatabase::kLookTimeout) {}

  /// What is wanted; `generation` is that of the list with the session.
  struct Wanted {
    int64_t session = 0;
    int generation = 0;
    uint64_t from = 0;
    uint64_t most = 0;
  };
  [[nodiscard]] Result<ConfigChunk> configs(const Wanted& wanted, const Progress& progress);
  /// Errors: those of Space::program().
  [[nodiscard]] Result<TunedProgram> program(int64_t session, uint64_t trial,
                                             const Progress& progress);
  /// Writes a file of all trials. Errors: those of db::export_session.h.
  [[nodiscard]] Status save(int64_t session, ExportFormat format, const std::filesystem::path& file,
                            const Progress& progress);

 private:
  struct Known {
    tune::Settings settings;
    bool is_made = false;                ///< Making the space was tried.
    std::unique_ptr<tune::Space> space;  ///< Null: it could not be made.
    tune::Config base;                   ///< Of the default.
    std::vector<std::string> dimension_names;
  };
  /// An open file with a session whose space could be made.
  struct WithSpace {
    db::Database& database;
    const Known& about;
  };

  Result<db::Database*> open();
  Result<Known*> known(db::TuneSessions& sessions, int64_t session);
  Status makeSpace(db::TuneSessions& sessions, int64_t session, Known& known,
                   const Progress& progress);
  /// Error: kUnsupported where the space cannot be made.
  Result<WithSpace> openWithSpace(int64_t session, const Progress& progress);
  static void append(TrialConfigs& configs, std::span<const tune::ConfigChange> changes,
                     size_t count, Known& known);

  std::timed_mutex mutex_;
  db::KeptDatabase file_;
  int file_generation_ = 0;  ///< Of known_.
  int list_generation_ = 0;  ///< Of the last reading.
  std::map<int64_t, Known> known_;
};

/// The first of `count` changes against the default in words: "+12 −40" for edges, else names and
/// values; cut after a few.
[[nodiscard]] std::string differenceText(std::span<const tune::ConfigChange> changes, size_t count,
                                         const tune::Config& base,
                                         const std::vector<std::string>& names, bool is_fusion);

}  // namespace hloscope::ui
