#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/data/array.h"

namespace hloscope::data {

/// A size that a read array must have; empty: any.
using WantedSize = std::optional<size_t>;
using WantedShape = std::vector<WantedSize>;

template <typename T>
struct Values {
  Shape shape;
  std::vector<T> values;  ///< In C order.
};

/// An .npz file: a zip (stored or deflated) of .npy files, as numpy.savez and savez_compressed
/// write it. Kept in memory; members are unpacked when they are asked for. Errors of all functions
/// carry the file, and name the array.
class NpzFile {
 public:
  /// Errors: kNotFound, kIo, kInvalidInput (no zip, or a cut one).
  [[nodiscard]] static Result<NpzFile> open(const std::string& path);

  /// Names of the arrays without ".npy", in the order of the file.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool contains(std::string_view name) const;

  /// Errors: kNotFound (no such array; the hint lists those there are), kInvalidInput (damaged: its
  /// checksum is wrong, or what read_npy() says), kUnsupported (encrypted, other compression).
  [[nodiscard]] Result<Array> array(std::string_view name) const;
  /// The same, with the values as float32 or int64 (see data::floats and data::integers) and the
  /// shape checked. Errors: also kInvalidInput for another rank, size or kind of element.
  [[nodiscard]] Result<Values<float>> floats(std::string_view name,
                                             const WantedShape& wanted) const;
  [[nodiscard]] Result<Values<int64_t>> integers(std::string_view name,
                                                 const WantedShape& wanted) const;

  /// `error` about the array `name` of this file.
  [[nodiscard]] Error located(Error error, std::string_view name) const;

 private:
  struct Archive;  // of libzip
  NpzFile() = default;

  std::string path_;
  std::shared_ptr<Archive> archive_;
  std::vector<std::string> names_;
};

struct NamedArray {
  std::string name;
  Array array;
};

/// Writes a compressed .npz file that numpy.load reads. The same arrays give the same bytes. Takes
/// the place of an existing file only when all is written. Errors: kIo; kInvalidInput without
/// arrays.
[[nodiscard]] Status write_npz(const std::string& path, std::span<const NamedArray> arrays);

}  // namespace hloscope::data
