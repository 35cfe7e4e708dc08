#pragma once

#include <unordered_set>
#include <vector>

#include "core/tune/strategy.h"

namespace hloscope::tune {

/// Every configuration, in the order of Space::after().
class ExhaustiveSearch : public Strategy {
 public:
  ExhaustiveSearch(const Space& space, const TrialMemory& memory)
      : space_(space), memory_(memory) {}

  [[nodiscard]] size_t batch() const override;
  [[nodiscard]] std::optional<Config> ask() override;
  void tell(Trial& trial) override;
  [[nodiscard]] std::string save() const override;
  [[nodiscard]] Status load(std::string_view state, const ConfigLookup& lookup) override;

 private:
  const Space& space_;
  const TrialMemory& memory_;
  std::optional<Config> last_;
  uint64_t last_number_ = 0;
};

/// Draws from the space, the start first. Where hardly anything new is drawn any more it takes what
/// is left in the order of the space.
class RandomSearch : public Strategy {
 public:
  RandomSearch(const StrategySettings& settings, const Space& space, const TrialMemory& memory)
      : settings_(settings), space_(space), memory_(memory), rng_(settings.seed) {}

  [[nodiscard]] size_t batch() const override;
  [[nodiscard]] std::optional<Config> ask() override;
  void tell(Trial& trial) override;
  [[nodiscard]] std::string save() const override;
  [[nodiscard]] Status load(std::string_view state, const ConfigLookup& lookup) override;

 private:
  [[nodiscard]] bool is_new(const Config& config) const;
  [[nodiscard]] std::optional<Config> next_left();
  [[nodiscard]] std::optional<Config> draw();

  StrategySettings settings_;
  const Space& space_;
  const TrialMemory& memory_;
  Rng rng_;
  std::unordered_set<uint64_t> asked_;  ///< And not told yet.
  std::optional<Config> scanned_;       ///< Up to here everything was tried.
};

/// Simulated annealing, as in "A Learned Performance Model for Tensor Processing Units", section 6.
/// A neighbour that was tried before is judged by what is known of it: a step without a trial.
class Annealing : public Strategy {
 public:
  Annealing(const StrategySettings& settings, const Space& space, const TrialMemory& memory)
      : settings_(settings),
        space_(space),
        memory_(memory),
        rng_(settings.seed),
        temperature_(settings.temperature) {}

  [[nodiscard]] size_t batch() const override { return 1; }
  [[nodiscard]] std::optional<Config> ask() override;
  void tell(Trial& trial) override;
  [[nodiscard]] std::string save() const override;
  [[nodiscard]] Status load(std::string_view state, const ConfigLookup& lookup) override;

 private:
  struct Place {
    Config config;
    uint64_t number = 0;
    double time_ns = 0;
  };
  [[nodiscard]] Config start();
  bool judge(const Config& config, uint64_t number, std::optional<double> time_ns);
  void cool();

  StrategySettings settings_;
  const Space& space_;
  const TrialMemory& memory_;
  Rng rng_;
  double temperature_;
  uint64_t step_ = 0;  ///< Since annealing began, or began again.
  bool began_ = false;
  std::optional<Place> current_;
  std::optional<Place> best_;
};

/// A population whose better half of parents and children lives on; children are crossed of two
/// parents, each the best of three drawn, and then moved a little.
class Genetic : public Strategy {
 public:
  Genetic(const StrategySettings& settings, const Space& space, const TrialMemory& memory)
      : settings_(settings), space_(space), memory_(memory), rng_(settings.seed) {}

  [[nodiscard]] size_t batch() const override;
  [[nodiscard]] std::optional<Config> ask() override;
  void tell(Trial& trial) override;
  [[nodiscard]] std::string save() const override;
  [[nodiscard]] Status load(std::string_view state, const ConfigLookup& lookup) override;

 private:
  struct Member {
    Config config;
    uint64_t number = 0;
    double time_ns = 0;  ///< Infinite where it failed.
  };
  [[nodiscard]] Config first_generation();
  [[nodiscard]] Config child();
  [[nodiscard]] const Member& parent();
  void move(Config& config);
  [[nodiscard]] Result<std::vector<Member>> load_members(const std::vector<uint64_t>& numbers,
                                                         const ConfigLookup& lookup) const;

  StrategySettings settings_;
  const Space& space_;
  const TrialMemory& memory_;
  Rng rng_;
  std::vector<Member> parents_;         ///< Best first; empty in the first generation.
  std::vector<Member> children_;        ///< Told so far.
  std::unordered_set<uint64_t> asked_;  ///< And not told yet.
};

}  // namespace hloscope::tune
