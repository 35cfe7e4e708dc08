#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/hlo/program.h"
#include "core/hlo/shape.h"

namespace hloscope::measured {

inline constexpr std::string_view kLoop = "kLoop";  ///< A kind of fusion.

using hlo::PrimitiveType;

/// An array as a kernel reads or writes it.
struct Array {
  PrimitiveType type = PrimitiveType::kF32;
  std::vector<int64_t> dims;
  std::vector<int64_t> minor_to_major;  ///< As many as dims.

  [[nodiscard]] Array as(PrimitiveType other) const { return {other, dims, minor_to_major}; }
  /// HLO text with the tiles of the TPU, e.g. bf16[512,768]{1,0:T(8,128)(2,1)}.
  [[nodiscard]] std::string text() const;
};

/// With the last dimension minor.
[[nodiscard]] Array row_major(PrimitiveType type, std::vector<int64_t> dims);
/// With the two minor dimensions that pad least in tiles of the TPU, as its compiler gives them to
/// the arguments and results of a program; row-major where nothing pads less. The other dimensions
/// keep their order.
[[nodiscard]] Array least_padded(PrimitiveType type, std::vector<int64_t> dims);
/// What is left of `array` without one dimension, in the same order.
[[nodiscard]] Array without(const Array& array, int64_t dimension);

/// Writes the HLO text of one kernel, as a TPU's compiler leaves it, and parses it. The value names
/// that the functions return are operands of the next ones.
class KernelText {
 public:
  std::string parameter(const Array& array);
  /// `result = opcode(operands), attributes`.
  std::string op(const Array& result, std::string_view opcode,
                 const std::vector<std::string>& operands, std::string_view attributes = {});
  /// One number in every element.
  std::string splat(const Array& result, std::string_view number);
  /// `value` along `dimensions` of the result.
  std::string broadcast(const Array& result, const std::string& value,
                        const std::vector<int64_t>& dimensions);
  /// opcode: "add" or "maximum".
  std::string reduce(const Array& result, const std::string& value, std::string_view opcode,
                     int64_t dimension);
  std::string reduce_window(const Array& result, const std::string& value, std::string_view opcode,
                            std::string_view window);

  /// The kernel is a fusion of all that was written; `roots` are its results. Error: what the
  /// parser finds wrong.
  [[nodiscard]] Result<hlo::ProgramPtr> fusion(std::string_view name, std::string_view kind,
                                               const std::vector<std::string>& roots) const;
  /// The kernel is the last instruction written, the only one that is not a constant.
  [[nodiscard]] Result<hlo::ProgramPtr> instruction(std::string_view name) const;

 private:
  struct Value {
    std::string name;
    std::string shape;
    std::string line;  // behind the name; empty for a parameter
  };
  std::string add(const Array& result, std::string line);
  std::string scalar(PrimitiveType type, std::string_view number);
  std::string region(PrimitiveType type, std::string_view opcode);
  [[nodiscard]] const Value& value(const std::string& name) const;
  [[nodiscard]] std::string header(std::string_view name) const;
  [[nodiscard]] std::string parameter_lines() const;
  [[nodiscard]] std::string parameter_names() const;

  std::vector<Value> parameters_;
  std::vector<Value> values_;
  std::vector<std::string> regions_;
};

}  // namespace hloscope::measured
