#include "tests/db/fixtures.h"

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace hloscope::db::testing {

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "test_db_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) qFatal("can't make a temporary folder");
  folder_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::vector<std::string> TempFolder::file_names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

void DatabaseTest::init() {
  folder_ = std::make_unique<TempFolder>();
  auto database = Database::open(folder_->path());
  HLOSCOPE_OK(database);
  database_.emplace(std::move(*database));
}

void DatabaseTest::cleanup() {
  database_.reset();
  folder_.reset();
}

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) qFatal("can't read %s", path.c_str());
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) qFatal("can't write %s", path.c_str());
}

std::string sql(const std::filesystem::path& path, const std::string& text) {
  sqlite3* handle = nullptr;
  if (sqlite3_open(path.c_str(), &handle) != SQLITE_OK) qFatal("can't open %s", path.c_str());
  std::string last;
  const auto keep = [](void* out, int, char** values, char**) {
    *static_cast<std::string*>(out) = values[0] != nullptr ? values[0] : "";
    return 0;
  };
  if (sqlite3_exec(handle, text.c_str(), keep, &last, nullptr) != SQLITE_OK) {
    qFatal("%s: %s", text.c_str(), sqlite3_errmsg(handle));
  }
  sqlite3_close(handle);
  return last;
}

Hash128 hash_of(std::string_view text) {
  return hash128(text);
}

ProgramRow add_program(Database& database, const std::string& name) {
  ProgramInfo info;
  info.content_hash = hash_of(name);
  info.name = name;
  info.file_path = "/data/" + name + ".hlo";
  return HLOSCOPE_MUST(Programs(database).put(info));
}

KernelRow add_kernel(Database& database, const std::string& name) {
  KernelInfo info;
  info.hash = hash_of(name);
  info.label = name;
  info.opcode = "fusion";
  info.op_class = "elementwise";
  info.shape = "f32[8,128]{1,0}";
  return HLOSCOPE_MUST(Kernels(database).put(info));
}

RunKey key_of(ProgramRow program) {
  RunKey key;
  key.program = program;
  key.source_kind = kAnalytical;
  key.machine_id = "tpu_v3";
  key.machine_hash = hash_of("tpu_v3.json");
  key.tool_version = "1.0";
  return key;
}

RunId add_run(Database& database, const RunKey& key, const std::vector<KernelRow>& kernels) {
  Runs runs(database);
  const RunId run = HLOSCOPE_MUST(runs.start(key));
  std::vector<KernelTime> times;
  double total_ns = 0;
  for (const KernelRow kernel : kernels) {
    const auto time_ns = 1000.0 * static_cast<double>(times.size() + 1);
    times.push_back({kernel, time_ns, time_ns / 2, time_ns / 4, "memory"});
    total_ns += time_ns;
  }
  const auto added = runs.add_times(run, times);
  if (!added) qFatal("%s", added.error().format().c_str());
  const auto finished = runs.finish(run, total_ns, hash_of("times"));
  if (!finished) qFatal("%s", finished.error().format().c_str());
  return run;
}

void make_small_file(const std::filesystem::path& path) {
  Database database = HLOSCOPE_MUST(Database::open(path));
  const ProgramRow program = add_program(database, "first");
  static_cast<void>(add_program(database, "second"));
  const std::vector<KernelRow> kernels = {add_kernel(database, "a"), add_kernel(database, "b"),
                                          add_kernel(database, "c")};
  static_cast<void>(add_run(database, key_of(program), kernels));
}

int exit_code_of_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child < 0) qFatal("can't start a child process");
  if (child == 0) _exit(body());
  int status = 0;
  if (waitpid(child, &status, 0) != child) qFatal("can't wait for the child process");
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace hloscope::db::testing
