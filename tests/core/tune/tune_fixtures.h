#pragma once

#include <cmath>

#include "core/tune/evaluator.h"
#include "core/tune/space.h"

namespace hloscope::testing {

/// All points of a box; a move changes one value by one.
class BoxSpace : public tune::Space {
 public:
  explicit BoxSpace(std::vector<uint32_t> sizes) : sizes_(std::move(sizes)) {}

  size_t dimensions() const override { return sizes_.size(); }
  uint32_t choices(size_t dimension) const override { return sizes_[dimension]; }
  std::string dimension_name(size_t dimension) const override {
    return "axis " + std::to_string(dimension);
  }
  std::optional<double> count() const override {
    double out = 1;
    for (const uint32_t size : sizes_) out *= size;
    return out;
  }
  tune::Config default_config() const override { return tune::Config(sizes_.size(), 0); }
  tune::Config random(Rng& rng) const override {
    tune::Config out;
    for (const uint32_t size : sizes_) out.push_back(static_cast<uint32_t>(rng.below(size)));
    return out;
  }
  std::optional<tune::Config> neighbour(const tune::Config& from, Rng& rng) const override {
    tune::Config out = from;
    const size_t axis = rng.below(sizes_.size());
    if (sizes_[axis] == 1) return std::nullopt;
    const bool up = from[axis] == 0 || (from[axis] + 1 < sizes_[axis] && rng.below(2) == 1);
    out[axis] = up ? from[axis] + 1 : from[axis] - 1;
    return out;
  }
  tune::Config cross(const tune::Config& a, const tune::Config& b, Rng& rng) const override {
    tune::Config out = a;
    for (size_t i = 0; i < out.size(); ++i) {
      if (rng.below(2) == 1) out[i] = b[i];
    }
    return out;
  }
  tune::Config toward(const tune::Config& a, const tune::Config& b, double share,
                      Rng& rng) const override {
    return tune::mixed_toward(a, b, share, rng);
  }
  std::optional<tune::Config> after(const tune::Config* last) const override {
    if (!last) return default_config();
    tune::Config out = *last;
    for (size_t i = out.size(); i-- > 0;) {
      if (++out[i] < sizes_[i]) return out;
      out[i] = 0;
    }
    return std::nullopt;
  }
  std::string text(const tune::Config& config) const override {
    std::string out;
    for (const uint32_t value : config) out += std::to_string(value) + ".";
    return out;
  }
  Result<tune::Config> parse(std::string_view /*text*/) const override {
    return fail(ErrorCode::kUnsupported, "not needed");
  }
  Result<hlo::ProgramPtr> program(const tune::Config& /*config*/) const override {
    return fail(ErrorCode::kUnsupported, "not needed");
  }

 private:
  std::vector<uint32_t> sizes_;
};

/// 1 us, and a share more for every step away from the point `best`; what lies on `failing` fails.
class ValleyEvaluator : public tune::Evaluator {
 public:
  ValleyEvaluator(tune::Config best, double step, bool is_hardware = false,
                  tune::Config failing = {})
      : best_(std::move(best)),
        step_(step),
        is_hardware_(is_hardware),
        failing_(std::move(failing)) {}

  Result<std::vector<tune::Evaluation>> evaluate(std::span<const tune::Config> configs,
                                                 const Progress& progress) override {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    std::vector<tune::Evaluation> out;
    for (const tune::Config& config : configs) out.push_back(one(config));
    asked += configs.size();
    return out;
  }
  bool is_hardware() const override { return is_hardware_; }
  std::string source() const override { return "valley"; }

  [[nodiscard]] double time_ns(const tune::Config& config) const {
    double away = 0;
    for (size_t i = 0; i < config.size(); ++i)
      away += std::abs(double(config[i]) - double(best_[i]));
    return 1000 * (1 + step_ * away);
  }

  size_t asked = 0;

 private:
  [[nodiscard]] tune::Evaluation one(const tune::Config& config) const {
    if (config == failing_) return {std::nullopt, "it crashed", is_hardware_ ? 5.0 : 0.0};
    return {time_ns(config), {}, is_hardware_ ? 1e9 : 0.0};
  }

  tune::Config best_;
  double step_;
  bool is_hardware_;
  tune::Config failing_;
};

}  // namespace hloscope::testing
