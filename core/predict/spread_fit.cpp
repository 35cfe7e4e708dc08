#include "core/predict/spread_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace hloscope::predict {

namespace {

constexpr size_t kFewestToFit = 20;

// The least value that so many of the others do not exceed; one more than the share, as conformal
// prediction has it.
double conformal_quantile(std::vector<double> values, double share) {
  const auto count = static_cast<double>(values.size());
  const auto rank = static_cast<size_t>(std::ceil(share * (count + 1)));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::min(rank, values.size()) - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

double SpreadFit::width(double deviation) const {
  return factor * std::hypot(floor, deviation);
}

std::string SpreadFit::to_json() const {
  return nlohmann::ordered_json{{"floor", floor}, {"factor", factor}, {"kernels", kernels}}.dump();
}

Result<SpreadFit> SpreadFit::from_json(std::string_view text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  const auto number = [&json](const char* key) {
    const auto at = json.is_object() ? json.find(key) : json.end();
    return at != json.end() && at->is_number() ? at->get<double>() : -1;
  };
  const SpreadFit out{number("floor"), number("factor"), 0};
  const double kernels = number("kernels");
  if (out.floor >= 0 && out.factor >= 0 && kernels >= 0 && kernels < 1e15) {
    return SpreadFit{out.floor, out.factor, static_cast<size_t>(kernels)};
  }
  return fail(ErrorCode::kInvalidInput, "metadata 'spread' is damaged",
              "'hloscope-cli ensemble --write' fits it again");
}

Result<SpreadFit> fit_spread(std::span<const double> deviations, std::span<const double> errors) {
  assert(deviations.size() == errors.size());
  if (errors.size() < kFewestToFit) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} kernels are too few to fit a spread to", errors.size()),
                fmt::format("take a part of a split with at least {}", kFewestToFit));
  }
  SpreadFit out;
  out.kernels = errors.size();
  out.floor = conformal_quantile({deviations.begin(), deviations.end()}, 0.5);
  std::vector<double> scores;
  scores.reserve(errors.size());
  for (size_t i = 0; i < errors.size(); ++i) {
    const double unit = std::hypot(out.floor, deviations[i]);
    scores.push_back(unit > 0 ? std::abs(errors[i]) / unit : 0);
  }
  out.factor = conformal_quantile(std::move(scores), SpreadFit::kCoverage);
  return out;
}

}  // namespace hloscope::predict
