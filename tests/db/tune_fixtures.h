#pragma once

#include <chrono>
#include <functional>

#include "core/base/hash.h"
#include "db/tuning.h"
#include "tests/db/fixtures.h"

namespace hloscope::db::testing {

/// Points with `dimensions` values of 0 to 3.
class GridSpace : public tune::Space {
 public:
  explicit GridSpace(size_t dimensions) : dimensions_(dimensions) {}
  [[nodiscard]] size_t dimensions() const override { return dimensions_; }
  [[nodiscard]] uint32_t choices(size_t) const override { return 4; }
  [[nodiscard]] std::string dimension_name(size_t dimension) const override {
    return "axis " + std::to_string(dimension);
  }
  [[nodiscard]] std::optional<double> count() const override;
  [[nodiscard]] tune::Config default_config() const override { return tune::Config(dimensions_); }
  [[nodiscard]] tune::Config random(Rng& rng) const override;
  [[nodiscard]] std::optional<tune::Config> neighbour(const tune::Config& from,
                                                      Rng& rng) const override;
  [[nodiscard]] tune::Config cross(const tune::Config& a, const tune::Config& b,
                                   Rng& rng) const override;
  [[nodiscard]] tune::Config toward(const tune::Config& a, const tune::Config& b, double share,
                                    Rng& rng) const override {
    return tune::mixed_toward(a, b, share, rng);
  }
  [[nodiscard]] std::optional<tune::Config> after(const tune::Config* last) const override;
  /// A digit per dimension.
  [[nodiscard]] std::string text(const tune::Config& config) const override;
  [[nodiscard]] Result<tune::Config> parse(std::string_view text) const override;
  [[nodiscard]] Result<hlo::ProgramPtr> program(const tune::Config&) const override {
    return fail(ErrorCode::kUnsupported, "a grid is no program");
  }

 private:
  size_t dimensions_;
};

/// Times that follow from the configuration; one in sixteen fails.
class GridEvaluator : public tune::Evaluator {
 public:
  struct Options {
    bool is_hardware = false;
    std::chrono::microseconds delay{0};    ///< Of each configuration.
    std::function<void()> evaluated = {};  ///< Called after each.
  };
  explicit GridEvaluator(Options options) : options_(std::move(options)) {}
  [[nodiscard]] Result<std::vector<tune::Evaluation>> evaluate(
      std::span<const tune::Config> configs, const Progress& progress) override;
  [[nodiscard]] bool is_hardware() const override { return options_.is_hardware; }
  [[nodiscard]] std::string source() const override {
    return options_.is_hardware ? "simulated (grid)" : "predicted (grid)";
  }

 private:
  Options options_;
};

/// A model searches, and the simulator is measured with.
[[nodiscard]] NewSession grid_session(std::string name = {});
/// Its problem, as far as its settings ask for it.
[[nodiscard]] tune::Problem grid_problem(const tune::Settings& settings, size_t dimensions,
                                         GridEvaluator::Options model = {},
                                         GridEvaluator::Options hardware = {});

/// A trial as a model gives it.
[[nodiscard]] tune::Trial trial_of(uint64_t number, tune::Config config, double predicted_ns);
/// Everything but at_s.
[[nodiscard]] bool is_same(const tune::Trial& a, const tune::Trial& b);
[[nodiscard]] std::vector<tune::Trial> all_trials(Database& database, TuneSessionRow id,
                                                  uint64_t from = 0);

}  // namespace hloscope::db::testing
