#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data/data_set.h"
#include "core/data/split.h"

namespace hloscope::data {

/// Counts, mean and extremes of numbers that go by once.
class Distribution {
 public:
  struct Bin {
    double from = 0;  ///< Inclusive; -infinity of the first bin.
    double to = 0;    ///< Exclusive; infinity of the last bin.
    int64_t count = 0;
    bool operator==(const Bin&) const = default;
  };

  /// `bounds` ascending: one bin below the first, one from the last on.
  explicit Distribution(std::vector<double> bounds)
      : bounds_(std::move(bounds)), counts_(bounds_.size() + 1, 0) {}
  void add(double value);

  [[nodiscard]] int64_t count() const { return count_; }
  /// All empty without values.
  [[nodiscard]] std::optional<double> mean() const;
  [[nodiscard]] std::optional<double> least() const;
  [[nodiscard]] std::optional<double> most() const;
  /// From the first bin with a value to the last.
  [[nodiscard]] std::vector<Bin> bins() const;

 private:
  std::vector<double> bounds_;
  std::vector<int64_t> counts_;
  int64_t count_ = 0;
  double sum_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -std::numeric_limits<double>::infinity();
};

struct Statistics {
  struct Counts {
    std::string name;
    int64_t programs = 0;
    int64_t graphs = 0;
    int64_t samples = 0;
    bool operator==(const Counts&) const = default;
  };
  Counts all;
  int64_t units = 0;
  int64_t kernels_met = 0;  ///< In all units; 0 of a data set that was not generated.
  /// By op class, most graphs first; `programs` is not counted. The name is empty where no class
  /// is known.
  std::vector<Counts> op_classes;
  /// By family, by name. A graph counts in every family that it was met in.
  std::vector<Counts> families;
  std::vector<Counts> parts;  ///< train, valid, test; empty without a split.

  Distribution nodes;              ///< Of each graph.
  Distribution time_ns;            ///< Of each sample.
  Distribution samples_per_graph;  ///< Tiles of a kernel, say.
  /// time / least time of its graph, of the samples of graphs that have two or more.
  Distribution slowdown;
  int64_t short_samples = 0;  ///< Of less than analysis::kShortKernelNs.
  int64_t short_graphs = 0;   ///< Whose least time is.

  Statistics();
  /// Kernels met that were known already, of all kernels met; empty when none were met.
  [[nodiscard]] std::optional<double> repeated_share() const;
};

/// Takes a data set piece by piece, in the order of the functions; keeps a few bytes per graph.
class StatisticsCounter {
 public:
  /// `split` may be null; its sizes must fit the data set, and it must outlive the counter.
  StatisticsCounter(std::span<const SourceProgram> programs, const Split* split);

  void add_unit(int64_t kernel_count);
  void add_graph(const GraphRecord& graph);  ///< By ascending position, from 0.
  /// Those of a graph together. Positions must be in range.
  void add_sample(uint32_t graph, double time_ns);
  void add_sighting(uint32_t program, uint32_t graph);  ///< Those of a graph together.
  [[nodiscard]] Statistics finish();

 private:
  void end_graph();

  const Split* split_;
  Statistics out_;
  std::vector<uint16_t> class_of_;    // Of each graph: in out_.op_classes.
  std::vector<uint32_t> samples_of_;  // Of each graph.
  std::vector<double> times_ns_;      // Of the graph that samples come from now.
  std::vector<uint32_t> family_of_;   // Of each program: in out_.families.
  std::vector<uint32_t> families_seen_;
  std::optional<uint32_t> graph_seen_;
  std::optional<uint32_t> graph_now_;
};

}  // namespace hloscope::data
