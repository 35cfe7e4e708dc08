#include "core/tune/layout_assignment.h"

#include <algorithm>

namespace hloscope::tune {

LayoutAssigner::LayoutAssigner(const LayoutGroups& groups) : groups_(groups) {
  using Pair = std::pair<LayoutGroupId, Neighbour>;
  std::vector<Pair> written;
  std::vector<Pair> read;
  for (const LayoutUse& use : groups.uses()) {
    if (use.from == use.to) continue;
    if (is_free(use.to)) written.emplace_back(use.to, Neighbour{use.from, use.bytes});
    if (is_free(use.from)) read.emplace_back(use.from, Neighbour{use.to, use.bytes});
  }
  const auto all = Csr<LayoutGroupId, Neighbour>::from_pairs(groups.group_count(), written);
  readers_ = Csr<LayoutGroupId, Neighbour>::from_pairs(groups.group_count(), read);

  std::vector<uint8_t> is_settled(groups.group_count(), 0);
  for (uint32_t i = 0; i < groups.group_count(); ++i) {
    is_settled[i] = is_free(LayoutGroupId(i)) ? 0 : 1;
  }
  std::vector<Pair> settled;
  for (LayoutGroupId id : groups.sequence()) {
    if (!is_free(id)) continue;
    const size_t before = settled.size();
    for (const Neighbour& writer : all[id]) {
      if (is_settled[writer.group.value] != 0) settled.emplace_back(id, writer);
    }
    is_settled[id.value] = settled.size() > before ? 1 : 0;
    (is_settled[id.value] != 0 ? forward_ : backward_).push_back(id);
  }
  writers_ = Csr<LayoutGroupId, Neighbour>::from_pairs(groups.group_count(), settled);
  std::reverse(backward_.begin(), backward_.end());
}

LayoutOrderId LayoutAssigner::vote(std::span<const Neighbour> voters, const LayoutOrders& orders,
                                   LayoutOrderId otherwise) {
  std::vector<std::pair<LayoutOrderId, double>> bytes;  // Few orders, however many voters.
  for (const Neighbour& voter : voters) {
    const LayoutOrderId order = orders[voter.group];
    const auto it = std::find_if(bytes.begin(), bytes.end(),
                                 [order](const auto& entry) { return entry.first == order; });
    if (it == bytes.end()) {
      bytes.emplace_back(order, voter.bytes);
    } else {
      it->second += voter.bytes;
    }
  }
  const auto most = std::max_element(
      bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == bytes.end() ? otherwise : most->first;
}

LayoutOrders LayoutAssigner::assign(const Config& config) const {
  LayoutOrders out;
  out.reserve(groups_.group_count());
  for (uint32_t i = 0; i < groups_.group_count(); ++i) {
    out.push_back(groups_[LayoutGroupId(i)].original);
  }
  for (size_t d = 0; d < config.size(); ++d) {
    const LayoutDimension& dimension = groups_.dimensions()[d];
    out[dimension.group] = dimension.choices[config[d]];
  }
  for (LayoutGroupId id : forward_) out[id] = vote(writers_[id], out, out[id]);
  for (LayoutGroupId id : backward_) out[id] = vote(readers_[id], out, out[id]);
  return out;
}

std::vector<LayoutCopy> copies(const LayoutGroups& groups, const LayoutOrders& orders) {
  std::vector<LayoutCopy> out;
  size_t first = 0;  // Copies of the value at hand.
  for (const LayoutUse& use : groups.uses()) {
    if (first < out.size() && out[first].value != use.value) first = out.size();
    const LayoutCopy copy = {use.value, orders[use.from], orders[use.to]};
    if (copy.from == copy.to) continue;
    const bool is_known = std::any_of(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                                      [&](const LayoutCopy& other) { return other.to == copy.to; });
    if (!is_known) out.push_back(copy);
  }
  return out;
}

}  // namespace hloscope::tune
