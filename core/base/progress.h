#pragma once

#include <functional>
#include <stop_token>
#include <string_view>
#include <utility>

namespace hloscope {

/// Passed to everything that can take over 100 ms. Default: never stops, reports nowhere.
class Progress {
 public:
  /// fraction 0..1 of the whole work, and what is being done now.
  using Report = std::function<void(double fraction, std::string_view what)>;

  Progress() = default;
  explicit Progress(std::stop_token stop, Report report = {})
      : stop_(std::move(stop)), report_(std::move(report)) {}

  [[nodiscard]] bool stop_requested() const { return stop_.stop_requested(); }
  void report(double fraction, std::string_view what) const {
    if (report_) report_(fraction, what);
  }
  /// For one step of a larger work: its 0..1 is reported as [from, to] of the whole.
  [[nodiscard]] Progress part(double from, double to) const {
    if (!report_) return Progress(stop_);
    return Progress(stop_, [report = report_, from, to](double fraction, std::string_view what) {
      report(from + (to - from) * fraction, what);
    });
  }

 private:
  std::stop_token stop_;
  Report report_;
};

}  // namespace hloscope
