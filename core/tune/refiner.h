#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/tune/evaluator.h"
#include "core/tune/space.h"

namespace hloscope::tune {

/// What to measure next around the best measured configuration: it finds out which of the model's
/// changes the hardware likes. In turn the best with some of its changes taken back to the default,
/// of a few moves away from it the one that the model likes most, and any move. Keeps nothing: the
/// same arguments give the same configuration, so that a resumed session measures the same.
class Refiner {
 public:
  using IsMeasured = std::function<bool(const Config&)>;

  /// The space is kept as a reference.
  Refiner(const Space& space, uint64_t seed);

  /// `index`: measurements before. Empty: nothing was found that is not measured. Errors: those of
  /// the model.
  [[nodiscard]] Result<std::optional<Config>> propose(const Config& best, uint64_t index,
                                                      const IsMeasured& is_measured,
                                                      Evaluator& model,
                                                      const Progress& progress) const;

 private:
  [[nodiscard]] std::vector<Config> moves(const Config& best, const IsMeasured& is_measured,
                                          Rng& rng) const;
  [[nodiscard]] std::optional<Config> taken_back(const Config& best, const IsMeasured& is_measured,
                                                 Rng& rng) const;

  const Space& space_;
  uint64_t seed_;
  Config default_;
};

}  // namespace hloscope::tune
