#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/hlo/read.h"

namespace hloscope::testing {

/// Ends the test program with an error. (qFatal never ends inside of a QtTest of Qt 6.4.)
[[noreturn]] inline void give_up(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::_Exit(1);
}

inline hlo::ProgramPtr parse(const std::string& text) {
  auto program = hlo::parse_program(text);
  if (!program) give_up(program.error().format());
  return *program;
}

}  // namespace hloscope::testing
