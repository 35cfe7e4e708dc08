#include "core/tune/tile_evaluator.h"

#include <fmt/format.h>

#include <unordered_map>

namespace hloscope::tune {

namespace {

KernelRef reference(const TileKernel& kernel) {
  return {*kernel.program, kernel.first(), kernel.model};
}

/// One configuration after the other.
class EachEvaluator : public Evaluator {
 public:
  Result<std::vector<Evaluation>> evaluate(std::span<const Config> configs,
                                           const Progress& progress) final {
    std::vector<Evaluation> out;
    out.reserve(configs.size());
    for (const Config& config : configs) {
      if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
      HLOSCOPE_ASSIGN(Evaluation one, evaluate_one(config, progress));
      out.push_back(std::move(one));
    }
    return out;
  }

 private:
  /// Error: kCancelled.
  virtual Result<Evaluation> evaluate_one(const Config& config, const Progress& progress) = 0;
};

class TimedEvaluator : public EachEvaluator {
 public:
  TimedEvaluator(std::unique_ptr<KernelTimer> timer, HardwareCost cost)
      : timer_(std::move(timer)), cost_(cost) {}

  bool is_hardware() const final { return cost_.is_hardware; }
  std::string source() const final { return timer_->source(); }

 protected:
  KernelTimer& timer() { return *timer_; }
  Evaluation evaluation(const Result<double>& time_ns) const {
    if (!time_ns) return {.time_ns = {}, .error = time_ns.error().message};
    return {.time_ns = *time_ns, .error = {}, .hardware_ns = cost_.of(*time_ns)};
  }

 private:
  std::unique_ptr<KernelTimer> timer_;
  HardwareCost cost_;
};

class TileEvaluator final : public TimedEvaluator {
 public:
  TileEvaluator(const TileConfigs& space, std::unique_ptr<KernelTimer> timer, HardwareCost cost)
      : TimedEvaluator(std::move(timer), cost), space_(space) {}

 private:
  Result<Evaluation> evaluate_one(const Config& config, const Progress& /*progress*/) override {
    return evaluation(timer().time_ns(reference(space_.kernel()), space_.bounds(config)));
  }

  const TileConfigs& space_;
};

class ProgramTileEvaluator final : public TimedEvaluator {
 public:
  ProgramTileEvaluator(const ProgramTiles& space, std::vector<TileKernelPtr> others,
                       std::unique_ptr<KernelTimer> timer, HardwareCost cost)
      : TimedEvaluator(std::move(timer), cost),
        space_(space),
        others_(std::move(others)),
        known_(space.kernels()) {}

 private:
  // Of a large program the first configuration takes long: all its kernels are timed.
  Result<Evaluation> evaluate_one(const Config& config, const Progress& progress) override {
    if (!others_ns_) {
      Result<double> others_ns = time_others(progress);
      if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
      others_ns_ = std::move(others_ns);
    }
    if (!*others_ns_) return evaluation(*others_ns_);
    double sum_ns = **others_ns_;
    for (size_t k = 0; k < space_.kernels(); ++k) {
      if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
      const Result<double> time_ns = time_of(k, space_.part_of(config, k));
      if (!time_ns) return evaluation(time_ns);
      sum_ns += *time_ns * space_.part(k).kernel().executions;
    }
    return evaluation(sum_ns);
  }

  Result<double> time_others(const Progress& progress) {
    double sum_ns = 0;
    for (const TileKernelPtr& kernel : others_) {
      if (progress.stop_requested()) break;
      const Bounds only = sim::whole_bounds(kernel->model);
      HLOSCOPE_ASSIGN(const double time_ns, timer().time_ns(reference(*kernel), only));
      sum_ns += time_ns * kernel->executions;
    }
    return sum_ns;
  }

  Result<double> time_of(size_t kernel, const Config& tile) {
    const uint64_t key = config_hash(tile);
    if (const auto at = known_[kernel].find(key); at != known_[kernel].end()) return at->second;
    const TileConfigs& part = space_.part(kernel);
    HLOSCOPE_ASSIGN(const double time_ns,
                    timer().time_ns(reference(part.kernel()), part.bounds(tile)));
    known_[kernel].emplace(key, time_ns);
    return time_ns;
  }

  const ProgramTiles& space_;
  std::vector<TileKernelPtr> others_;
  std::optional<Result<double>> others_ns_;
  std::vector<std::unordered_map<uint64_t, double>> known_;  ///< By kernel, then config_hash().
};

class RecordedEvaluator final : public EachEvaluator {
 public:
  RecordedEvaluator(const RecordedTiles& space, std::string device)
      : space_(space), device_(std::move(device)) {}

  bool is_hardware() const override { return true; }
  std::string source() const override { return fmt::format("measured ({}, recorded)", device_); }

 private:
  Result<Evaluation> evaluate_one(const Config& config, const Progress& /*progress*/) override {
    const RecordedTiles::Entry* entry = space_.find(config);
    if (entry == nullptr) return Evaluation{{}, "no run of this tile is recorded"};
    if (!entry->time_ns) return Evaluation{{}, "the run failed on the device"};
    return Evaluation{entry->time_ns, {}, *entry->time_ns};
  }

  const RecordedTiles& space_;
  std::string device_;
};

}  // namespace

std::unique_ptr<Evaluator> make_tile_evaluator(const TileConfigs& space,
                                               std::unique_ptr<KernelTimer> timer,
                                               HardwareCost cost) {
  return std::make_unique<TileEvaluator>(space, std::move(timer), cost);
}

std::unique_ptr<Evaluator> make_program_tile_evaluator(const ProgramTiles& space,
                                                       std::vector<TileKernelPtr> others,
                                                       std::unique_ptr<KernelTimer> timer,
                                                       HardwareCost cost) {
  return std::make_unique<ProgramTileEvaluator>(space, std::move(others), std::move(timer), cost);
}

std::unique_ptr<Evaluator> make_recorded_evaluator(const RecordedTiles& space, std::string device) {
  return std::make_unique<RecordedEvaluator>(space, std::move(device));
}

}  // namespace hloscope::tune
