#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/rng.h"
#include "core/hlo/program.h"
#include "core/tune/config.h"

namespace hloscope::tune {

/// What a session searches: the configurations of a kernel or of a program. Every configuration
/// that a function returns is valid and in the one form that stands for it, so that equal ones have
/// equal values. Used by one thread at a time: spaces may remember where they stand.
class Space {
 public:
  Space() = default;
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;
  virtual ~Space() = default;

  [[nodiscard]] virtual size_t dimensions() const = 0;
  [[nodiscard]] virtual uint32_t choices(size_t dimension) const = 0;
  /// What a dimension is, for axes and exports: "output 0", "edge 12".
  [[nodiscard]] virtual std::string dimension_name(size_t dimension) const = 0;
  /// Number of configurations; empty where they cannot be counted.
  [[nodiscard]] virtual std::optional<double> count() const = 0;

  /// The compiler's choice, or what stands for it.
  [[nodiscard]] virtual Config default_config() const = 0;
  [[nodiscard]] virtual Config random(Rng& rng) const = 0;
  /// One small move away from a configuration of this space; empty where there is no other.
  [[nodiscard]] virtual std::optional<Config> neighbour(const Config& from, Rng& rng) const = 0;
  /// Has the value of one of two configurations of this space in each dimension, as far as that is
  /// valid.
  [[nodiscard]] virtual Config cross(const Config& a, const Config& b, Rng& rng) const = 0;
  /// `a` with the values of `b` in a share of the places where they differ, in one at least, as far
  /// as that is valid.
  [[nodiscard]] virtual Config toward(const Config& a, const Config& b, double share,
                                      Rng& rng) const = 0;
  /// The first configuration, or the one that follows: each once, in a fixed order, made only when
  /// asked for. Empty at the end.
  [[nodiscard]] virtual std::optional<Config> after(const Config* last) const = 0;

  /// As users write and read it: `out=12x4x4x3,kernel=3x1x24x3`, `0110...`.
  [[nodiscard]] virtual std::string text(const Config& config) const = 0;
  /// Error: kInvalidInput, for what is no valid configuration.
  [[nodiscard]] virtual Result<Config> parse(std::string_view text) const = 0;
  /// The program that runs with this configuration. Errors: what making it gives.
  [[nodiscard]] virtual Result<hlo::ProgramPtr> program(const Config& config) const = 0;
};

/// toward() where every value may stand beside every other.
[[nodiscard]] Config mixed_toward(const Config& a, const Config& b, double share, Rng& rng);
/// A share of so many places, at least one of them, in random order.
[[nodiscard]] std::vector<size_t> drawn_places(size_t places, double share, Rng& rng);

}  // namespace hloscope::tune
