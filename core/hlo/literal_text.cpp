#include "core/hlo/literal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/hlo/element.h"

namespace hloscope::hlo {

namespace {

/// Writes the elements of an array in row-major order with XLA's braces: those of the innermost
/// dimension have blanks inside when they stand in other braces and hold more than one element.
class DenseText {
 public:
  DenseText(const Shape& shape, std::string_view data)
      : shape_(shape),
        data_(data),
        size_(element_bytes(shape.element_type)),
        strides_(strides(shape)),
        index_(shape.rank()) {}

  std::string text() {
    if (shape_.rank() == 0) {
      if (shape_.element_type == PrimitiveType::kPred) return data_[0] != 0 ? "true" : "false";
      return element_text(shape_.element_type, data_.data());
    }
    open(0);
    size_t level = 0;
    while (true) {
      if (index_[level] == shape_.dimensions[level]) {
        close(level);
        if (level == 0) return std::move(out_);
        ++index_[--level];
        continue;
      }
      if (index_[level] > 0) out_ += ", ";
      if (level + 1 == shape_.rank()) {
        out_ += element_text(shape_.element_type, data_.data() + position() * size_);
        ++index_[level];
      } else {
        open(++level);
      }
    }
  }

 private:
  /// Elements between neighbours of each dimension in the order of the layout.
  static std::vector<int64_t> strides(const Shape& shape) {
    std::vector<int64_t> out(shape.rank());
    int64_t stride = 1;
    for (const int64_t dimension : shape.layout.minor_to_major) {
      out[static_cast<size_t>(dimension)] = stride;
      stride *= shape.dimensions[static_cast<size_t>(dimension)];
    }
    return out;
  }
  [[nodiscard]] size_t position() const {
    int64_t at = 0;
    for (size_t i = 0; i < index_.size(); ++i) at += index_[i] * strides_[i];
    return static_cast<size_t>(at);
  }
  [[nodiscard]] bool has_blanks(size_t level) const {
    const bool innermost = level + 1 == shape_.rank();
    return shape_.rank() > 1 && (!innermost || shape_.dimensions[level] > 1);
  }
  void open(size_t level) {
    index_[level] = 0;
    out_ += has_blanks(level) ? "{ " : "{";
    const bool counted = shape_.rank() > 3 && level > 0 && level + 1 < shape_.rank();
    if (counted) out_ += fmt::format("/*i{}={}*/ ", level - 1, index_[level - 1]);
  }
  void close(size_t level) { out_ += has_blanks(level) ? " }" : "}"; }

  const Shape& shape_;
  std::string_view data_;
  size_t size_;
  std::vector<int64_t> strides_;
  std::vector<int64_t> index_;
  std::string out_;
};

std::string array_text(const Program& program, const Literal& literal) {
  switch (literal.form) {
    case Literal::Form::kText:
      // A scalar's text may begin with the blanks in front of it.
      return std::string(literal.data.substr(
          std::min(literal.data.find_first_not_of(" \t\r\n"), literal.data.size())));
    case Literal::Form::kBytes:
      return DenseText(program.shape(literal.shape), literal.data).text();
    default:
      return "{...}";
  }
}

using Writer = std::string (*)(const Program&, uint32_t);

std::string tuple_text(const Program& program, const Literal& literal, Writer child_text) {
  std::string out = "( ";
  for (size_t i = 0; i < literal.children.size(); ++i) {
    if (i > 0) out += ", ";
    out += child_text(program, literal.children[i]);
  }
  return out + " )";
}

}  // namespace

std::string literal_text(const Program& program, uint32_t index) {
  const Literal& literal = program.literals()[index];
  if (literal.form == Literal::Form::kTuple) return tuple_text(program, literal, literal_text);
  return array_text(program, literal);
}

std::string shaped_literal_text(const Program& program, uint32_t index) {
  const Literal& literal = program.literals()[index];
  if (literal.form == Literal::Form::kTuple) {
    return tuple_text(program, literal, shaped_literal_text);
  }
  return program.shapes().text(literal.shape) + " " + array_text(program, literal);
}

}  // namespace hloscope::hlo
