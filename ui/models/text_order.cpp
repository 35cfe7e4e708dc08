#include "ui/models/text_order.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace hloscope::ui {

void TextOrder::extend(const std::vector<std::string>& texts) {
  if (texts.size() <= size_) return;
  Run run(texts.size() - size_);
  std::iota(run.begin(), run.end(), static_cast<uint32_t>(size_));
  std::sort(run.begin(), run.end(), [&texts](uint32_t a, uint32_t b) {
    const int order = texts[a].compare(texts[b]);
    return order != 0 ? order < 0 : a < b;
  });
  size_ = texts.size();
  runs_.push_back(std::move(run));
  balance(texts);
}

void TextOrder::append(TextOrder&& more, const std::vector<std::string>& texts) {
  const auto first = static_cast<uint32_t>(size_);
  for (Run& run : more.runs_) {
    for (uint32_t& text : run) text += first;
    runs_.push_back(std::move(run));
  }
  size_ += std::exchange(more.size_, 0);
  more.runs_.clear();
  balance(texts);
}

void TextOrder::balance(const std::vector<std::string>& texts) {
  while (runs_.size() > 1 && runs_[runs_.size() - 2].size() <= 2 * runs_.back().size()) {
    merge_last(texts);
  }
}

void TextOrder::merge_last(const std::vector<std::string>& texts) {
  const Run last = std::move(runs_.back());
  runs_.pop_back();
  const Run before = std::move(runs_.back());
  Run& merged = runs_.back();
  merged.clear();
  merged.reserve(before.size() + last.size());
  std::merge(before.begin(), before.end(), last.begin(), last.end(), std::back_inserter(merged),
             [&texts](uint32_t a, uint32_t b) { return texts[a] < texts[b]; });
}

std::vector<uint32_t> TextOrder::ranks(const std::vector<std::string>& texts) const {
  TextOrder whole = *this;
  whole.extend(texts);
  while (whole.runs_.size() > 1) whole.merge_last(texts);
  std::vector<uint32_t> ranks(texts.size());
  if (texts.empty()) return ranks;
  const Run& order = whole.runs_.front();
  uint32_t rank = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && texts[order[i]] != texts[order[i - 1]]) ++rank;
    ranks[order[i]] = rank;
  }
  return ranks;
}

}  // namespace hloscope::ui
