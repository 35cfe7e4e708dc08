#include "core/tune/layout_orders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>

#include "core/hlo/tpu_layout.h"

namespace hloscope::tune {

namespace {

constexpr size_t kMaxRankOfAll = 4;
constexpr size_t kTiledDimensions = 2;

std::vector<int64_t> long_dimensions(const hlo::Shape& shape) {
  std::vector<int64_t> out;
  for (size_t d = 0; d < shape.rank(); ++d) {
    if (shape.dimensions[d] > 1) out.push_back(static_cast<int64_t>(d));
  }
  return out;
}

std::vector<LayoutOrder> all_orders(size_t rank) {
  LayoutOrder order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::vector<LayoutOrder> out;
  do {
    out.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return out;
}

std::vector<LayoutOrder> minor_pairs(const hlo::Shape& shape, const std::vector<int64_t>& choice) {
  std::vector<LayoutOrder> out;
  for (int64_t lanes : choice) {
    for (int64_t rows : choice) {
      if (rows == lanes) continue;
      LayoutOrder& order = out.emplace_back(LayoutOrder{lanes, rows});
      for (int64_t d : shape.layout.minor_to_major) {
        if (d != lanes && d != rows) order.push_back(d);
      }
    }
  }
  return out;
}

// Equal for orders with every element at the same address: above the tiles a dimension of one
// element makes no difference.
LayoutOrder address_key(const hlo::Shape& shape, const LayoutOrder& order) {
  LayoutOrder key;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i < kTiledDimensions || shape.dimensions[static_cast<size_t>(order[i])] > 1) {
      key.push_back(order[i]);
    }
  }
  return key;
}

}  // namespace

bool has_plain_layout(const hlo::Shape& shape) {
  const hlo::Layout& layout = shape.layout;
  const auto& dynamic = shape.dynamic_dimensions;
  return shape.is_array() && layout.minor_to_major.size() == shape.rank() &&
         layout.memory_space == 0 && layout.split_configs.empty() &&
         layout.tail_padding_alignment_in_elements == 1 &&
         layout.dynamic_shape_metadata_prefix_bytes == 0 &&
         std::find(dynamic.begin(), dynamic.end(), true) == dynamic.end();
}

std::vector<LayoutOrder> layout_choices(const hlo::Shape& shape) {
  std::vector<LayoutOrder> out = {shape.layout.minor_to_major};
  const std::vector<int64_t> dimensions = long_dimensions(shape);
  if (dimensions.size() < 2 || !has_plain_layout(shape)) return out;
  std::set<LayoutOrder> keys = {address_key(shape, out[0])};
  const auto candidates =
      shape.rank() <= kMaxRankOfAll ? all_orders(shape.rank()) : minor_pairs(shape, dimensions);
  for (const LayoutOrder& order : candidates) {
    if (shape.dimensions[static_cast<size_t>(order[0])] <= 1) continue;
    if (keys.insert(address_key(shape, order)).second) out.push_back(order);
  }
  return out;
}

hlo::Shape with_order(const hlo::Shape& shape, const LayoutOrder& order) {
  hlo::Shape out = shape;
  out.has_layout = true;
  out.layout.minor_to_major = order;
  if (!out.layout.tiles.empty()) {
    out.layout.tiles.clear();
    out.layout.tiles = hlo::default_tiles(out);
  }
  return out;
}

std::string order_text(const LayoutOrder& order) {
  return fmt::format("{}", fmt::join(order, "."));
}

Result<LayoutOrder> parse_order(std::string_view text) {
  LayoutOrder out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    int64_t d = 0;
    const auto [next, error] = std::from_chars(at, end, d);
    if (error != std::errc() || d < 0) break;
    out.push_back(d);
    if (next == end) return out;
    if (*next != '.') break;
    at = next + 1;
  }
  return fail(ErrorCode::kInvalidInput, fmt::format("\"{}\" is not an order of dimensions", text),
              "write all dimensions from minor to major, like 3.2.1.0");
}

}  // namespace hloscope::tune
