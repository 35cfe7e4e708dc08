#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/bench.h"
#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "app/cli/text_table.h"
#include "core/hlo/read.h"

namespace hloscope::cli {

namespace {

constexpr int kMinRepeats = 5;
constexpr double kMinSeconds = 0.5;

struct BenchOptions {
  std::vector<std::string> files;
  bool json = false;
};

// Best of several reads: file to immutable Program, the file warm in the page cache.
nlohmann::ordered_json measure(const std::string& path) {
  double best = 1e9;
  double spent = 0;
  uint64_t bytes = 0;
  size_t instructions = 0;
  for (int i = 0; i < kMinRepeats || spent < kMinSeconds; ++i) {
    Result<hlo::File> file = fail(ErrorCode::kInternal, "not read");
    const double seconds = seconds_of([&] { file = hlo::read_file(path); });
    if (!file) return {{"file", path}, {"error", file.error().headline()}};
    best = std::min(best, seconds);
    spent += seconds;
    bytes = file->bytes;
    instructions = 0;
    for (const hlo::Module& module : file->modules) {
      instructions += module.program->instruction_count();
    }
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {{"file", path},
          {"bytes", bytes},
          {"instructions", instructions},
          {"read_ms", best * 1e3},
          {"mb_per_s", static_cast<double>(bytes) / 1e6 / best},
          {"peak_rss_bytes", usage.ru_maxrss * 1024}};
}

// One process a file, so that the peak memory is the file's own.
nlohmann::ordered_json measure_in_child(const std::string& path) {
  int ends[2];
  if (pipe(ends) != 0) return {{"file", path}, {"error", "no pipe"}};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const std::string text = json_text(measure(path), -1);
    size_t written = 0;
    while (written < text.size()) {
      const ssize_t n = write(ends[1], text.data() + written, text.size() - written);
      if (n <= 0) break;
      written += static_cast<size_t>(n);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<size_t>(n));
  }
  close(ends[0]);
  waitpid(child, nullptr, 0);
  auto result = nlohmann::ordered_json::parse(text, nullptr, false);
  if (result.is_discarded()) return {{"file", path}, {"error", "the reading process ended"}};
  return result;
}

void run_read(const BenchOptions& options, int& exit_code) {
  using enum TextTable::Align;
  auto list = nlohmann::ordered_json::array();
  TextTable table(
      {{"file", kLeft}, {"bytes"}, {"instructions"}, {"read ms"}, {"MB/s"}, {"peak RSS MB"}});
  for (const std::string& path : options.files) {
    nlohmann::ordered_json result = measure_in_child(path);
    if (result.contains("error")) {
      std::cerr << "error: " << result["error"].get<std::string>() << "\n";
      exit_code = kBadInput;
      continue;
    }
    table.add_row({path, fmt::format("{}", result["bytes"].get<uint64_t>()),
                   fmt::format("{}", result["instructions"].get<uint64_t>()),
                   fmt::format("{:.2f}", result["read_ms"].get<double>()),
                   fmt::format("{:.1f}", result["mb_per_s"].get<double>()),
                   fmt::format("{:.1f}", result["peak_rss_bytes"].get<double>() / 1e6)});
    list.push_back(std::move(result));
  }
  if (options.json) {
    std::cout << json_text(list) << "\n";
  } else if (table.rows() > 0) {
    std::cout << table.text();
  }
}

}  // namespace

void add_bench_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* bench = app.add_subcommand("bench", "measure the speed of hloscope itself");
  bench->require_subcommand(1);
  bench->footer("Example: hloscope-cli bench read samples/mobilenet_v2.hlo");
  CLI::App* read = bench->add_subcommand("read", "reading speed and peak memory");
  read->add_option("FILE", options->files, "files to read")->required();
  read->add_flag("--json", options->json, "write JSON");
  read->footer(
      "Warm page cache, best of at least 5 reads, one process a file.\n"
      "JSON: [{\"file\": \"a.hlo\", \"bytes\": 827009, \"instructions\": 3924, \"read_ms\": 3.1, "
      "\"mb_per_s\": 266.8,\n  \"peak_rss_bytes\": 14000000}]");
  read->callback([options, &exit_code] { run_read(*options, exit_code); });
  add_bench_time(*bench, exit_code);
  add_bench_predictor(*bench, exit_code);
  add_bench_tune(*bench, exit_code);
  add_bench_signature(*bench, exit_code);
}

}  // namespace hloscope::cli
