#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/intern.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/graph_opcodes.h"
#include "core/data/split.h"

namespace hloscope::data {

/// What the graphs of a data set are made of: terms with counts, by position of the graph.
class GraphKinds {
 public:
  struct Term {
    StringId name;
    uint32_t count = 0;
  };

  /// A kernel counts for three terms, from coarse to fine: its op class, its class with the first
  /// word of its label (the opcode that names it), its class with the whole label.
  void add(std::string_view op_class, std::string_view label);
  /// A graph that is more than one kernel, or whose class is not known, counts for the opcodes of
  /// all its nodes.
  void add(std::span<const OpcodeCount> opcodes);

  [[nodiscard]] size_t size() const { return ends_.size(); }
  [[nodiscard]] std::span<const Term> terms(size_t graph) const;
  [[nodiscard]] const StringTable& names() const { return names_; }

 private:
  StringTable names_;
  std::vector<Term> terms_;
  std::vector<size_t> ends_;  // Of the terms of each graph.
};

/// How alike any two programs are: 0 (nothing in common) .. 1.
class Similarities {
 public:
  explicit Similarities(size_t programs) : size_(programs), values_(programs * programs, 0) {}
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] double of(size_t a, size_t b) const { return values_[a * size_ + b]; }
  void set(size_t a, size_t b, double value) {
    values_[a * size_ + b] = values_[b * size_ + a] = static_cast<float>(value);
  }

 private:
  size_t size_;
  std::vector<float> values_;
};

/// The cosine of what the programs contain. Every distinct graph met in a program adds its terms. A
/// term of count c counts log(1 + c), times 1 + log((1 + programs) / (1 + programs that have it)):
/// what all programs have says little. Does not depend on the order of programs, graphs and
/// meetings. Error: kCancelled.
[[nodiscard]] Result<Similarities> similarities(size_t programs, const GraphKinds& kinds,
                                                std::span<const Meeting> meetings,
                                                const Progress& progress = {});

/// The training program that a held-out program is most similar to.
struct Nearest {
  uint32_t program = 0;
  double similarity = 0;
};
/// For each program that is held out; empty for those of train, and when train is empty. Of equally
/// similar ones that of the least content hash.
[[nodiscard]] std::vector<std::optional<Nearest>> nearest_training(
    std::span<const SourceProgram> programs, std::span<const Part> parts,
    const Similarities& similarities);

/// Holds out the programs that are least similar to all others, test first, then valid of the
/// rest. Programs are clustered by single linkage (the most similar two of two clusters link them),
/// families kept together. The links are cut from the weakest on, until some of the clusters
/// together have the wanted count of programs, or up to half as many more: so the similarity
/// between what is held out and what stays is as low as it can be with such counts. Of several
/// choices: the smallest, of the clusters with the weakest links to others. Where families allow no
/// such count, the nearest to it. Errors: as random_split(); kCancelled.
[[nodiscard]] Result<std::vector<Part>> manual_split(std::span<const SourceProgram> programs,
                                                     const Similarities& similarities,
                                                     const HeldOut& held_out,
                                                     const Progress& progress = {});

}  // namespace hloscope::data
