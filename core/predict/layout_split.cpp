#include "core/predict/layout_split.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hloscope::predict {

namespace {

constexpr size_t kLeastSamples = 10;
constexpr size_t kShare = 5;  // One of so many is held out, for each of the two parts.

Example only(const Example& example, std::vector<uint32_t> samples, data::Part part) {
  std::sort(samples.begin(), samples.end());
  Example out = example;
  out.part = part;
  out.layouts = example.layouts.only(samples);
  out.times_ns.clear();
  bool has_default = false;
  for (const uint32_t at : samples) {
    if (at == example.default_sample) {
      out.default_sample = static_cast<uint32_t>(out.times_ns.size());
      has_default = true;
    }
    out.times_ns.push_back(example.times_ns[at]);
  }
  if (!has_default) out.default_sample = static_cast<uint32_t>(out.fastest());
  return out;
}

// Samples in an order that depends on nothing but their layouts.
std::vector<uint32_t> by_hash(const LayoutRows& layouts, size_t samples) {
  std::vector<std::pair<Hash128, uint32_t>> order;
  for (uint32_t i = 0; i < samples; ++i) order.emplace_back(layouts.sample_hash(i), i);
  std::sort(order.begin(), order.end());
  std::vector<uint32_t> out;
  for (const auto& [hash, sample] : order) out.push_back(sample);
  return out;
}

}  // namespace

Status hold_out_configurations(ExampleSet& set) {
  if (set.info.task != data::Task::kLayout) {
    return fail(
        ErrorCode::kInvalidInput,
        fmt::format("configurations are held out of task layout, but the data set is of task {}",
                    data::name(set.info.task)),
        "name a split of the data set: see dataset split");
  }
  std::vector<Example> out;
  for (Example& example : set.examples) {
    if (example.samples() < kLeastSamples) {
      example.part = data::Part::kTrain;
      out.push_back(std::move(example));
      continue;
    }
    const std::vector<uint32_t> order = by_hash(example.layouts, example.samples());
    const auto held = static_cast<std::ptrdiff_t>(order.size() / kShare);
    const auto valid = order.end() - 2 * held;
    const auto test = order.end() - held;
    out.push_back(only(example, {order.begin(), valid}, data::Part::kTrain));
    out.push_back(only(example, {valid, test}, data::Part::kValid));
    out.push_back(only(example, {test, order.end()}, data::Part::kTest));
  }
  set.examples = std::move(out);
  set.split = kHeldOutConfigurations;
  return {};
}

}  // namespace hloscope::predict
