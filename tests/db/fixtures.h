#pragma once

#include <QTest>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "db/kernels.h"
#include "db/programs.h"
#include "db/runs.h"

namespace hloscope::db::testing {

/// A path in a folder of its own, removed with it.
class TempFolder {
 public:
  TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder();
  [[nodiscard]] std::filesystem::path path(std::string_view name = "results.hloscope") const {
    return folder_ / name;
  }
  [[nodiscard]] std::vector<std::string> file_names() const;  ///< Sorted.

 private:
  std::filesystem::path folder_;
};

/// A test class whose functions each begin with a new database in a folder of its own.
class DatabaseTest : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void cleanup();

 protected:
  std::unique_ptr<TempFolder> folder_;
  std::optional<Database> database_;
};

[[nodiscard]] std::string read_bytes(const std::filesystem::path& path);
void write_bytes(const std::filesystem::path& path, std::string_view bytes);
/// Runs SQL with a plain SQLite handle; returns the first column of the last row, "" without rows.
std::string sql(const std::filesystem::path& path, const std::string& text);

/// A hash that depends on the text only.
[[nodiscard]] Hash128 hash_of(std::string_view text);
[[nodiscard]] ProgramRow add_program(Database& database, const std::string& name);
[[nodiscard]] KernelRow add_kernel(Database& database, const std::string& name);
[[nodiscard]] RunKey key_of(ProgramRow program);
/// A finished run with one time per kernel: 1, 2, ... microseconds.
[[nodiscard]] RunId add_run(Database& database, const RunKey& key,
                            const std::vector<KernelRow>& kernels);
/// A file with two programs, three kernels and a finished run.
void make_small_file(const std::filesystem::path& path);
/// What `body` returns, run in a child process; -1 when a signal ended it.
[[nodiscard]] int exit_code_of_child(const std::function<int()>& body);

}  // namespace hloscope::db::testing

/// Fails the test function with the error's text unless the Result holds a value.
#define HLOSCOPE_OK(expr)                              \
  do {                                                 \
    const auto& result_to_check = (expr);              \
    if (!result_to_check) {                            \
      QFAIL(result_to_check.error().format().c_str()); \
    }                                                  \
  } while (false)
/// The value of a Result; without one the whole test program ends with the error's text.
#define HLOSCOPE_MUST(expr)                             \
  [&] {                                                 \
    auto must_hold = (expr);                            \
    if (!must_hold) {                                   \
      qFatal("%s", must_hold.error().format().c_str()); \
    }                                                   \
    return std::move(*must_hold);                       \
  }()
