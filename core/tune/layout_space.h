#pragma once

#include <memory>
#include <unordered_map>

#include "core/base/progress.h"
#include "core/tune/layout_assignment.h"
#include "core/tune/space.h"

namespace hloscope::tune {

/// Orders of dimensions of the operands and results of the convolutions, dots and reshapes of a
/// program whose kernels are given: copies stand between kernels, and a fusion has one order
/// throughout, as far as its operations keep elements at their place. So a configuration changes
/// few kernels, and those that it does not change keep their time. 0: as the program has it.
class LayoutSpace final : public Space {
 public:
  explicit LayoutSpace(hlo::ProgramPtr program);

  [[nodiscard]] const LayoutGroups& groups() const { return groups_; }
  [[nodiscard]] LayoutOrders orders(const Config& config) const { return assigner_.assign(config); }

  [[nodiscard]] size_t dimensions() const override { return groups_.dimensions().size(); }
  [[nodiscard]] uint32_t choices(size_t dimension) const override;
  /// "convolution.12 operand 1".
  [[nodiscard]] std::string dimension_name(size_t dimension) const override;
  [[nodiscard]] std::optional<double> count() const override;
  [[nodiscard]] Config default_config() const override { return Config(dimensions(), 0); }
  [[nodiscard]] Config random(Rng& rng) const override;
  /// Another order for one array; half of the time also for those that hang together with it and
  /// have the order that it had, so that no copy is needed between them.
  [[nodiscard]] std::optional<Config> neighbour(const Config& from, Rng& rng) const override;
  [[nodiscard]] Config cross(const Config& a, const Config& b, Rng& rng) const override;
  [[nodiscard]] Config toward(const Config& a, const Config& b, double share,
                              Rng& rng) const override;
  /// The default first; the first dimension moves fastest.
  [[nodiscard]] std::optional<Config> after(const Config* last) const override;
  /// What differs from the program: `convolution.12/in1:2.1.0.3;dot.3/out:0.1`, minor to major;
  /// "default" when nothing does.
  [[nodiscard]] std::string text(const Config& config) const override;
  /// Arrays that are not named stay as they are.
  [[nodiscard]] Result<Config> parse(std::string_view text) const override;
  [[nodiscard]] Result<hlo::ProgramPtr> program(const Config& config) const override;

 private:
  void find_links();
  void find_links_of(size_t dimension, const Csr<LayoutGroupId, LayoutGroupId>& neighbours);
  [[nodiscard]] std::optional<uint32_t> choice_of(size_t dimension, LayoutOrderId order) const;
  [[nodiscard]] Status read_part(std::string_view text, Config& config) const;

  LayoutGroups groups_;
  LayoutAssigner assigner_;
  std::unordered_map<std::string_view, size_t> by_key_;
  /// By dimension: those that are reached through free groups alone.
  std::vector<std::vector<size_t>> links_;
};

/// The space of a program; where it is not optimised, of the kernels of hloscope's own fusion.
/// Errors: kUnsupported where there is nothing to choose; those of fuse::with_own_fusion().
[[nodiscard]] Result<std::unique_ptr<LayoutSpace>> make_layout_space(const hlo::ProgramPtr& program,
                                                                     const Progress& progress = {});

}  // namespace hloscope::tune
