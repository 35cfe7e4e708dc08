#include "core/sim/chrome_trace.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

namespace hloscope::sim {

namespace {

constexpr size_t kKernelThread = 1;

size_t thread_of(Unit unit) {
  return static_cast<size_t>(unit) + kKernelThread + 1;
}

// A name with its quotes; bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Whole ns as µs.
std::string microseconds(int64_t ns) {
  return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

// Written directly: a trace of a program has some hundred thousand events.
class TraceWriter {
 public:
  explicit TraceWriter(const Machine& machine) {
    append("{{\"displayTimeUnit\": \"ns\",\n");
    append("\"otherData\": {{\"simulated\": true, \"machine\": {}, \"machine_hash\": \"{}\"}},\n",
           json_string(machine.id), machine.hash.hex());
    append("\"traceEvents\": [");
  }

  void add(const TraceProcess& process, const std::string& machine_title) {
    ++pid_;
    metadata("process_name", 0, "name",
             json_string(fmt::format("{} on {}, simulated", process.name, machine_title)));
    name_threads(process);
    double start_ns = 0;
    for (const TracedKernel& kernel : process.kernels) {
      add(kernel, start_ns);
      start_ns += kernel.time_ns;
    }
  }

  std::string finish() {
    out_ += "\n]}\n";
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void append(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void next_event() {
    out_ += is_first_ ? "\n" : ",\n";
    is_first_ = false;
  }

  void metadata(std::string_view event, size_t thread, std::string_view key,
                std::string_view value) {
    next_event();
    append(
        "{{\"ph\": \"M\", \"pid\": {}, \"tid\": {}, \"name\": \"{}\", \"args\": {{\"{}\": {}}}}}",
        pid_, thread, event, key, value);
  }

  void name_threads(const TraceProcess& process) {
    std::array<bool, kUnitCount> used{};
    for (const TracedKernel& kernel : process.kernels) {
      for (const Event& event : kernel.timeline.events) {
        used[static_cast<size_t>(event.unit)] = true;
      }
    }
    name_thread(kKernelThread, "kernels");
    for (size_t u = 0; u < kUnitCount; ++u) {
      const auto unit = static_cast<Unit>(u);
      if (used[u]) name_thread(thread_of(unit), name(unit));
    }
  }
  void name_thread(size_t thread, std::string_view text) {
    metadata("thread_name", thread, "name", json_string(text));
    metadata("thread_sort_index", thread, "sort_index", fmt::format("{}", thread));
  }

  void add(const TracedKernel& kernel, double start_ns) {
    complete(kKernelThread, json_string(kernel.name), start_ns, start_ns + kernel.time_ns);
    append(", \"tiles\": {:.0f}, \"tiles_drawn\": {}, \"executions\": {}}}}}", kernel.tiles,
           kernel.timeline.tiles.size(), kernel.executions);
    for (const Event& event : kernel.timeline.events) {
      complete(thread_of(event.unit), json_string(event.what), start_ns + event.start_ns,
               start_ns + event.end_ns);
      if (event.tile >= 0) append(", \"tile\": {}", event.tile);
      out_ += "}}";
    }
  }

  // All but the end of `args`.
  void complete(size_t thread, std::string_view json_name, double start_ns, double end_ns) {
    const int64_t start = std::llround(start_ns);
    const int64_t end = std::llround(end_ns);
    next_event();
    append(
        "{{\"ph\": \"X\", \"pid\": {}, \"tid\": {}, \"name\": {}, \"ts\": {}, \"dur\": {}, "
        "\"args\": {{\"ns\": {}",
        pid_, thread, json_name, microseconds(start), microseconds(end - start), end_ns - start_ns);
  }

  std::string out_;
  size_t pid_ = 0;
  bool is_first_ = true;
};

}  // namespace

std::string chrome_trace(const Machine& machine, std::span<const TraceProcess> processes) {
  TraceWriter writer(machine);
  for (const TraceProcess& process : processes) writer.add(process, machine.title);
  return writer.finish();
}

}  // namespace hloscope::sim
