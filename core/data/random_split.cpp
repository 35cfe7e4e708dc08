#include <algorithm>

#include "core/base/rng.h"
#include "core/data/program_groups.h"
#include "core/data/split.h"

namespace hloscope::data {

namespace {

// Groups in a drawn order, the next of which are put in a part.
class Draw {
 public:
  Draw(std::vector<ProgramGroup> groups, uint64_t seed) : left_(std::move(groups)) {
    Rng rng(seed);
    shuffle(std::span(left_), rng);
  }

  // Programs of about the wanted count; at least so many groups stay.
  std::vector<uint32_t> take(size_t wanted, size_t stay) {
    std::vector<uint32_t> out;
    for (size_t i = 0; i < left_.size() && left_.size() > stay && out.size() < wanted;) {
      if (out.size() + left_[i].size() <= wanted) {
        move(i, out);
      } else {
        ++i;
      }
    }
    // Every family is larger than the part was to be.
    if (out.empty() && wanted > 0 && left_.size() > stay) {
      const auto least = std::ranges::min_element(left_, {}, &ProgramGroup::size);
      move(static_cast<size_t>(least - left_.begin()), out);
    }
    return out;
  }

 private:
  void move(size_t group, std::vector<uint32_t>& out) {
    out.insert(out.end(), left_[group].begin(), left_[group].end());
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(group));
  }

  std::vector<ProgramGroup> left_;
};

}  // namespace

Result<std::vector<Part>> random_split(std::span<const SourceProgram> programs,
                                       const RandomSplitOptions& options) {
  std::vector<ProgramGroup> groups = program_groups(programs, options.keep_families);
  HLOSCOPE_ASSIGN(const HeldOutCounts counts,
                  held_out_counts(programs.size(), groups.size(), options.held_out));
  Draw draw(std::move(groups), options.seed);
  std::vector<Part> parts(programs.size(), Part::kTrain);
  const size_t stay = counts.valid > 0 ? 2 : 1;
  for (const uint32_t program : draw.take(counts.test, stay)) parts[program] = Part::kTest;
  for (const uint32_t program : draw.take(counts.valid, 1)) parts[program] = Part::kValid;
  return parts;
}

}  // namespace hloscope::data
