#include "core/tune/terms_timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/predict/batching.h"
#include "core/predict/estimate_features.h"
#include "core/sim/estimate.h"

namespace hloscope::tune {

namespace {

/// One kernel at a time: see make_learned_timer().
class TermsTimer final : public KernelTimer {
 public:
  TermsTimer(const sim::Machine& machine, std::shared_ptr<const predict::Ensemble> ensemble)
      : KernelTimer(machine),
        ensemble_(std::move(ensemble)),
        source_(fmt::format("predicted ({})", ensemble_->label())) {
    for (const predict::Ensemble::Member& member : ensemble_->members()) {
      tapes_.push_back(std::make_unique<nn::Tape<float>>(member.stored.model.parameters()));
      tapes_.back()->set_recording(false);
    }
    batch_.node_offsets = {0, 0};
    batch_.sample_offsets = {0, 1};
    batch_.analytical.resize(1, 1);
  }

  Result<double> time_ns(const KernelRef& kernel, const std::vector<int64_t>& bounds) override {
    const sim::Estimate estimate = sim::estimate(kernel.model, bounds, rates());
    row_.clear();
    predict::append_estimate_features(estimate, row_);
    batch_.analytical(0, 0) = static_cast<float>(predict::log_ns(estimate.time_ns));
    double log_sum = 0;
    for (size_t m = 0; m < tapes_.size(); ++m) log_sum += log_ns(m);
    return std::exp(log_sum / static_cast<double>(tapes_.size()));
  }
  std::string source() const override { return source_; }

 private:
  double log_ns(size_t m) {
    const predict::Ensemble::Member& member = ensemble_->members()[m];
    const predict::InputWidths widths = member.normaliser.widths();
    batch_.node_features.resize(0, static_cast<Eigen::Index>(widths.node));
    batch_.configurations.resize(1, static_cast<Eigen::Index>(widths.configuration));
    member.normaliser.apply(member.normaliser.estimate, row_,
                            {batch_.configurations.data(), widths.configuration});
    nn::Tape<float>& tape = *tapes_[m];
    tape.reset();
    return static_cast<double>(tape.value(member.stored.model.predict(tape, batch_))(0, 0));
  }

  std::shared_ptr<const predict::Ensemble> ensemble_;
  std::string source_;
  std::vector<std::unique_ptr<nn::Tape<float>>> tapes_;  ///< By member.
  predict::Batch<float> batch_;
  std::vector<float> row_;
};

}  // namespace

bool sees_terms_only(const predict::Ensemble& ensemble) {
  return ensemble.task() == data::Task::kFusion &&
         std::ranges::all_of(ensemble.members(), [](const predict::Ensemble::Member& member) {
           const predict::ModelOptions& options = member.stored.model.options();
           return options.readout == predict::Readout::kNone &&
                  options.static_features == predict::StaticFeatures::kOff;
         });
}

std::unique_ptr<KernelTimer> make_terms_timer(const sim::Machine& machine,
                                              std::shared_ptr<const predict::Ensemble> ensemble) {
  return std::make_unique<TermsTimer>(machine, std::move(ensemble));
}

}  // namespace hloscope::tune
