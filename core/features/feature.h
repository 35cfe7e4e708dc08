#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"

namespace hloscope::features {

/// Numbers that one getter of the feature table gives.
using Integers = std::vector<int64_t>;

/// How the numbers of a getter become features. Lists give their first `places` numbers; what is
/// missing is filled. Sums and products run over all numbers, also those without a place.
enum class Form : uint8_t {
  kNumber,          ///< One number; filled when there is none.
  kList,            ///< places.
  kListSumProduct,  ///< places, sum, product.
  kFlags,           ///< places, how many are true, how many are false.
  kOneHot,          ///< One of `places` is 1: the one at the position given.
  kReal,            ///< One real number.
};

/// Which features belong together; widths are those of TpuGraphs (arXiv 2308.13490) where it has
/// them.
enum class Group : uint8_t {
  kNode,    ///< 140 per instruction, as TpuGraphs has them.
  kStatic,  ///< Static performance features: FLOPs, bytes read and written, special functions.
  kExtra,   ///< What later work added: dims by 128, dot dimensions, padding, -1 for absent.
  kTile,    ///< 24 per tile configuration.
  kLayout,  ///< 18 per configurable instruction and layout configuration.
  kDot,     ///< 3 per configured dot.
  kFusion,  ///< 1 per instruction and fusion configuration.
};
inline constexpr int kGroupCount = 7;
[[nodiscard]] std::string_view name(Group group);

/// A row of the feature table: everything about one feature or list of features but its getter.
struct Feature {
  Group group = Group::kNode;
  std::string_view name;
  Form form = Form::kNumber;
  int places = 1;
  int64_t fill = 0;           ///< For places that the list does not reach.
  int64_t empty_product = 1;  ///< Product of an empty list.
  /// Of kOneHot: the names of the positions.
  std::span<const std::string_view> choices = {};
};

/// Features that a row of the table stands for.
[[nodiscard]] size_t width(const Feature& feature);
/// Appends their names: name_0, name_1, name_sum, name_product ...
void append_names(const Feature& feature, std::vector<std::string>& out);
/// Writes width(feature) values to `out`. Sums and products wrap at 64 bits, as in TpuGraphs.
void encode(const Feature& feature, const Integers& values, float* out);

/// Of the whole group, in table order.
[[nodiscard]] size_t width(Group group);
[[nodiscard]] std::vector<std::string> names(Group group);
/// Changes when any name, width or position changes: model files carry it.
[[nodiscard]] Hash128 table_hash();

}  // namespace hloscope::features
