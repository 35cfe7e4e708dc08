#include "core/data/configuration_words.h"

#include <map>

#include "core/data/varint.h"

namespace hloscope::data {

namespace {

// In place of the count of lists, which is never negative.
constexpr int64_t kLists = -1;    // A word is a list.
constexpr int64_t kPieces = -2;   // A word is a piece of the only list.
constexpr size_t kPieceSize = 6;  // Numbers of one layout in a row of features.
// More values are not in any configuration; damaged bytes could ask for any amount.
constexpr size_t kMostValues = size_t{1} << 24;

Configuration pieces_of(const std::vector<int64_t>& list) {
  Configuration out;
  for (size_t at = 0; at < list.size(); at += kPieceSize) {
    const auto first = list.begin() + static_cast<std::ptrdiff_t>(at);
    const size_t size = std::min(kPieceSize, list.size() - at);
    out.emplace_back(first, first + static_cast<std::ptrdiff_t>(size));
  }
  return out;
}

}  // namespace

void put_list(std::string& out, const std::vector<int64_t>& list) {
  put_integer(out, static_cast<int64_t>(list.size()));
  for (const int64_t value : list) put_integer(out, value);
}

std::optional<std::vector<int64_t>> take_list(std::string_view& bytes) {
  const std::optional<size_t> size = take_count(bytes);
  if (!size) return std::nullopt;
  std::vector<int64_t> list;
  list.reserve(*size);
  for (size_t i = 0; i < *size; ++i) {
    const std::optional<int64_t> value = take_integer(bytes);
    if (!value) return std::nullopt;
    list.push_back(*value);
  }
  return list;
}

std::string pack_words(const Configuration& configuration) {
  const bool cut = configuration.size() == 1;
  const Configuration pieces = cut ? pieces_of(configuration.front()) : Configuration();
  std::map<std::vector<int64_t>, size_t> numbers;
  std::string words;
  std::string sequence;
  for (const std::vector<int64_t>& word : cut ? pieces : configuration) {
    const auto [at, is_new] = numbers.try_emplace(word, numbers.size());
    if (is_new) put_list(words, word);
    put_integer(sequence, static_cast<int64_t>(at->second));
  }
  std::string out;
  put_integer(out, cut ? kPieces : kLists);
  put_integer(out, static_cast<int64_t>(numbers.size()));
  out += words;
  put_integer(out, static_cast<int64_t>(cut ? pieces.size() : configuration.size()));
  return out + sequence;
}

bool are_words(std::string_view bytes) {
  const std::optional<int64_t> first = take_integer(bytes);
  return first && (*first == kLists || *first == kPieces);
}

std::optional<Configuration> unpack_words(std::string_view bytes) {
  const bool cut = take_integer(bytes) == kPieces;
  const std::optional<size_t> word_count = take_count(bytes);
  if (!word_count) return std::nullopt;
  Configuration words;
  for (size_t i = 0; i < *word_count; ++i) {
    std::optional<std::vector<int64_t>> word = take_list(bytes);
    if (!word) return std::nullopt;
    words.push_back(std::move(*word));
  }
  const std::optional<size_t> length = take_count(bytes);
  if (!length) return std::nullopt;
  Configuration out(cut ? 1 : 0);
  size_t values = 0;
  for (size_t i = 0; i < *length; ++i) {
    const std::optional<int64_t> number = take_integer(bytes);
    if (!number || *number < 0 || static_cast<uint64_t>(*number) >= words.size()) {
      return std::nullopt;
    }
    const std::vector<int64_t>& word = words[static_cast<size_t>(*number)];
    values += word.size();
    if (values > kMostValues) return std::nullopt;
    if (cut) {
      out.front().insert(out.front().end(), word.begin(), word.end());
    } else {
      out.push_back(word);
    }
  }
  if (!bytes.empty()) return std::nullopt;
  return out;
}

}  // namespace hloscope::data
