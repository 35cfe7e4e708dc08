#pragma once

#include "core/tune/fusion_cursor.h"
#include "core/tune/space.h"

namespace hloscope::tune {

/// The fusions of a program: one bit per edge of a fuse::FusionSpace, the configurations those that
/// a fuse::FusionState can have.
class FusionConfigs final : public Space {
 public:
  /// The cursor stands at the default configuration.
  explicit FusionConfigs(std::shared_ptr<FusionCursor> cursor);

  [[nodiscard]] size_t dimensions() const override { return space_.edge_count(); }
  [[nodiscard]] uint32_t choices(size_t /*dimension*/) const override { return 2; }
  [[nodiscard]] std::string dimension_name(size_t dimension) const override;
  /// Not known: which of the 2^edges are valid nobody counts.
  [[nodiscard]] std::optional<double> count() const override { return std::nullopt; }
  [[nodiscard]] Config default_config() const override { return default_; }
  /// Each edge with probability 1/2, as far as that is valid.
  [[nodiscard]] Config random(Rng& rng) const override;
  /// Flips of random edges, those that are valid, until a kernel is another (where several edges
  /// hold the same instructions together, one of them alone changes nothing), and maybe of edges at
  /// the same instructions.
  [[nodiscard]] std::optional<Config> neighbour(const Config& from, Rng& rng) const override;
  [[nodiscard]] Config cross(const Config& a, const Config& b, Rng& rng) const override;
  [[nodiscard]] Config toward(const Config& a, const Config& b, double share,
                              Rng& rng) const override;
  /// In order of the bits, the last one fastest. Tries all that are not valid on the way.
  [[nodiscard]] std::optional<Config> after(const Config* last) const override;
  /// "0110...", as fuse::config_text().
  [[nodiscard]] std::string text(const Config& config) const override;
  [[nodiscard]] Result<Config> parse(std::string_view text) const override;
  /// With fuse::apply().
  [[nodiscard]] Result<hlo::ProgramPtr> program(const Config& config) const override;

 private:
  [[nodiscard]] bool is_valid(const Config& config) const;
  [[nodiscard]] std::optional<fuse::EdgeId> flip_any(Rng& rng) const;
  void flip_beside(fuse::EdgeId first, Rng& rng) const;

  std::shared_ptr<FusionCursor> cursor_;
  const fuse::FusionSpace& space_;
  Config default_;
};

}  // namespace hloscope::tune
