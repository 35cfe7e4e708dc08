#include "tests/db/tune_fixtures.h"

#include <cmath>
#include <thread>

namespace hloscope::db::testing {

std::optional<double> GridSpace::count() const {
  return std::pow(4.0, static_cast<double>(dimensions_));
}

tune::Config GridSpace::random(Rng& rng) const {
  tune::Config out(dimensions_);
  for (uint32_t& value : out) value = static_cast<uint32_t>(rng.below(4));
  return out;
}

std::optional<tune::Config> GridSpace::neighbour(const tune::Config& from, Rng& rng) const {
  tune::Config out = from;
  uint32_t& value = out[rng.below(dimensions_)];
  value = (value + 1 + static_cast<uint32_t>(rng.below(3))) % 4;
  return out;
}

tune::Config GridSpace::cross(const tune::Config& a, const tune::Config& b, Rng& rng) const {
  tune::Config out = a;
  for (size_t i = 0; i < out.size(); ++i) out[i] = rng.below(2) == 0 ? a[i] : b[i];
  return out;
}

std::optional<tune::Config> GridSpace::after(const tune::Config* last) const {
  if (last == nullptr) return default_config();
  tune::Config out = *last;
  for (size_t i = out.size(); i-- > 0;) {
    if (++out[i] < 4) return out;
    out[i] = 0;
  }
  return std::nullopt;
}

std::string GridSpace::text(const tune::Config& config) const {
  std::string out;
  for (const uint32_t value : config) out += static_cast<char>('0' + value);
  return out;
}

Result<tune::Config> GridSpace::parse(std::string_view text) const {
  if (text.size() != dimensions_) return fail(ErrorCode::kInvalidInput, "no point of the grid");
  tune::Config out;
  for (const char c : text) out.push_back(static_cast<uint32_t>(c - '0'));
  return out;
}

Result<std::vector<tune::Evaluation>> GridEvaluator::evaluate(std::span<const tune::Config> configs,
                                                              const Progress& progress) {
  std::vector<tune::Evaluation> out;
  for (const tune::Config& config : configs) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "stopped");
    if (options_.delay.count() > 0) std::this_thread::sleep_for(options_.delay);
    tune::Evaluation& one = out.emplace_back();
    const uint64_t hash = tune::config_hash(config);
    double time_ns = options_.is_hardware ? 110 : 100;
    for (size_t i = 0; i < config.size(); ++i) {
      time_ns += static_cast<double>((config[i] * 7 + i * 5) % 11);
    }
    if (hash % 16 == 0) {
      one.error = "does not fit";
    } else {
      one.time_ns = time_ns;
    }
    if (options_.is_hardware) one.hardware_ns = 1e9 + time_ns;
    if (options_.evaluated) options_.evaluated();
  }
  return out;
}

NewSession grid_session(std::string name) {
  NewSession out;
  out.name = std::move(name);
  out.program = "net";
  out.file_path = "/data/net.hlo#2";
  out.program_hash = hash_of("net");
  out.hlo_text = "HloModule net\nENTRY main { ROOT a = f32[8] parameter(0) }\n";
  out.settings.space = tune::SpaceKind::kFusion;
  out.settings.budget.trials = 100;
  out.settings.measure.emplace();
  out.settings.measure->kind = tune::EvaluatorKind::kSimulator;
  return out;
}

tune::Problem grid_problem(const tune::Settings& settings, size_t dimensions,
                           GridEvaluator::Options model, GridEvaluator::Options hardware) {
  hardware.is_hardware = true;
  tune::Problem out;
  out.space = std::make_unique<GridSpace>(dimensions);
  out.search = std::make_unique<GridEvaluator>(settings.searches_hardware() ? hardware : model);
  if (settings.measure) out.measure = std::make_unique<GridEvaluator>(hardware);
  return out;
}

tune::Trial trial_of(uint64_t number, tune::Config config, double predicted_ns) {
  tune::Trial out;
  out.number = number;
  out.config = std::move(config);
  out.predicted_ns = predicted_ns;
  return out;
}

bool is_same(const tune::Trial& a, const tune::Trial& b) {
  return a.number == b.number && a.config == b.config && a.predicted_ns == b.predicted_ns &&
         a.hardware_ns == b.hardware_ns && a.measured_as == b.measured_as &&
         a.booked_ns == b.booked_ns && a.error == b.error && a.accepted == b.accepted &&
         a.temperature == b.temperature && a.refined == b.refined;
}

std::vector<tune::Trial> all_trials(Database& database, TuneSessionRow id, uint64_t from) {
  std::vector<tune::Trial> out;
  const Status read = TuneSessions(database).each_trial(id, from, [&out](const tune::Trial& trial) {
    out.push_back(trial);
    return true;
  });
  if (!read) qFatal("%s", read.error().format().c_str());
  return out;
}

}  // namespace hloscope::db::testing
