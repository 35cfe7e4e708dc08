#pragma once

#include <QString>
#include <string>
#include <string_view>

#include "core/hlo/read.h"

namespace hloscope::testing {

/// A module whose entry has parameters of many types, and `lines` behind them; line 1 of `lines` is
/// line kFirstLine of the text. Computations: addf (f32, f32 -> f32), less (f32, f32 -> pred),
/// cond and body on (s32[], f32[4]), same (f32[4] -> f32[4]).
inline constexpr int kFirstLine = 33;
inline std::string in_entry(const std::string& lines) {
  return R"(HloModule m

addf {
  fa = f32[] parameter(0)
  fb = f32[] parameter(1)
  ROOT fs = f32[] add(fa, fb)
}

less {
  la = f32[] parameter(0)
  lb = f32[] parameter(1)
  ROOT ls = pred[] compare(la, lb), direction=LT
}

cond {
  cp = (s32[], f32[4]) parameter(0)
  ROOT cc = pred[] constant(false)
}
body { ROOT bp = (s32[], f32[4]) parameter(0) }
same { ROOT sp = f32[4] parameter(0) }

ENTRY e {
  x = f32[4] parameter(0)
  m = f32[4,8]{1,0} parameter(1)
  i = s32[] parameter(2)
  t = (s32[], f32[4]) parameter(3)
  q = pred[] parameter(4)
  z = f32[] parameter(5)
  v = s32[4] parameter(6)
  k = token[] parameter(7)
  c = c64[4] parameter(8)
  w = f32[8,8] parameter(9)
)" + lines +
         "\n}\n";
}

/// The program of in_entry(), or null.
inline hlo::ProgramPtr entry(const std::string& lines) {
  auto program = hlo::parse_program(in_entry(lines));
  return program ? *program : nullptr;
}

/// The error message with which `text` is refused; empty when it is read.
inline std::string error_of(std::string text, bool strict = false) {
  hlo::ReadOptions options;
  options.strict = strict;
  const auto file = hlo::read_bytes(std::move(text), "t", options);
  return file ? std::string() : file.error().format();
}

/// The first line of the error of in_entry(lines), without the file name and with line numbers
/// that count from 1 in `lines`; "" when it is read.
inline std::string entry_error(const std::string& lines) {
  const auto file = hlo::read_bytes(in_entry(lines), "t");
  if (file) return {};
  const Error& error = file.error();
  return std::to_string(error.line - kFirstLine + 1) + ":" + std::to_string(error.column) + ": " +
         error.message;
}

inline QString qs(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace hloscope::testing
