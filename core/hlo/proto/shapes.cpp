#include "core/hlo/proto/shapes.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/hlo/proto/errors.h"
#include "core/hlo/proto/wire.h"

namespace hloscope::hlo {

namespace {

constexpr int kMaxNesting = 256;

tl::unexpected<Error> damaged(std::string_view message) {
  return bad(fmt::format("{} is cut or damaged", message));
}

Result<PrimitiveType> primitive_type(uint64_t value) {
  if (value >= static_cast<uint64_t>(kPrimitiveTypeCount)) {
    return bad(fmt::format("unknown element type {} in ShapeProto", value));
  }
  return static_cast<PrimitiveType>(value);
}

Result<std::vector<int64_t>> tile_from_wire(std::string_view bytes) {
  std::vector<int64_t> tile;
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.field().number != 1) continue;
    if (!append_varints(reader.field(), tile)) return damaged("TileProto");
  }
  if (!reader.ok()) return damaged("TileProto");
  for (int64_t size : tile) {
    if (size <= 0 && size != kCombineDimension) {
      return bad(fmt::format("tile size {} in LayoutProto", size));
    }
  }
  return tile;
}

Result<SplitConfig> split_from_wire(std::string_view bytes) {
  SplitConfig split;
  WireReader reader(bytes);
  while (reader.next()) {
    const WireField& field = reader.field();
    if (field.is_varint(1)) split.dimension = static_cast<int64_t>(field.value);
    if (field.number == 2 && !append_varints(field, split.split_indices)) {
      return damaged("SplitConfigProto");
    }
  }
  if (!reader.ok()) return damaged("SplitConfigProto");
  return split;
}

/// Field numbers of xla.LayoutProto.
Status add_layout_field(const WireField& field, Layout& layout) {
  const auto integer = static_cast<int64_t>(field.value);
  switch (field.number) {
    case 1:
      if (!append_varints(field, layout.minor_to_major)) return damaged("LayoutProto");
      break;
    case 6: {
      HLOSCOPE_ASSIGN(auto tile, tile_from_wire(field.bytes));
      layout.tiles.push_back(std::move(tile));
      break;
    }
    case 7:
      layout.element_size_in_bits = integer;
      break;
    case 8:
      layout.memory_space = integer;
      break;
    case 11: {
      HLOSCOPE_ASSIGN(layout.index_type, primitive_type(field.value));
      break;
    }
    case 12: {
      HLOSCOPE_ASSIGN(layout.pointer_type, primitive_type(field.value));
      break;
    }
    case 15:
      layout.dynamic_shape_metadata_prefix_bytes = integer;
      break;
    case 16:
      // Files of before 2024 have no such field; their default was 1 as well.
      layout.tail_padding_alignment_in_elements = std::max<int64_t>(integer, 1);
      break;
    case 17: {
      HLOSCOPE_ASSIGN(auto split, split_from_wire(field.bytes));
      layout.split_configs.push_back(std::move(split));
      break;
    }
    default:
      break;
  }
  return {};
}

Result<Layout> layout_from_wire(std::string_view bytes) {
  Layout layout;
  WireReader reader(bytes);
  while (reader.next()) HLOSCOPE_TRY(add_layout_field(reader.field(), layout));
  if (!reader.ok()) return damaged("LayoutProto");
  if (layout.element_size_in_bits < 0 || layout.memory_space < 0) {
    return bad("negative element size or memory space in LayoutProto");
  }
  return layout;
}

/// ShapeProto as it stands, before its parts are checked against each other.
struct RawShape {
  Shape shape;
  bool has_layout = false;
  std::vector<int64_t> dynamic;
  std::vector<std::string_view> elements;
};

Result<RawShape> raw_shape(std::string_view bytes) {
  RawShape raw;
  WireReader reader(bytes);
  while (reader.next()) {
    const WireField& field = reader.field();
    if (field.is_varint(2)) {
      HLOSCOPE_ASSIGN(raw.shape.element_type, primitive_type(field.value));
    } else if (field.number == 3) {
      if (!append_varints(field, raw.shape.dimensions)) return damaged("ShapeProto.dimensions");
    } else if (field.is_bytes(4)) {
      raw.elements.push_back(field.bytes);
    } else if (field.is_bytes(5)) {
      HLOSCOPE_ASSIGN(raw.shape.layout, layout_from_wire(field.bytes));
      raw.has_layout = true;
    } else if (field.number == 6) {
      if (!append_varints(field, raw.dynamic)) return damaged("ShapeProto.is_dynamic_dimension");
    }
  }
  if (!reader.ok()) return damaged("ShapeProto");
  return raw;
}

Status check_sizes(const Shape& shape) {
  int64_t bits = std::max(info(shape.element_type).bits, 1);
  for (int64_t size : shape.dimensions) {
    if (size == kUnboundedSize) continue;
    if (size < 0) return bad(fmt::format("negative dimension {} in ShapeProto", size));
    if (__builtin_mul_overflow(bits, std::max<int64_t>(size, 1), &bits)) {
      return bad("the dimensions in ShapeProto are too large");
    }
  }
  return {};
}

Status complete_array(RawShape& raw) {
  Shape& shape = raw.shape;
  HLOSCOPE_TRY(check_sizes(shape));
  const size_t rank = shape.rank();
  if (!raw.dynamic.empty() && raw.dynamic.size() != rank) {
    return bad(
        fmt::format("{} dynamic flags for {} dimensions in ShapeProto", raw.dynamic.size(), rank));
  }
  if (std::any_of(raw.dynamic.begin(), raw.dynamic.end(), [](int64_t d) { return d != 0; })) {
    for (int64_t d : raw.dynamic) shape.dynamic_dimensions.push_back(d != 0);
  }
  shape.has_layout = raw.has_layout || rank == 0;
  std::vector<int64_t>& order = shape.layout.minor_to_major;
  if (!raw.has_layout) {
    for (size_t i = rank; i > 0; --i) order.push_back(static_cast<int64_t>(i) - 1);
    return {};
  }
  std::vector<int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool permutation = sorted.size() == rank;
  for (size_t i = 0; permutation && i < rank; ++i) {
    permutation = sorted[i] == static_cast<int64_t>(i);
  }
  if (!permutation) {
    return bad(fmt::format("minor_to_major {{{}}} is no order of {} dimensions in LayoutProto",
                           fmt::join(order, ","), rank));
  }
  return {};
}

Result<ShapeId> decode(std::string_view bytes, ShapeTable& shapes, int depth) {
  if (depth > kMaxNesting) {
    return bad(fmt::format("tuple shapes nested deeper than {} levels", kMaxNesting));
  }
  HLOSCOPE_ASSIGN(RawShape raw, raw_shape(bytes));
  Shape& shape = raw.shape;
  if (shape.element_type == PrimitiveType::kInvalid) {
    return bad("a ShapeProto without an element type");
  }
  if (shape.is_tuple() || shape.is_buffer()) {
    if (shape.is_buffer() && raw.elements.size() != 1)
      return bad("a buffer shape without an array");
    for (std::string_view element : raw.elements) {
      HLOSCOPE_ASSIGN(const ShapeId id, decode(element, shapes, depth + 1));
      shape.elements.push_back(id);
    }
    shape.layout = Layout();
    shape.dimensions.clear();
  } else {
    HLOSCOPE_TRY(complete_array(raw));
  }
  return shapes.intern(std::move(shape));
}

}  // namespace

Result<ShapeId> shape_from_wire(std::string_view bytes, ShapeTable& shapes) {
  return decode(bytes, shapes, 0);
}

Result<ProgramShape> program_shape_from_wire(std::string_view bytes, ShapeTable& shapes) {
  ProgramShape out;
  WireReader reader(bytes);
  while (reader.next()) {
    const WireField& field = reader.field();
    if (field.is_bytes(1)) {
      HLOSCOPE_ASSIGN(const ShapeId id, shape_from_wire(field.bytes, shapes));
      out.parameters.push_back(id);
    } else if (field.is_bytes(2)) {
      HLOSCOPE_ASSIGN(out.result, shape_from_wire(field.bytes, shapes));
    }
  }
  if (!reader.ok()) return damaged("ProgramShapeProto");
  return out;
}

}  // namespace hloscope::hlo
