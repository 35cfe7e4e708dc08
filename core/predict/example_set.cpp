#include "core/predict/example_set.h"

#include <algorithm>
#include <bit>

namespace hloscope::predict {

namespace {

uint32_t home_program(const Example& example, std::span<const data::Part> parts) {
  for (const SeenIn& seen : example.seen_in) {
    if (parts[seen.program] == example.part) return seen.program;
  }
  return example.seen_in.empty() ? 0 : example.seen_in.front().program;
}

}  // namespace

std::vector<uint32_t> ExampleSet::of(data::Part part) const {
  std::vector<uint32_t> out;
  for (uint32_t i = 0; i < examples.size(); ++i) {
    if (examples[i].part == part) out.push_back(i);
  }
  return out;
}

bool ExampleSet::has_estimates() const {
  return std::ranges::any_of(examples, [](const Example& e) { return !e.estimates.empty(); });
}

Hash128 ExampleSet::hash() const {
  Hasher hasher;
  hasher.add(data::name(info.task)).add(examples.size());
  for (const Example& example : examples) {
    hasher.add(example.hash.high).add(example.hash.low);
    hasher.add(static_cast<uint64_t>(example.part)).add(example.times_ns.size());
    for (const double time_ns : example.times_ns) hasher.add(std::bit_cast<uint64_t>(time_ns));
    for (const float value : example.tile_features) {
      hasher.add(uint64_t{std::bit_cast<uint32_t>(value)});
    }
    if (example.layouts.nodes().empty()) continue;
    for (size_t i = 0; i < example.samples(); ++i) {
      const Hash128 layouts = example.layouts.sample_hash(i);
      hasher.add(layouts.high).add(layouts.low);
    }
  }
  return hasher.digest();
}

size_t ExampleSet::bytes() const {
  size_t sum = 0;
  for (const Example& example : examples) sum += example.bytes();
  return sum;
}

void assign_families(ExampleSet& set) {
  set.families.clear();
  for (const data::SourceProgram& program : set.programs) set.families.push_back(program.family);
  std::sort(set.families.begin(), set.families.end());
  set.families.erase(std::unique(set.families.begin(), set.families.end()), set.families.end());
  std::vector<uint32_t> family_of;
  for (const data::SourceProgram& program : set.programs) {
    const auto at = std::lower_bound(set.families.begin(), set.families.end(), program.family);
    family_of.push_back(static_cast<uint32_t>(at - set.families.begin()));
  }
  if (family_of.empty()) return;
  for (Example& example : set.examples) {
    example.family = family_of[home_program(example, set.program_parts)];
  }
}

}  // namespace hloscope::predict
