#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "db/sqlite/statement.h"

struct sqlite3;

namespace hloscope::db {

enum class Access {
  kCreate,     ///< Read and write; an absent file is made.
  kWrite,      ///< Read and write; read only where the system allows no more.
  kImmutable,  ///< Read, with no lock and no file beside it: only for a file nobody writes.
};

/// An SQLite handle with its pool of prepared statements. Stays at one address.
class Connection {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Connection>> open(
      const std::filesystem::path& path, Access access, std::chrono::milliseconds busy_timeout);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  [[nodiscard]] Result<Statement> prepare(std::string_view sql);
  /// Any number of statements; rows are thrown away.
  [[nodiscard]] Status execute(const std::string& sql);
  /// First column of the first row; kInternal without a row.
  [[nodiscard]] Result<int64_t> integer(std::string_view sql);
  [[nodiscard]] Result<std::string> text(std::string_view sql);

  [[nodiscard]] int64_t last_insert_row() const;
  [[nodiscard]] int64_t changes() const;      ///< Rows changed by the last statement.
  [[nodiscard]] int64_t all_changes() const;  ///< Rows changed since it was opened.
  [[nodiscard]] bool in_transaction() const;
  [[nodiscard]] bool is_read_only() const;
  /// The last statement failed since the system would not open or make a file.
  [[nodiscard]] bool is_denied() const;
  /// The last statement failed for want of room, or since the disk did not do what it should.
  [[nodiscard]] bool lacks_room() const;
  /// Another file, or none, is where this one was when it was opened.
  [[nodiscard]] bool has_moved() const;
  /// The first bytes of the file itself, without lock and without SQL.
  [[nodiscard]] Result<std::string> raw_bytes(size_t count) const;
  /// Closing will not move the write-ahead log into the file.
  void leave_log_on_close();

  [[nodiscard]] Error error(int code) const;
  void take_back(sqlite3_stmt* statement);

 private:
  Connection(sqlite3* handle, std::filesystem::path path)
      : handle_(handle), path_(std::move(path)) {}

  sqlite3* handle_;
  std::filesystem::path path_;
  std::unordered_map<std::string, std::vector<sqlite3_stmt*>> idle_;
};

/// BEGIN IMMEDIATE, or a savepoint inside another transaction; rolled back unless committed.
class Transaction {
 public:
  [[nodiscard]] static Result<Transaction> begin(Connection& connection);
  Transaction(Transaction&& other) noexcept
      : connection_(other.connection_), is_nested_(other.is_nested_) {
    other.connection_ = nullptr;
  }
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  [[nodiscard]] Status commit();

 private:
  Transaction(Connection& connection, bool is_nested)
      : connection_(&connection), is_nested_(is_nested) {}

  Connection* connection_;
  bool is_nested_;
};

}  // namespace hloscope::db
