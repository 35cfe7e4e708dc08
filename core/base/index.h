#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace hloscope {

/// A strong 32-bit index: `struct FooTag; using FooId = Index<FooTag>;`. Default is invalid.
template <typename Tag>
struct Index {
  static constexpr uint32_t kInvalid = std::numeric_limits<uint32_t>::max();
  uint32_t value = kInvalid;

  constexpr Index() = default;
  constexpr explicit Index(uint32_t v) : value(v) {}
  constexpr explicit Index(size_t v) : value(static_cast<uint32_t>(v)) {}
  constexpr explicit Index(int v) : value(static_cast<uint32_t>(v)) {}
  [[nodiscard]] constexpr bool valid() const { return value != kInvalid; }
  constexpr auto operator<=>(const Index&) const = default;
};

/// A vector that is indexed by one kind of id only.
template <typename Id, typename T>
class IndexedVector {
 public:
  IndexedVector() = default;
  explicit IndexedVector(size_t n, const T& fill = T()) : data_(n, fill) {}

  T& operator[](Id id) { return data_[id.value]; }
  const T& operator[](Id id) const { return data_[id.value]; }
  [[nodiscard]] size_t size() const { return data_.size(); }
  [[nodiscard]] bool empty() const { return data_.empty(); }
  [[nodiscard]] bool contains(Id id) const { return id.value < data_.size(); }
  void reserve(size_t n) { data_.reserve(n); }
  void resize(size_t n, const T& fill = T()) { data_.resize(n, fill); }
  void shrink_to_fit() { data_.shrink_to_fit(); }
  /// Appends and returns the id of the new element.
  Id push_back(T value) {
    data_.push_back(std::move(value));
    return Id(data_.size() - 1);
  }
  T& back() { return data_.back(); }
  auto begin() { return data_.begin(); }
  auto end() { return data_.end(); }
  auto begin() const { return data_.begin(); }
  auto end() const { return data_.end(); }
  std::vector<T>& raw() { return data_; }
  const std::vector<T>& raw() const { return data_; }

 private:
  std::vector<T> data_;
};

/// `for (InstructionId id : id_range<InstructionId>(begin, end))`.
template <typename Id>
class IdRange {
 public:
  class iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = Id;
    constexpr explicit iterator(uint32_t v = 0) : v_(v) {}
    constexpr Id operator*() const { return Id(v_); }
    constexpr iterator& operator++() {
      ++v_;
      return *this;
    }
    constexpr iterator operator++(int) {
      iterator old = *this;
      ++v_;
      return old;
    }
    constexpr bool operator==(const iterator&) const = default;

   private:
    uint32_t v_;
  };

  constexpr IdRange() = default;
  constexpr IdRange(uint32_t first, uint32_t last) : first_(first), last_(last) {}
  [[nodiscard]] constexpr iterator begin() const { return iterator(first_); }
  [[nodiscard]] constexpr iterator end() const { return iterator(last_); }
  [[nodiscard]] constexpr size_t size() const { return last_ - first_; }
  [[nodiscard]] constexpr bool empty() const { return first_ == last_; }
  [[nodiscard]] constexpr bool contains(Id id) const {
    return id.value >= first_ && id.value < last_;
  }
  [[nodiscard]] constexpr Id front() const { return Id(first_); }
  [[nodiscard]] constexpr Id operator[](size_t i) const { return Id(first_ + i); }

 private:
  uint32_t first_ = 0;
  uint32_t last_ = 0;
};

}  // namespace hloscope

template <typename Tag>
struct std::hash<hloscope::Index<Tag>> {
  size_t operator()(hloscope::Index<Tag> id) const noexcept { return id.value; }
};
