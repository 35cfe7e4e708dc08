#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace hloscope {

enum class ErrorCode {
  kInvalidInput,  ///< The user's data is wrong: bad file, bad value.
  kNotFound,      ///< A file, name or row that does not exist.
  kIo,            ///< The operating system refused to read or write.
  kUnsupported,   ///< Recognised, but not handled by this version.
  kCancelled,     ///< The user stopped the work; not a failure.
  kReadOnly,      ///< A write to something opened read-only.
  kInternal,      ///< A broken promise of ours.
};

/// What went wrong, where, and what to do about it.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;      ///< One sentence, no trailing full stop.
  std::string file;         ///< Empty when no file is involved.
  int line = 0;             ///< 1-based; 0 = unknown.
  int column = 0;           ///< 1-based byte column; 0 = unknown.
  std::string source_line;  ///< The offending line, to be shown above a caret.
  std::string hint;         ///< What the user can do; may be empty.

  /// `file:line:column: message`, then the line, a caret and the hint, as far as they are known.
  [[nodiscard]] std::string format() const;
  /// The first line of format().
  [[nodiscard]] std::string headline() const;
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message,
                                                std::string hint = {}) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace hloscope

/// Returns the error of `expr` (a Result) from the enclosing function.
#define HLOSCOPE_TRY(expr)                                                            \
  do {                                                                                \
    if (auto hloscope_status = (expr); !hloscope_status)                              \
      return ::tl::unexpected<::hloscope::Error>(std::move(hloscope_status).error()); \
  } while (false)

#define HLOSCOPE_CONCAT_INNER(a, b) a##b
#define HLOSCOPE_CONCAT(a, b) HLOSCOPE_CONCAT_INNER(a, b)
/// `HLOSCOPE_ASSIGN(auto x, f());`: binds the value of a Result, or returns its error.
#define HLOSCOPE_ASSIGN(lhs, expr) \
  HLOSCOPE_ASSIGN_INNER(HLOSCOPE_CONCAT(hloscope_result_, __LINE__), lhs, expr)
#define HLOSCOPE_ASSIGN_INNER(tmp, lhs, expr)                                   \
  auto tmp = (expr);                                                            \
  if (!tmp) return ::tl::unexpected<::hloscope::Error>(std::move(tmp).error()); \
  lhs = std::move(*tmp)
