#include "core/tune/state_bytes.h"
#include "core/tune/strategies.h"

namespace hloscope::tune {

namespace {
constexpr size_t kExhaustiveBatch = 64;
}

size_t ExhaustiveSearch::batch() const {
  return kExhaustiveBatch;
}

std::optional<Config> ExhaustiveSearch::ask() {
  do {
    last_ = space_.after(last_ ? &*last_ : nullptr);
  } while (last_ && memory_.find(*last_));
  return last_;
}

void ExhaustiveSearch::tell(Trial& trial) {
  last_number_ = trial.number;
  trial.accepted = true;
}

std::string ExhaustiveSearch::save() const {
  StateWriter out;
  out.put(last_number_);
  return out.take();
}

Status ExhaustiveSearch::load(std::string_view state, const ConfigLookup& lookup) {
  StateReader in(state);
  last_number_ = in.word();
  HLOSCOPE_TRY(in.end());
  HLOSCOPE_ASSIGN(last_, lookup(last_number_));
  return {};
}

}  // namespace hloscope::tune
