#include "core/data/statistics.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/compare.h"

namespace hloscope::data {

namespace {

std::vector<double> powers_of_two(int last) {
  std::vector<double> out;
  for (int i = 0; i <= last; ++i) out.push_back(std::ldexp(1.0, i));
  return out;
}

// 1, 2, 5, 10 ... so that analysis::kShortKernelNs is one of them.
std::vector<double> time_bounds_ns() {
  std::vector<double> out;
  for (double decade = 100; decade < 1e10; decade *= 10) {
    for (const double step : {1.0, 2.0, 5.0}) out.push_back(decade * step);
  }
  return out;
}

}  // namespace

void Distribution::add(double value) {
  const auto above = std::ranges::upper_bound(bounds_, value);
  ++counts_[static_cast<size_t>(above - bounds_.begin())];
  ++count_;
  sum_ += value;
  least_ = std::min(least_, value);
  most_ = std::max(most_, value);
}

std::optional<double> Distribution::mean() const {
  if (count_ == 0) return std::nullopt;
  return sum_ / static_cast<double>(count_);
}

std::optional<double> Distribution::least() const {
  return count_ == 0 ? std::nullopt : std::optional(least_);
}

std::optional<double> Distribution::most() const {
  return count_ == 0 ? std::nullopt : std::optional(most_);
}

std::vector<Distribution::Bin> Distribution::bins() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<Bin> out;
  for (size_t i = 0; i < counts_.size(); ++i) {
    out.push_back({i == 0 ? -kInfinity : bounds_[i - 1],
                   i == bounds_.size() ? kInfinity : bounds_[i], counts_[i]});
  }
  while (!out.empty() && out.back().count == 0) out.pop_back();
  const auto first = std::ranges::find_if(out, [](const Bin& bin) { return bin.count > 0; });
  out.erase(out.begin(), first);
  return out;
}

Statistics::Statistics()
    : nodes(powers_of_two(20)),
      time_ns(time_bounds_ns()),
      samples_per_graph(powers_of_two(24)),
      slowdown({1, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100}) {}

std::optional<double> Statistics::repeated_share() const {
  if (kernels_met == 0) return std::nullopt;
  return 1 - static_cast<double>(all.graphs) / static_cast<double>(kernels_met);
}

StatisticsCounter::StatisticsCounter(std::span<const SourceProgram> programs, const Split* split)
    : split_(split) {
  out_.all.programs = static_cast<int64_t>(programs.size());
  std::map<std::string_view, uint32_t> families;
  for (const SourceProgram& program : programs) families.emplace(program.family, 0);
  for (auto& [name, number] : families) {
    number = static_cast<uint32_t>(out_.families.size());
    out_.families.push_back({.name = std::string(name)});
  }
  for (const SourceProgram& program : programs) {
    family_of_.push_back(families.find(program.family)->second);
    ++out_.families[family_of_.back()].programs;
  }
  if (split == nullptr) return;
  for (size_t i = 0; i < kPartCount; ++i) {
    out_.parts.push_back({.name = std::string(name(static_cast<Part>(i)))});
  }
  for (const Part part : split->programs) ++out_.parts[static_cast<size_t>(part)].programs;
  for (const Part part : split->graphs) ++out_.parts[static_cast<size_t>(part)].graphs;
}

void StatisticsCounter::add_unit(int64_t kernel_count) {
  ++out_.units;
  out_.kernels_met += kernel_count;
}

void StatisticsCounter::add_graph(const GraphRecord& graph) {
  ++out_.all.graphs;
  out_.nodes.add(static_cast<double>(graph.node_count));
  auto known = std::ranges::find(out_.op_classes, graph.op_class, &Statistics::Counts::name);
  if (known == out_.op_classes.end()) {
    out_.op_classes.push_back({.name = graph.op_class});
    known = out_.op_classes.end() - 1;
  }
  ++known->graphs;
  class_of_.push_back(static_cast<uint16_t>(known - out_.op_classes.begin()));
  samples_of_.push_back(0);
}

void StatisticsCounter::add_sample(uint32_t graph, double time_ns) {
  if (graph_now_ != graph) end_graph();
  graph_now_ = graph;
  times_ns_.push_back(time_ns);
  ++samples_of_[graph];
  ++out_.all.samples;
  ++out_.op_classes[class_of_[graph]].samples;
  if (split_ != nullptr) ++out_.parts[static_cast<size_t>(split_->graphs[graph])].samples;
  out_.time_ns.add(time_ns);
  out_.short_samples += time_ns < analysis::kShortKernelNs ? 1 : 0;
}

// What takes all samples of a graph.
void StatisticsCounter::end_graph() {
  if (times_ns_.empty()) return;
  const double least = *std::ranges::min_element(times_ns_);
  out_.short_graphs += least < analysis::kShortKernelNs ? 1 : 0;
  out_.samples_per_graph.add(static_cast<double>(times_ns_.size()));
  if (times_ns_.size() > 1 && least > 0) {
    for (const double time_ns : times_ns_) out_.slowdown.add(time_ns / least);
  }
  times_ns_.clear();
}

void StatisticsCounter::add_sighting(uint32_t program, uint32_t graph) {
  if (graph_seen_ != graph) families_seen_.clear();
  graph_seen_ = graph;
  const uint32_t family = family_of_[program];
  if (std::ranges::find(families_seen_, family) != families_seen_.end()) return;
  families_seen_.push_back(family);
  ++out_.families[family].graphs;
  out_.families[family].samples += samples_of_[graph];
}

Statistics StatisticsCounter::finish() {
  end_graph();
  std::ranges::sort(out_.op_classes, [](const Statistics::Counts& a, const Statistics::Counts& b) {
    return a.graphs != b.graphs ? a.graphs > b.graphs : a.name < b.name;
  });
  return std::move(out_);
}

}  // namespace hloscope::data
