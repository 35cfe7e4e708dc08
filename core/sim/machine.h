#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/base/result.h"

namespace hloscope::sim {

/// One number about a machine, with where it comes from.
struct Constant {
  double value = 0;
  std::string unit;    ///< "GHz", "bytes", "ns", ...; see resources/machines.
  std::string source;  ///< A citation, or "assumed".
  [[nodiscard]] bool is_assumed() const { return source.starts_with("assumed"); }
  bool operator==(const Constant&) const = default;
};

/// A TPU generation as data (one core): every constant has value, unit and source. Nothing about a
/// generation is in code.
struct Machine {
  std::string id;     ///< "tpu_v3"
  std::string title;  ///< "TPU v3, 1 core"
  std::map<std::string, Constant> constants;
  Hash128 hash;  ///< Of the file's bytes: names the machine in stored results.

  /// The value in the unit of the file; an unknown name is a programmer's error (asserts, 0).
  [[nodiscard]] double operator[](std::string_view name) const;
};

/// Reads a machine file (JSON). Errors: kInvalidInput naming the missing or ill-typed key.
[[nodiscard]] Result<Machine> parse_machine(std::string_view json, std::string_view name);

/// The machines shipped in resources/machines (built into the program), in order of generation.
[[nodiscard]] const std::vector<Machine>& builtin_machines();
/// By id ("tpu_v3"), or a path to a user's machine file. Error: kNotFound listing the known ids.
[[nodiscard]] Result<Machine> find_machine(std::string_view id_or_path);

}  // namespace hloscope::sim
