#include "core/analysis/compiler_times.h"

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

namespace hloscope::analysis {

namespace {

using Json = nlohmann::json;

constexpr size_t kKernelsPerReport = 256;

std::optional<int64_t> whole_number(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<uint64_t>();
    if (number > uint64_t{std::numeric_limits<int64_t>::max()}) return std::nullopt;
    return static_cast<int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<int64_t>();
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  int64_t number = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<double> estimated_cycles(std::string_view backend_config) {
  constexpr std::string_view kKey = "estimated_cycles";
  // Most instructions have none: their JSON is not parsed.
  if (backend_config.find(kKey) == std::string_view::npos) return std::nullopt;
  const Json json = Json::parse(backend_config, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto window = json.find("window_config");
  if (window == json.end() || !window->is_object()) return std::nullopt;
  const auto value = window->find(kKey);
  if (value == window->end()) return std::nullopt;
  const auto cycles = whole_number(*value);
  if (!cycles || *cycles <= 0 || *cycles == std::numeric_limits<int64_t>::max()) {
    return std::nullopt;
  }
  return static_cast<double>(*cycles);
}

Result<IndexedVector<graph::KernelId, std::optional<double>>> compiler_times(
    const hlo::Program& program, const graph::KernelList& kernels, const sim::Machine& machine,
    const Progress& progress) {
  const double clock_ghz = machine["clock_ghz"];
  IndexedVector<graph::KernelId, std::optional<double>> times;
  const size_t count = kernels.kernels.size();
  for (size_t k = 0; k < count; ++k) {
    if (k % kKernelsPerReport == 0) {
      if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
      progress.report(static_cast<double>(k) / static_cast<double>(count),
                      "reading the compiler's estimates");
    }
    const graph::KernelId id(k);
    const auto cycles = estimated_cycles(
        program.text(kernels.kernels[id].instruction, hlo::AttrKey::kBackendConfig));
    if (!cycles) continue;
    times.resize(count);
    times[id] = *cycles / clock_ghz;
  }
  return times;
}

}  // namespace hloscope::analysis
