#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>

#include "core/data/disjoint_sets.h"
#include "core/data/program_groups.h"
#include "core/data/similarity.h"

namespace hloscope::data {

namespace {

// Numbers of groups throughout: positions among those that are not held out yet.
struct Link {
  uint32_t a = 0;
  uint32_t b = 0;
  double similarity = 0;
};

// The strongest links that join all groups (Prim): single linkage is cutting the weakest of them.
// The weakest first.
std::vector<Link> strongest_tree(const Similarities& similarity) {
  const auto size = static_cast<uint32_t>(similarity.size());
  std::vector<Link> best(size);
  std::vector<char> joined(size, 0);
  for (uint32_t i = 0; i < size; ++i) best[i] = {0, i, similarity.of(0, i)};
  joined[0] = 1;
  std::vector<Link> tree;
  while (tree.size() + 1 < size) {
    uint32_t next = 0;
    for (uint32_t i = 1; i < size; ++i) {
      if (joined[i] != 0) continue;
      if (next == 0 || best[i].similarity > best[next].similarity) next = i;
    }
    joined[next] = 1;
    tree.push_back(best[next]);
    for (uint32_t i = 0; i < size; ++i) {
      if (joined[i] != 0 || similarity.of(next, i) <= best[i].similarity) continue;
      best[i] = {next, i, similarity.of(next, i)};
    }
  }
  std::ranges::stable_sort(tree, {}, &Link::similarity);
  return tree;
}

struct Cluster {
  std::vector<uint32_t> groups;
  size_t programs = 0;
  double strongest_link = 0;  // To another cluster.
};

// The clusters that are left when the first `cut` links of the tree are gone; those with the
// weakest links to others first.
std::vector<Cluster> clusters(std::span<const Link> tree, size_t cut,
                              std::span<const size_t> group_sizes) {
  DisjointSets sets(group_sizes.size());
  for (const Link& link : tree.subspan(cut)) sets.join(link.a, link.b);
  std::vector<Cluster> all(group_sizes.size());
  for (uint32_t i = 0; i < group_sizes.size(); ++i) {
    all[sets.root(i)].groups.push_back(i);
    all[sets.root(i)].programs += group_sizes[i];
  }
  // The strongest link between two clusters is one of the tree.
  for (const Link& link : tree.first(cut)) {
    for (const uint32_t end : {link.a, link.b}) {
      double& strongest = all[sets.root(end)].strongest_link;
      strongest = std::max(strongest, link.similarity);
    }
  }
  std::erase_if(all, [](const Cluster& cluster) { return cluster.groups.empty(); });
  std::ranges::stable_sort(all, [](const Cluster& a, const Cluster& b) {
    return std::pair(a.strongest_link, a.programs) < std::pair(b.strongest_link, b.programs);
  });
  return all;
}

// From how few groups the clusters from i on make up exactly n programs.
class Sums {
 public:
  static constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max();

  Sums(std::span<const Cluster> clusters, size_t most)
      : width_(most + 1), groups_((clusters.size() + 1) * width_, kNever) {
    groups_[clusters.size() * width_] = 0;
    for (size_t i = clusters.size(); i-- > 0;) {
      for (size_t n = 0; n < width_; ++n) {
        const uint32_t with = taking(clusters[i], i, n);
        groups_[i * width_ + n] = std::min(with, of(i + 1, n));
      }
    }
  }
  [[nodiscard]] uint32_t of(size_t i, size_t n) const { return groups_[i * width_ + n]; }
  // The same when cluster i is one of them.
  [[nodiscard]] uint32_t taking(const Cluster& cluster, size_t i, size_t n) const {
    if (cluster.programs > n) return kNever;
    const uint32_t rest = of(i + 1, n - cluster.programs);
    return rest == kNever ? kNever : rest + static_cast<uint32_t>(cluster.groups.size());
  }

 private:
  size_t width_;
  std::vector<uint32_t> groups_;
};

struct Range {
  size_t least = 0;
  size_t most = 0;
};

// Groups to be held out of others.
class Choice {
 public:
  Choice(const Similarities& similarity, std::vector<size_t> group_sizes, size_t stay)
      : tree_(strongest_tree(similarity)), group_sizes_(std::move(group_sizes)) {
    most_groups_ = static_cast<uint32_t>(group_sizes_.size() - stay);
  }

  [[nodiscard]] std::vector<uint32_t> hold_out(size_t wanted) const {
    Range range{wanted, wanted + wanted / 2};
    if (!count_within(tree_.size(), range)) range = nearest_count(wanted);
    // What larger clusters make up, smaller ones do too: the least cut can be bisected.
    size_t low = 0;
    size_t high = tree_.size();
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (count_within(middle, range)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    const std::optional<size_t> count = count_within(low, range);
    return count ? groups_of(low, *count) : std::vector<uint32_t>{};
  }

 private:
  // The least count in the range that clusters can make up.
  [[nodiscard]] std::optional<size_t> count_within(size_t cut, Range range) const {
    const std::vector<Cluster> all = clusters(tree_, cut, group_sizes_);
    const Sums sums(all, range.most);
    for (size_t n = range.least; n <= range.most; ++n) {
      if (sums.of(0, n) <= most_groups_) return n;
    }
    return std::nullopt;
  }

  [[nodiscard]] Range nearest_count(size_t wanted) const {
    const size_t total = std::accumulate(group_sizes_.begin(), group_sizes_.end(), size_t{0});
    const std::vector<Cluster> all = clusters(tree_, tree_.size(), group_sizes_);
    const Sums sums(all, total);
    const auto distance = [wanted](size_t n) { return n < wanted ? wanted - n : n - wanted; };
    size_t best = 0;
    for (size_t n = 1; n <= total; ++n) {
      if (sums.of(0, n) > most_groups_) continue;
      if (best == 0 || distance(n) < distance(best)) best = n;
    }
    return {best, best};
  }

  [[nodiscard]] std::vector<uint32_t> groups_of(size_t cut, size_t count) const {
    const std::vector<Cluster> all = clusters(tree_, cut, group_sizes_);
    const Sums sums(all, count);
    std::vector<uint32_t> out;
    for (size_t i = 0; i < all.size() && count > 0; ++i) {
      const uint32_t with = sums.taking(all[i], i, count);
      if (with == Sums::kNever || out.size() + with > most_groups_) continue;
      out.insert(out.end(), all[i].groups.begin(), all[i].groups.end());
      count -= all[i].programs;
    }
    return out;
  }

  std::vector<Link> tree_;
  std::vector<size_t> group_sizes_;
  uint32_t most_groups_ = 0;
};

double similarity_of(const ProgramGroup& a, const ProgramGroup& b, const Similarities& programs) {
  double most = 0;
  for (const uint32_t i : a) {
    for (const uint32_t j : b) most = std::max(most, programs.of(i, j));
  }
  return most;
}

// Takes groups out of `groups`; at least `stay` of them remain.
std::vector<ProgramGroup> hold_out(std::vector<ProgramGroup>& groups, const Similarities& programs,
                                   size_t wanted, size_t stay) {
  if (wanted == 0 || groups.size() <= stay) return {};
  Similarities similarity(groups.size());
  std::vector<size_t> sizes;
  for (size_t a = 0; a < groups.size(); ++a) {
    sizes.push_back(groups[a].size());
    for (size_t b = 0; b < a; ++b) {
      similarity.set(a, b, similarity_of(groups[a], groups[b], programs));
    }
  }
  std::vector<uint32_t> held = Choice(similarity, std::move(sizes), stay).hold_out(wanted);
  std::ranges::sort(held, std::ranges::greater());
  std::vector<ProgramGroup> out;
  for (const uint32_t group : held) {
    out.push_back(std::move(groups[group]));
    groups.erase(groups.begin() + group);
  }
  return out;
}

}  // namespace

Result<std::vector<Part>> manual_split(std::span<const SourceProgram> programs,
                                       const Similarities& similarities, const HeldOut& held_out,
                                       const Progress& progress) {
  std::vector<ProgramGroup> groups = program_groups(programs, /*keep_families=*/true);
  HLOSCOPE_ASSIGN(const HeldOutCounts counts,
                  held_out_counts(programs.size(), groups.size(), held_out));
  std::vector<Part> parts(programs.size(), Part::kTrain);
  const std::array<std::pair<Part, size_t>, 2> steps{
      {{Part::kTest, counts.test}, {Part::kValid, counts.valid}}};
  for (const auto& [part, wanted] : steps) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "stopped");
    progress.report(part == Part::kTest ? 0 : 0.5, "choosing programs");
    const size_t stay = part == Part::kTest && counts.valid > 0 ? 2 : 1;
    for (const ProgramGroup& group : data::hold_out(groups, similarities, wanted, stay)) {
      for (const uint32_t program : group) parts[program] = part;
    }
  }
  return parts;
}

}  // namespace hloscope::data
