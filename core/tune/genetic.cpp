#include <algorithm>
#include <limits>

#include "core/tune/state_bytes.h"
#include "core/tune/strategies.h"

namespace hloscope::tune {

namespace {

constexpr int kChildren = 100;  // Drawn until one is new.
constexpr int kGeneticDraws = 1000;
constexpr int kTournament = 3;
constexpr uint64_t kFirstMoves = 8;

template <typename Members>
void put_numbers(const Members& members, StateWriter& out) {
  out.put(uint64_t{members.size()});
  for (const auto& member : members) out.put(member.number);
}

std::vector<uint64_t> read_numbers(StateReader& in) {
  std::vector<uint64_t> out(in.count());
  for (uint64_t& number : out) number = in.word();
  return out;
}

}  // namespace

// What the rest of a generation asks for does not depend on what the first of it came to.
size_t Genetic::batch() const {
  return static_cast<size_t>(settings_.population) - children_.size();
}

Config Genetic::first_generation() {
  if (settings_.random_start) return space_.random(rng_);
  Config out = space_.default_config();
  if (memory_.size() == 0 && asked_.empty()) return out;
  for (uint64_t moves = 1 + rng_.below(kFirstMoves); moves > 0; --moves) move(out);
  return out;
}

void Genetic::move(Config& config) {
  if (std::optional<Config> moved = space_.neighbour(config, rng_)) config = std::move(*moved);
}

const Genetic::Member& Genetic::parent() {
  uint64_t best = parents_.size();
  for (int i = 0; i < kTournament; ++i) best = std::min(best, rng_.below(parents_.size()));
  return parents_[best];  // Best first.
}

Config Genetic::child() {
  const Member& a = parent();
  const Member& b = parent();
  Config out = space_.cross(a.config, b.config, rng_);
  while (rng_.uniform() < settings_.mutation) move(out);
  return out;
}

std::optional<Config> Genetic::ask() {
  for (int i = 0; i < kChildren + kGeneticDraws; ++i) {
    Config out = i >= kChildren     ? space_.random(rng_)
                 : parents_.empty() ? first_generation()
                                    : child();
    if (memory_.find(out)) continue;
    if (asked_.insert(config_hash(out)).second) return out;
  }
  return std::nullopt;
}

void Genetic::tell(Trial& trial) {
  asked_.erase(config_hash(trial.config));
  const double time_ns = trial.search_ns().value_or(std::numeric_limits<double>::infinity());
  trial.accepted = parents_.size() < settings_.population || time_ns < parents_.back().time_ns;
  children_.push_back({trial.config, trial.number, time_ns});
  if (children_.size() < settings_.population) return;
  for (Member& one : children_) parents_.push_back(std::move(one));
  children_.clear();
  std::sort(parents_.begin(), parents_.end(), [](const Member& a, const Member& b) {
    return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.number < b.number;
  });
  if (parents_.size() > settings_.population) {
    parents_.resize(static_cast<size_t>(settings_.population));
  }
}

std::string Genetic::save() const {
  StateWriter out;
  out.put(rng_);
  put_numbers(parents_, out);
  put_numbers(children_, out);
  return out.take();
}

Result<std::vector<Genetic::Member>> Genetic::load_members(const std::vector<uint64_t>& numbers,
                                                           const ConfigLookup& lookup) const {
  std::vector<Member> out;
  for (const uint64_t number : numbers) {
    HLOSCOPE_ASSIGN(Config config, lookup(number));
    const TrialMemory::Entry* known = memory_.find(config);
    const std::optional<double> time_ns = known ? known->time_ns : std::nullopt;
    out.push_back(
        {std::move(config), number, time_ns.value_or(std::numeric_limits<double>::infinity())});
  }
  return out;
}

Status Genetic::load(std::string_view state, const ConfigLookup& lookup) {
  StateReader in(state);
  in.read(rng_);
  const std::vector<uint64_t> parents = read_numbers(in);
  const std::vector<uint64_t> children = read_numbers(in);
  HLOSCOPE_TRY(in.end());
  HLOSCOPE_ASSIGN(parents_, load_members(parents, lookup));
  HLOSCOPE_ASSIGN(children_, load_members(children, lookup));
  return {};
}

}  // namespace hloscope::tune
