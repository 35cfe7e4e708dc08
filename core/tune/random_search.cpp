#include "core/tune/state_bytes.h"
#include "core/tune/strategies.h"

namespace hloscope::tune {

namespace {
constexpr size_t kRandomBatch = 64;
constexpr int kRandomDraws = 1000;
}  // namespace

size_t RandomSearch::batch() const {
  return kRandomBatch;
}

bool RandomSearch::is_new(const Config& config) const {
  return !memory_.find(config) && !asked_.contains(config_hash(config));
}

std::optional<Config> RandomSearch::next_left() {
  for (;;) {
    std::optional<Config> next = space_.after(scanned_ ? &*scanned_ : nullptr);
    if (!next || is_new(*next)) return next;
    scanned_ = std::move(next);
  }
}

std::optional<Config> RandomSearch::draw() {
  const bool is_first = memory_.size() == 0 && asked_.empty();
  if (is_first && !settings_.random_start) return space_.default_config();
  for (int i = 0; i < kRandomDraws; ++i) {
    Config config = space_.random(rng_);
    if (is_new(config)) return config;
  }
  return next_left();
}

std::optional<Config> RandomSearch::ask() {
  std::optional<Config> out = draw();
  if (out) asked_.insert(config_hash(*out));
  return out;
}

void RandomSearch::tell(Trial& trial) {
  asked_.erase(config_hash(trial.config));
  trial.accepted = true;
}

std::string RandomSearch::save() const {
  StateWriter out;
  out.put(rng_);
  return out.take();
}

Status RandomSearch::load(std::string_view state, const ConfigLookup& /*lookup*/) {
  StateReader in(state);
  in.read(rng_);
  return in.end();
}

}  // namespace hloscope::tune
