#include "core/measured/kernel_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/hlo/read.h"
#include "core/hlo/tpu_layout.h"

namespace hloscope::measured {

namespace {

hlo::Shape shape_of(const Array& array) {
  hlo::Shape shape;
  shape.element_type = array.type;
  shape.has_layout = true;
  shape.dimensions = array.dims;
  shape.layout.minor_to_major = array.minor_to_major;
  shape.layout.tiles = hlo::default_tiles(shape);
  return shape;
}

// lane and sublane are the two minor dimensions; the others stay as they are.
std::vector<int64_t> order_with(int64_t rank, int64_t lane, int64_t sublane) {
  std::vector<int64_t> order = {lane, sublane};
  for (int64_t d = rank - 1; d >= 0; --d) {
    if (d != lane && d != sublane) order.push_back(d);
  }
  return order;
}

std::string indent(std::string_view line) {
  return fmt::format("  {}\n", line);
}

}  // namespace

std::string Array::text() const {
  hlo::ShapeTable table;
  return table.text(table.intern(shape_of(*this)));
}

Array row_major(PrimitiveType type, std::vector<int64_t> dims) {
  Array array{type, std::move(dims), {}};
  for (auto d = static_cast<int64_t>(array.dims.size()) - 1; d >= 0; --d) {
    array.minor_to_major.push_back(d);
  }
  return array;
}

Array least_padded(PrimitiveType type, std::vector<int64_t> dims) {
  Array best = row_major(type, std::move(dims));
  const auto rank = static_cast<int64_t>(best.dims.size());
  double least = hlo::padded_bytes(shape_of(best));
  for (int64_t lane = rank - 1; lane >= 0; --lane) {
    for (int64_t sublane = rank - 1; sublane >= 0; --sublane) {
      if (lane == sublane) continue;
      Array other{type, best.dims, order_with(rank, lane, sublane)};
      const double bytes = hlo::padded_bytes(shape_of(other));
      if (bytes >= least) continue;
      least = bytes;
      best = std::move(other);
    }
  }
  return best;
}

Array without(const Array& array, int64_t dimension) {
  Array rest{array.type, array.dims, {}};
  rest.dims.erase(rest.dims.begin() + dimension);
  for (const int64_t d : array.minor_to_major) {
    if (d != dimension) rest.minor_to_major.push_back(d > dimension ? d - 1 : d);
  }
  return rest;
}

std::string KernelText::parameter(const Array& array) {
  std::string name = fmt::format("p{}", parameters_.size());
  parameters_.push_back({name, array.text(), {}});
  return name;
}

std::string KernelText::add(const Array& result, std::string line) {
  std::string name = fmt::format("v{}", values_.size());
  std::string shape = result.text();
  values_.push_back({name, shape, fmt::format("{} {}", shape, line)});
  return name;
}

std::string KernelText::op(const Array& result, std::string_view opcode,
                           const std::vector<std::string>& operands, std::string_view attributes) {
  return add(result, fmt::format("{}({}){}{}", opcode, fmt::join(operands, ", "),
                                 attributes.empty() ? "" : ", ", attributes));
}

std::string KernelText::scalar(PrimitiveType type, std::string_view number) {
  return add({type, {}, {}}, fmt::format("constant({})", number));
}

std::string KernelText::splat(const Array& result, std::string_view number) {
  return op(result, "broadcast", {scalar(result.type, number)}, "dimensions={}");
}

std::string KernelText::broadcast(const Array& result, const std::string& value,
                                  const std::vector<int64_t>& dimensions) {
  return op(result, "broadcast", {value},
            fmt::format("dimensions={{{}}}", fmt::join(dimensions, ",")));
}

std::string KernelText::region(PrimitiveType type, std::string_view opcode) {
  std::string name = fmt::format("{}_{}", opcode, hlo::name(type));
  const std::string scalar = Array{type, {}, {}}.text();
  std::string text = fmt::format(
      "{} {{\n  a = {} parameter(0)\n  b = {} parameter(1)\n  ROOT r = {} {}(a, b)\n}}\n\n", name,
      scalar, scalar, scalar, opcode);
  if (std::ranges::find(regions_, text) == regions_.end()) regions_.push_back(std::move(text));
  return name;
}

std::string KernelText::reduce(const Array& result, const std::string& value,
                               std::string_view opcode, int64_t dimension) {
  const std::string start = scalar(result.type, opcode == "maximum" ? "-inf" : "0");
  return op(result, "reduce", {value, start},
            fmt::format("dimensions={{{}}}, to_apply={}", dimension, region(result.type, opcode)));
}

std::string KernelText::reduce_window(const Array& result, const std::string& value,
                                      std::string_view opcode, std::string_view window) {
  const std::string start = scalar(result.type, opcode == "maximum" ? "-inf" : "0");
  return op(result, "reduce-window", {value, start},
            fmt::format("window={{{}}}, to_apply={}", window, region(result.type, opcode)));
}

const KernelText::Value& KernelText::value(const std::string& name) const {
  return *std::ranges::find(values_, name, &Value::name);
}

std::string KernelText::header(std::string_view name) const {
  return fmt::format("HloModule {}, is_scheduled=true\n\n{}", name, fmt::join(regions_, ""));
}

std::string KernelText::parameter_lines() const {
  std::string lines;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    lines +=
        indent(fmt::format("{} = {} parameter({})", parameters_[i].name, parameters_[i].shape, i));
  }
  return lines;
}

std::string KernelText::parameter_names() const {
  std::vector<std::string_view> names;
  for (const Value& parameter : parameters_) names.emplace_back(parameter.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Result<hlo::ProgramPtr> KernelText::fusion(std::string_view name, std::string_view kind,
                                           const std::vector<std::string>& roots) const {
  std::string body = parameter_lines();
  for (const Value& v : values_) {
    const bool is_root = roots.size() == 1 && v.name == roots[0];
    body += indent(fmt::format("{}{} = {}", is_root ? "ROOT " : "", v.name, v.line));
  }
  std::string result = value(roots.front()).shape;
  if (roots.size() > 1) {
    std::vector<std::string_view> shapes;
    for (const std::string& root : roots) shapes.emplace_back(value(root).shape);
    result = fmt::format("({})", fmt::join(shapes, ", "));
    body += indent(fmt::format("ROOT results = {} tuple({})", result, fmt::join(roots, ", ")));
  }
  return hlo::parse_program(
      fmt::format("{}fused {{\n{}}}\n\nENTRY main {{\n{}  ROOT kernel = {} fusion({}), kind={}, "
                  "calls=fused\n}}\n",
                  header(name), body, parameter_lines(), result, parameter_names(), kind),
      name);
}

Result<hlo::ProgramPtr> KernelText::instruction(std::string_view name) const {
  std::string body = parameter_lines();
  for (const Value& v : values_) {
    const bool is_root = &v == &values_.back();
    body += indent(fmt::format("{} = {}", is_root ? "ROOT kernel" : v.name, v.line));
  }
  return hlo::parse_program(fmt::format("{}ENTRY main {{\n{}}}\n", header(name), body), name);
}

}  // namespace hloscope::measured
