#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hloscope::ui {

/// The order of texts of which more and more come in. What is added is sorted by whoever adds it, a
/// worker for instance, and kept as a run; runs of about the same length are merged, so that ranks
/// of very many texts are there in a few milliseconds. Equal texts have equal ranks.
class TextOrder {
 public:
  /// Sorts the texts from size() on.
  void extend(const std::vector<std::string>& texts);
  /// The texts of `more` follow those of this one; `texts` are all of them.
  void append(TextOrder&& more, const std::vector<std::string>& texts);
  [[nodiscard]] size_t size() const { return size_; }
  /// By text; those behind size() are sorted for this alone.
  [[nodiscard]] std::vector<uint32_t> ranks(const std::vector<std::string>& texts) const;

 private:
  using Run = std::vector<uint32_t>;
  void merge_last(const std::vector<std::string>& texts);
  void balance(const std::vector<std::string>& texts);

  std::vector<Run> runs_;
  size_t size_ = 0;
};

}  // namespace hloscope::ui
