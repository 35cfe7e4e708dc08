#include "core/predict/sampler.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hloscope::predict {

namespace {

// Nodes of a program times its configurations in a batch: this bounds the memory of a step.
constexpr size_t kMostLayoutRows = 32768;

// Moves `count` elements, drawn by chance, to the front.
void draw_to_front(std::span<uint32_t> from, size_t count, Rng& rng) {
  for (size_t i = 0; i < count; ++i) std::swap(from[i], from[i + rng.below(from.size() - i)]);
}

// `count` positions, ascending: that of the least time, as many of the fastest quarter as make up
// half, and others.
std::vector<uint32_t> draw_times(std::span<const double> times_ns, size_t count, Rng& rng) {
  const size_t n = times_ns.size();
  std::vector<uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0U);
  if (count >= n) return all;
  std::ranges::sort(all, {}, [&](uint32_t at) { return std::pair(times_ns[at], at); });
  const size_t fast = std::max(n / 4, count / 2);
  const std::span<uint32_t> rest = std::span(all).subspan(1);
  draw_to_front(rest.first(fast), count / 2, rng);
  draw_to_front(rest.subspan(count / 2), count - 1 - count / 2, rng);
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

uint32_t BatchSampler::Deck::draw(Rng& rng) {
  if (next == 0) shuffle(std::span(cards), rng);
  const uint32_t card = cards[next];
  next = (next + 1) % cards.size();
  return card;
}

BatchSampler::BatchSampler(const ExampleSet& set, std::span<const uint32_t> positions,
                           const SamplerOptions& options)
    : set_(set), options_(options), rng_(options.seed) {
  const size_t least_samples = set.is_ranked() ? 2 : 1;
  std::vector<Deck> by_family(std::max<size_t>(set.families.size(), 1));
  for (const uint32_t at : positions) {
    const Example& example = set.examples[at];
    if (example.samples() < least_samples) continue;
    by_family[example.family].cards.push_back(at);
    ++size_;
  }
  for (Deck& deck : by_family) {
    if (!deck.cards.empty()) families_.push_back(std::move(deck));
  }
  turns_.cards.resize(families_.size());
  std::iota(turns_.cards.begin(), turns_.cards.end(), 0U);
}

uint32_t BatchSampler::draw_example() {
  if (waiting_) return *std::exchange(waiting_, std::nullopt);
  return families_[turns_.draw(rng_)].draw(rng_);
}

Chosen BatchSampler::choose(uint32_t at) {
  const Example& example = set_.examples[at];
  if (!set_.is_ranked()) return {at, {example.default_sample}};
  size_t count = options_.configurations;
  if (set_.info.task == data::Task::kLayout) {
    count = std::min(count, kMostLayoutRows / std::max<size_t>(example.nodes(), 1));
  }
  count = std::max<size_t>(count, 2);
  return {at, draw_times(example.times_ns, count, rng_)};
}

std::vector<Chosen> BatchSampler::next() {
  std::vector<Chosen> out;
  if (empty()) return out;
  size_t nodes = 0;
  while (nodes < options_.nodes) {
    const uint32_t at = draw_example();
    const size_t more = std::max<size_t>(set_.examples[at].nodes(), 1);
    if (!out.empty() && nodes + more > options_.nodes) {
      waiting_ = at;
      break;
    }
    out.push_back(choose(at));
    nodes += more;
  }
  return out;
}

std::vector<uint32_t> thinned(std::span<const uint32_t> positions, size_t most) {
  if (positions.size() <= most) return {positions.begin(), positions.end()};
  std::vector<uint32_t> out(most);
  for (size_t i = 0; i < most; ++i) out[i] = positions[i * positions.size() / most];
  return out;
}

std::vector<std::vector<Chosen>> full_pass(const ExampleSet& set,
                                           std::span<const uint32_t> positions, size_t nodes,
                                           size_t samples) {
  std::vector<std::vector<Chosen>> out;
  size_t nodes_there = 0;
  size_t samples_there = 0;
  for (const uint32_t at : positions) {
    const Example& example = set.examples[at];
    for (size_t begin = 0; begin < example.samples(); begin += samples) {
      const size_t count = std::min(samples, example.samples() - begin);
      if (out.empty() || nodes_there + example.nodes() > nodes || samples_there + count > samples) {
        out.emplace_back();
        nodes_there = samples_there = 0;
      }
      Chosen chosen{at, std::vector<uint32_t>(count)};
      std::iota(chosen.samples.begin(), chosen.samples.end(), static_cast<uint32_t>(begin));
      out.back().push_back(std::move(chosen));
      nodes_there += example.nodes();
      samples_there += count;
    }
  }
  return out;
}

}  // namespace hloscope::predict
