#include "core/tune/strategy.h"

#include "core/tune/strategies.h"

namespace hloscope::tune {

std::unique_ptr<Strategy> make_strategy(const StrategySettings& settings, const Space& space,
                                        const TrialMemory& memory) {
  switch (settings.kind) {
    case StrategyKind::kExhaustive:
      return std::make_unique<ExhaustiveSearch>(space, memory);
    case StrategyKind::kRandom:
      return std::make_unique<RandomSearch>(settings, space, memory);
    case StrategyKind::kAnnealing:
      return std::make_unique<Annealing>(settings, space, memory);
    case StrategyKind::kGenetic:
      break;
  }
  return std::make_unique<Genetic>(settings, space, memory);
}

}  // namespace hloscope::tune
