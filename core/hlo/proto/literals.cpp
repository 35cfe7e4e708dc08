#include "core/hlo/proto/literals.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "core/hlo/proto/shapes.h"
#include "core/hlo/proto/wire.h"

namespace hloscope::hlo {

namespace {

constexpr int kMaxNesting = 256;
constexpr uint32_t kShapeField = 1;
constexpr uint32_t kTupleField = 10;

/// The field of xla.LiteralProto that holds the elements of a type; 0 = the type has no values.
uint32_t data_field(PrimitiveType type) {
  switch (type) {
    case PrimitiveType::kPred:
      return 2;
    case PrimitiveType::kU8:
      return 3;
    case PrimitiveType::kS32:
      return 4;
    case PrimitiveType::kS64:
      return 5;
    case PrimitiveType::kU32:
      return 6;
    case PrimitiveType::kU64:
      return 7;
    case PrimitiveType::kF32:
      return 8;
    case PrimitiveType::kF64:
      return 9;
    case PrimitiveType::kF16:
      return 11;
    case PrimitiveType::kC64:
      return 12;
    case PrimitiveType::kBf16:
      return 13;
    case PrimitiveType::kS8:
      return 15;
    case PrimitiveType::kU16:
      return 16;
    case PrimitiveType::kS16:
      return 17;
    case PrimitiveType::kC128:
      return 18;
    case PrimitiveType::kF8e5m2:
      return 19;
    case PrimitiveType::kF8e4m3fn:
      return 20;
    case PrimitiveType::kS4:
      return 21;
    case PrimitiveType::kU4:
      return 22;
    case PrimitiveType::kF8e4m3b11fnuz:
      return 23;
    case PrimitiveType::kF8e5m2fnuz:
      return 24;
    case PrimitiveType::kF8e4m3fnuz:
      return 25;
    case PrimitiveType::kS2:
      return 26;
    case PrimitiveType::kU2:
      return 27;
    case PrimitiveType::kF8e4m3:
      return 28;
    case PrimitiveType::kF8e3m4:
      return 29;
    case PrimitiveType::kS1:
      return 30;
    case PrimitiveType::kU1:
      return 31;
    case PrimitiveType::kF4e2m1fn:
      return 32;
    case PrimitiveType::kF8e8m0fnu:
      return 33;
    case PrimitiveType::kF6e3m2fn:
      return 35;
    case PrimitiveType::kF6e2m3fn:
      return 36;
    default:
      return 0;
  }
}

/// Types whose elements are varints on the wire; all others are raw little-endian bytes.
bool is_varint_type(PrimitiveType type) {
  return type == PrimitiveType::kPred || type == PrimitiveType::kS32 ||
         type == PrimitiveType::kS64 || type == PrimitiveType::kU32 || type == PrimitiveType::kU64;
}

size_t element_bytes(PrimitiveType type) {
  return static_cast<size_t>(info(type).bits + 7) / 8;
}

tl::unexpected<Error> damaged() {
  return fail(ErrorCode::kInvalidInput, "LiteralProto is cut or damaged");
}

Status append_elements(const WireField& field, PrimitiveType type, std::string& out) {
  if (is_varint_type(type)) {
    std::vector<int64_t> values;
    if (!append_varints(field, values)) return damaged();
    const size_t size = element_bytes(type);
    const size_t begin = out.size();
    out.resize(begin + size * values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      std::memcpy(out.data() + begin + i * size, &values[i], size);
    }
    return {};
  }
  switch (field.type) {
    case WireField::Type::kBytes:
      out += field.bytes;
      return {};
    case WireField::Type::kFixed32:
      out.append(reinterpret_cast<const char*>(&field.value), 4);
      return {};
    case WireField::Type::kFixed64:
      out.append(reinterpret_cast<const char*>(&field.value), 8);
      return {};
    default:
      return damaged();
  }
}

Result<std::string> element_data(std::string_view bytes, PrimitiveType type) {
  const uint32_t number = data_field(type);
  std::string out;
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.field().number == number) HLOSCOPE_TRY(append_elements(reader.field(), type, out));
  }
  return out;
}

Status fill_array(std::string_view bytes, ProgramBuilder& builder, Literal& literal) {
  const Shape& shape = builder.shapes()[literal.shape];
  if (data_field(shape.element_type) == 0) return {};
  HLOSCOPE_ASSIGN(const std::string data, element_data(bytes, shape.element_type));
  const auto count = static_cast<uint64_t>(shape.element_count());
  const size_t size = element_bytes(shape.element_type);
  const bool packed = info(shape.element_type).bits < 8;
  // Values that were dropped, and packed ones of old writers, whose bit order is not known.
  if (data.empty() && count > 0) return {};
  if (packed && data.size() < count) return {};
  if (data.size() % size != 0 || data.size() / size != count) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("a literal {} has {} bytes of data",
                            builder.shapes().text(literal.shape), data.size()));
  }
  literal.form = Literal::Form::kBytes;
  literal.data = builder.arena().copy(data);
  return {};
}

struct Parts {
  std::string_view shape;
  bool has_shape = false;
  std::vector<std::string_view> children;
};

Result<Parts> split(std::string_view bytes) {
  Parts parts;
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.field().is_bytes(kShapeField)) {
      parts.shape = reader.field().bytes;
      parts.has_shape = true;
    } else if (reader.field().is_bytes(kTupleField)) {
      parts.children.push_back(reader.field().bytes);
    }
  }
  if (!reader.ok()) return damaged();
  if (!parts.has_shape) return fail(ErrorCode::kInvalidInput, "a LiteralProto without a shape");
  return parts;
}

Result<uint32_t> decode(std::string_view bytes, ProgramBuilder& builder, int depth) {
  if (depth > kMaxNesting) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("tuple literals nested deeper than {} levels", kMaxNesting));
  }
  HLOSCOPE_ASSIGN(const Parts parts, split(bytes));
  Literal literal;
  HLOSCOPE_ASSIGN(literal.shape, shape_from_wire(parts.shape, builder.shapes()));
  const Shape& shape = builder.shapes()[literal.shape];
  if (!shape.is_tuple()) {
    HLOSCOPE_TRY(fill_array(bytes, builder, literal));
    return builder.add_literal(std::move(literal));
  }
  const std::vector<ShapeId> elements = shape.elements;
  if (parts.children.empty() && !elements.empty()) return builder.add_literal(std::move(literal));
  if (parts.children.size() != elements.size()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("a tuple literal of {} elements has {} values", elements.size(),
                            parts.children.size()));
  }
  literal.form = Literal::Form::kTuple;
  for (size_t i = 0; i < elements.size(); ++i) {
    HLOSCOPE_ASSIGN(const uint32_t child, decode(parts.children[i], builder, depth + 1));
    if (!builder.shapes().compatible(builder.literals()[child].shape, elements[i])) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("element {} of a tuple literal has another shape", i));
    }
    literal.children.push_back(child);
  }
  return builder.add_literal(std::move(literal));
}

}  // namespace

Result<uint32_t> literal_from_wire(std::string_view bytes, ProgramBuilder& builder) {
  return decode(bytes, builder, 0);
}

}  // namespace hloscope::hlo
