#pragma once

#include <QTest>

#include "core/eval/evaluate.h"
#include "core/hlo/read.h"

namespace hloscope::testing {

/// The program of a text that is known to be good.
inline hlo::ProgramPtr program_of(const std::string& text) {
  auto program = hlo::parse_program(text);
  if (!program) qFatal("%s", program.error().format().c_str());
  return std::move(*program);
}

inline eval::Value floats(eval::Dims dimensions, const std::vector<double>& values,
                          hlo::PrimitiveType type = hlo::PrimitiveType::kF32) {
  eval::Array array{type, std::move(dimensions), {}};
  for (const double value : values) array.elements.push_back(eval::Scalar::of(value));
  return eval::Value(std::move(array));
}

inline eval::Value integers(eval::Dims dimensions, const std::vector<int64_t>& values,
                            hlo::PrimitiveType type = hlo::PrimitiveType::kS32) {
  eval::Array array{type, std::move(dimensions), {}};
  for (const int64_t value : values) array.elements.push_back(eval::Scalar::of(value));
  return eval::Value(std::move(array));
}

}  // namespace hloscope::testing
