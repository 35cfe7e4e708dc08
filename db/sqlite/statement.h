#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "db/ids.h"

struct sqlite3_stmt;

namespace hloscope::db {

class Connection;

/// Bytes for a BLOB column.
struct Blob {
  std::string_view bytes;
};

/// An empty text is stored as NULL.
[[nodiscard]] inline std::optional<std::string_view> null_if_empty(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

/// A prepared statement, lent by a Connection: goes back to it when destroyed, to be used again.
/// Parameters count from 1, columns from 0.
class Statement {
 public:
  Statement(Connection& connection, sqlite3_stmt* handle)
      : connection_(&connection), handle_(handle) {}
  Statement(Statement&& other) noexcept
      : connection_(other.connection_), handle_(other.handle_), error_(other.error_) {
    other.handle_ = nullptr;
  }
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  /// Binds all parameters (texts and blobs are copied), ready for step().
  template <typename... Values>
  Statement& bind(const Values&... values) {
    reset();
    int index = 0;
    (set(++index, values), ...);
    return *this;
  }
  /// Binds, executes to the end and is ready for the next values. For statements without rows.
  template <typename... Values>
  Status run(const Values&... values) {
    bind(values...);
    const auto row = step();
    reset();
    HLOSCOPE_TRY(row);
    return {};
  }
  /// True: a row is there. False: the end. After an error or the end, bind() starts anew.
  Result<bool> step();
  void reset();

  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  /// Valid until the next step(); empty for NULL.
  [[nodiscard]] std::string_view text(int column) const;
  /// The bytes of a BLOB column; valid until the next step(), empty for NULL.
  [[nodiscard]] std::string_view blob(int column) const;
  /// A column of 32 hexadecimal digits.
  [[nodiscard]] Hash128 hash(int column) const;

 private:
  void set(int index, std::nullptr_t);
  void set(int index, int64_t value);
  void set(int index, int value) { set(index, int64_t{value}); }
  void set(int index, uint32_t value) { set(index, int64_t{value}); }
  void set(int index, bool value) { set(index, int64_t{value ? 1 : 0}); }
  void set(int index, double value);
  void set(int index, std::string_view value);
  void set(int index, Blob value);
  void set(int index, const std::string& value) { set(index, std::string_view(value)); }
  void set(int index, const char* value) { set(index, std::string_view(value)); }
  void set(int index, const Hash128& value) { set(index, value.hex()); }
  template <typename Tag>
  void set(int index, RowId<Tag> value) {
    value.valid() ? set(index, value.value) : set(index, nullptr);
  }
  template <typename T>
  void set(int index, const std::optional<T>& value) {
    value ? set(index, *value) : set(index, nullptr);
  }
  void note(int code) {
    if (error_ == 0) error_ = code;
  }

  Connection* connection_;
  sqlite3_stmt* handle_;
  int error_ = 0;  ///< First failed binding; reported by step().
};

}  // namespace hloscope::db
