#include <cmath>

#include "core/tune/state_bytes.h"
#include "core/tune/strategies.h"

namespace hloscope::tune {

namespace {

constexpr int kKnownSteps = 10'000;  // In a row, until it goes somewhere else.
constexpr int kAnnealingDraws = 1000;
constexpr uint64_t kNobody = UINT64_MAX;

}  // namespace

Config Annealing::start() {
  // A start that failed is not tried again.
  return settings_.random_start || began_ ? space_.random(rng_) : space_.default_config();
}

std::optional<Config> Annealing::ask() {
  for (int i = 0; i < kKnownSteps; ++i) {
    std::optional<Config> next = current_ ? space_.neighbour(current_->config, rng_) : start();
    if (!next) break;
    const TrialMemory::Entry* known = memory_.find(*next);
    if (!known) return next;
    judge(*next, known->number, known->time_ns);
  }
  for (int i = 0; i < kAnnealingDraws; ++i) {
    Config next = space_.random(rng_);
    if (!memory_.find(next)) return next;
  }
  return std::nullopt;
}

void Annealing::cool() {
  temperature_ *= settings_.cooling;
  if (++step_ < settings_.restart_trials) return;
  step_ = 0;
  temperature_ = settings_.temperature;
  if (best_) current_ = best_;
}

bool Annealing::judge(const Config& config, uint64_t number, std::optional<double> time_ns) {
  began_ = true;
  bool accepted = false;
  if (time_ns) {
    const double longer = current_ ? *time_ns / current_->time_ns - 1 : 0;
    accepted = longer <= 0 || rng_.uniform() < std::exp(-longer / temperature_);
    if (accepted) current_ = Place{config, number, *time_ns};
    if (!best_ || *time_ns < best_->time_ns) best_ = Place{config, number, *time_ns};
  }
  cool();
  return accepted;
}

void Annealing::tell(Trial& trial) {
  trial.temperature = temperature_;
  trial.accepted = judge(trial.config, trial.number, trial.search_ns());
}

std::string Annealing::save() const {
  StateWriter out;
  out.put(rng_);
  out.put(temperature_);
  out.put(step_);
  out.put(uint64_t{began_ ? 1U : 0U});
  for (const std::optional<Place>* place : {&current_, &best_}) {
    out.put(*place ? (*place)->number : kNobody);
    out.put(*place ? (*place)->time_ns : 0.0);
  }
  return out.take();
}

Status Annealing::load(std::string_view state, const ConfigLookup& lookup) {
  StateReader in(state);
  in.read(rng_);
  temperature_ = in.real();
  step_ = in.word();
  began_ = in.word() != 0;
  for (std::optional<Place>* place : {&current_, &best_}) {
    const uint64_t number = in.word();
    const double time_ns = in.real();
    place->reset();
    if (number != kNobody) *place = Place{{}, number, time_ns};
  }
  HLOSCOPE_TRY(in.end());
  for (std::optional<Place>* place : {&current_, &best_}) {
    if (!*place) continue;
    HLOSCOPE_ASSIGN((*place)->config, lookup((*place)->number));
  }
  return {};
}

}  // namespace hloscope::tune
