#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/data/data_set.h"

namespace hloscope::data {

enum class Part : uint8_t { kTrain, kValid, kTest };
inline constexpr size_t kPartCount = 3;
[[nodiscard]] std::string_view name(Part part);  ///< "train", "valid", "test".
[[nodiscard]] std::optional<Part> find_part(std::string_view name);

/// A data set cut in parts. No program and no graph is in two of them.
struct Split {
  std::string name;
  std::string settings = "{}";  ///< JSON: method, seed, fractions.
  std::vector<Part> programs;   ///< By position of the program.
  std::vector<Part> graphs;     ///< By position of the graph.
};

/// A graph was met in a program; both by position.
struct Meeting {
  uint32_t program = 0;
  uint32_t graph = 0;
};

/// Where the graphs go when the programs are divided. A graph that programs of several parts have
/// goes to one of them: test before valid before train.
struct GraphParts {
  std::vector<Part> parts;  ///< By position of the graph; train for those met nowhere.
  // Graphs taken out of a part that they were met in too. One met in all three counts in both
  // of the ways to test.
  int64_t train_to_valid = 0;
  int64_t train_to_test = 0;
  int64_t valid_to_test = 0;
};
/// `programs` has the part of each program. Positions of `meetings` must be in range.
[[nodiscard]] GraphParts graph_parts(std::span<const Part> programs, size_t graph_count,
                                     std::span<const Meeting> meetings);

/// Proves that nothing of one part is known from another: programs of equal content are in one
/// part, a graph met in a test program is a test graph, one met in a valid program is not a train
/// graph, and every graph is in a part that it was met in. Error: kInternal, naming the program or
/// graph; also when the sizes do not fit together.
[[nodiscard]] Status check_no_leak(const Split& split, std::span<const SourceProgram> programs,
                                   std::span<const Meeting> meetings);

/// How many programs are held out, as fractions of all.
struct HeldOut {
  double valid = 0.1;
  double test = 0.1;
};

struct RandomSplitOptions {
  HeldOut held_out = {};
  uint64_t seed = 1;
  bool keep_families = false;  ///< Variants of one model stay together.
};

/// The part of each program, drawn by chance. Depends on the contents of the programs and not on
/// their order. Parts have round(fraction x programs), at least one each of three or more (of two:
/// test); programs of one content, and families where wanted, are never cut, so parts can then be
/// smaller, or larger when every family is. Error: kInvalidInput for fractions that are negative
/// or leave nothing to train on, and when all programs would have to stay together.
[[nodiscard]] Result<std::vector<Part>> random_split(std::span<const SourceProgram> programs,
                                                     const RandomSplitOptions& options);

}  // namespace hloscope::data
