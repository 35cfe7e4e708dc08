#include "tests/core/sim/random_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace hloscope::testing {

namespace {

using Sizes = std::vector<int64_t>;

constexpr int64_t kMaxElements = int64_t{1} << 20;
constexpr std::array<int64_t, 16> kSizes = {1,  2,  3,  5,   7,   8,   9,   16,
                                            17, 24, 64, 100, 128, 130, 256, 384};

int64_t count(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

struct Value {
  std::string name;
  std::string type;
  Sizes sizes;
};

class Maker {
 public:
  explicit Maker(Rng& rng) : rng_(rng) {}

  RandomKernel run() {
    value_ = parameter(random_type(), random_sizes());
    const int64_t steps = between(1, 6);
    for (int64_t i = 0; i < steps; ++i) step();
    if (lines_.back().find(" parameter(") != std::string::npos) unary();
    std::string text =
        "HloModule random\n\nplus {\n  a = f32[] parameter(0)\n"
        "  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n\n"
        "larger {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
        "  ROOT c = pred[] compare(a, b), direction=GE\n}\n\nbody {\n";
    lines_.back() = "ROOT " + lines_.back();
    for (const std::string& line : lines_) text += "  " + line + "\n";
    text += "}\n\nENTRY main {\n";
    std::vector<std::string> names;
    for (const std::string& shape : parameters_) {
      names.push_back(fmt::format("p{}", names.size()));
      text += fmt::format("  {} = {} parameter({})\n", names.back(), shape, names.size() - 1);
    }
    text += fmt::format("  ROOT k = {} fusion({}), kind=kLoop, calls=body\n}}\n", root_shape_,
                        fmt::join(names, ", "));
    return {std::move(text), reads_everything_, has_matrix_};
  }

 private:
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(rng_.below(static_cast<uint64_t>(high - low + 1)));
  }
  bool chance(uint64_t one_in) { return rng_.below(one_in) == 0; }
  size_t any_dim() { return rng_.below(value_.sizes.size()); }

  std::string random_type() { return chance(3) ? "bf16" : "f32"; }

  Sizes random_sizes() {
    Sizes sizes;
    const int64_t rank = between(1, 4);
    for (int64_t i = 0; i < rank; ++i) {
      const int64_t room = kMaxElements / count(sizes);
      const int64_t size = kSizes[rng_.below(kSizes.size())];
      sizes.push_back(std::min(size, room));
    }
    return sizes;
  }

  std::string shape(const std::string& type, const Sizes& sizes) {
    std::string text = fmt::format("{}[{}]", type, fmt::join(sizes, ","));
    if (sizes.size() < 2 || chance(2)) return text;
    std::vector<size_t> order(sizes.size());
    std::iota(order.rbegin(), order.rend(), size_t{0});
    if (chance(2)) std::swap(order[rng_.below(order.size())], order[rng_.below(order.size())]);
    const std::string_view tiles = chance(2) ? "" : type == "bf16" ? ":T(8,128)(2,1)" : ":T(8,128)";
    return text + fmt::format("{{{}{}}}", fmt::join(order, ","), tiles);
  }

  Value parameter(const std::string& type, const Sizes& sizes) {
    Value out{fmt::format("x{}", next_++), type, sizes};
    parameters_.push_back(shape(type, sizes));
    lines_.push_back(
        fmt::format("{} = {} parameter({})", out.name, parameters_.back(), parameters_.size() - 1));
    return out;
  }

  // The next value of the chain.
  void push(const std::string& type, const Sizes& sizes, const std::string& operation) {
    const std::string name = fmt::format("x{}", next_++);
    root_shape_ = shape(type, sizes);
    lines_.push_back(fmt::format("{} = {} {}", name, root_shape_, operation));
    value_ = {name, type, sizes};
  }
  // A value beside the chain.
  std::string aside(const std::string& type, const Sizes& sizes, const std::string& operation) {
    std::string name = fmt::format("x{}", next_++);
    lines_.push_back(fmt::format("{} = {} {}", name, shape(type, sizes), operation));
    return name;
  }

  void step() {
    switch (rng_.below(18)) {
      case 0:
      case 1:
        return unary();
      case 2:
      case 3:
        return binary();
      case 4:
        return with_broadcast();
      case 5:
        return transpose();
      case 6:
        return reshape();
      case 7:
        return slice();
      case 8:
        return pad();
      case 9:
        return concatenate();
      case 10:
        return reduce();
      case 11:
        return reverse();
      case 12:
        return dynamic_slice();
      case 13:
        return dynamic_update_slice();
      case 14:
        return gather();
      case 15:
        return window();
      case 16:
        return dot();
      default:
        return convolution();
    }
  }

  void unary() {
    constexpr std::array<const char*, 5> kOps = {"negate", "exponential", "tanh", "sqrt", "floor"};
    if (chance(4)) {
      const std::string type = value_.type == "f32" ? "bf16" : "f32";
      return push(type, value_.sizes, fmt::format("convert({})", value_.name));
    }
    push(value_.type, value_.sizes,
         fmt::format("{}({})", kOps[rng_.below(kOps.size())], value_.name));
  }
  void binary() {
    const Value other = parameter(value_.type, value_.sizes);
    push(value_.type, value_.sizes,
         fmt::format("{}({}, {})", chance(3) ? "divide" : "add", value_.name, other.name));
  }
  void with_broadcast() {
    if (value_.sizes.empty()) return unary();
    const size_t d = any_dim();
    const Value row = parameter(value_.type, {value_.sizes[d]});
    const std::string spread = aside(value_.type, value_.sizes,
                                     fmt::format("broadcast({}), dimensions={{{}}}", row.name, d));
    push(value_.type, value_.sizes, fmt::format("multiply({}, {})", value_.name, spread));
  }
  void transpose() {
    if (value_.sizes.size() < 2) return unary();
    std::vector<size_t> order(value_.sizes.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::swap(order[any_dim()], order[any_dim()]);
    Sizes sizes;
    for (size_t d : order) sizes.push_back(value_.sizes[d]);
    push(value_.type, sizes,
         fmt::format("transpose({}), dimensions={{{}}}", value_.name, fmt::join(order, ",")));
  }
  void reshape() {
    Sizes sizes = value_.sizes;
    if (sizes.size() >= 2 && chance(2)) {
      const size_t d = rng_.below(sizes.size() - 1);
      sizes[d] *= sizes[d + 1];
      sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(d) + 1);
    } else if (!sizes.empty() && sizes.size() < 6) {
      const size_t d = any_dim();
      int64_t factor = between(1, 8);
      while (sizes[d] % factor != 0) --factor;
      sizes[d] /= factor;
      sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(d), factor);
    }
    push(value_.type, sizes, fmt::format("reshape({})", value_.name));
  }
  void slice() {
    std::vector<std::string> ranges;
    Sizes sizes;
    for (int64_t size : value_.sizes) {
      const int64_t low = chance(2) ? 0 : between(0, size - 1);
      const int64_t high = chance(2) ? size : between(low + 1, size);
      const int64_t stride = chance(4) ? 2 : 1;
      ranges.push_back(fmt::format("[{}:{}:{}]", low, high, stride));
      sizes.push_back((high - low + stride - 1) / stride);
    }
    reads_everything_ = false;
    push(value_.type, sizes,
         fmt::format("slice({}), slice={{{}}}", value_.name, fmt::join(ranges, ", ")));
  }
  void pad() {
    if (value_.sizes.empty()) return unary();
    const std::string zero = aside(value_.type, {}, "constant(0)");
    std::vector<std::string> amounts;
    Sizes sizes;
    for (int64_t size : value_.sizes) {
      const int64_t low = between(0, 3);
      const int64_t high = between(0, 3);
      const int64_t interior = chance(4) ? 1 : 0;
      amounts.push_back(fmt::format("{}_{}_{}", low, high, interior));
      sizes.push_back(low + high + size + interior * (size - 1));
    }
    if (count(sizes) > 4 * kMaxElements) return unary();
    push(value_.type, sizes,
         fmt::format("pad({}, {}), padding={}", value_.name, zero, fmt::join(amounts, "x")));
  }
  void concatenate() {
    if (value_.sizes.empty() || count(value_.sizes) > kMaxElements) return unary();
    const size_t d = any_dim();
    Sizes other = value_.sizes;
    other[d] = between(1, 2 * value_.sizes[d]);
    const Value piece = parameter(value_.type, other);
    Sizes sizes = value_.sizes;
    sizes[d] += other[d];
    push(value_.type, sizes,
         fmt::format("concatenate({}, {}), dimensions={{{}}}", value_.name, piece.name, d));
  }
  void reduce() {
    if (value_.sizes.empty()) return unary();
    const size_t d = any_dim();
    Sizes sizes = value_.sizes;
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(d));
    const std::string zero = aside(value_.type, {}, "constant(0)");
    push(value_.type, sizes,
         fmt::format("reduce({}, {}), dimensions={{{}}}, to_apply=plus", value_.name, zero, d));
  }
  void reverse() {
    if (value_.sizes.empty()) return unary();
    push(value_.type, value_.sizes,
         fmt::format("reverse({}), dimensions={{{}}}", value_.name, any_dim()));
  }
  std::string starts() {
    std::vector<std::string> names;
    for (size_t d = 0; d < value_.sizes.size(); ++d) {
      names.push_back(parameter("s32", {}).name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
  }
  void dynamic_slice() {
    if (value_.sizes.empty()) return unary();
    Sizes sizes;
    for (int64_t size : value_.sizes) sizes.push_back(chance(2) ? size : between(1, size));
    reads_everything_ = false;
    const std::string at = starts();
    push(value_.type, sizes,
         fmt::format("dynamic-slice({}, {}), dynamic_slice_sizes={{{}}}", value_.name, at,
                     fmt::join(sizes, ",")));
  }
  void dynamic_update_slice() {
    if (value_.sizes.empty()) return unary();
    Sizes sizes;
    for (int64_t size : value_.sizes) sizes.push_back(chance(2) ? size : between(1, size));
    reads_everything_ = false;
    const Value update = parameter(value_.type, sizes);
    const std::string at = starts();
    push(value_.type, value_.sizes,
         fmt::format("dynamic-update-slice({}, {}, {})", value_.name, update.name, at));
  }
  void gather() {
    if (value_.sizes.size() != 2) return unary();
    const int64_t rows = between(1, 300);
    const Value indices = parameter("s32", {rows, 1});
    reads_everything_ = false;
    push(value_.type, {rows, value_.sizes[1]},
         fmt::format("gather({}, {}), offset_dims={{1}}, collapsed_slice_dims={{0}}, "
                     "start_index_map={{0}}, index_vector_dim=1, slice_sizes={{1,{}}}",
                     value_.name, indices.name, value_.sizes[1]));
  }
  void window() {
    if (value_.sizes.empty()) return unary();
    Sizes sizes;
    Sizes windows;
    Sizes strides;
    for (int64_t size : value_.sizes) {
      windows.push_back(chance(2) ? 1 : between(1, std::min<int64_t>(size, 4)));
      strides.push_back(chance(3) ? std::min<int64_t>(windows.back(), 2) : 1);
      sizes.push_back((size - windows.back()) / strides.back() + 1);
    }
    reads_everything_ = false;
    const std::string text = fmt::format("window={{size={} stride={}}}", fmt::join(windows, "x"),
                                         fmt::join(strides, "x"));
    const std::string zero = aside(value_.type, {}, "constant(0)");
    if (chance(2)) {
      return push(value_.type, sizes,
                  fmt::format("reduce-window({}, {}), {}, to_apply=plus", value_.name, zero, text));
    }
    const Value source = parameter(value_.type, sizes);
    push(value_.type, value_.sizes,
         fmt::format("select-and-scatter({}, {}, {}), {}, select=larger, scatter=plus", value_.name,
                     source.name, zero, text));
  }
  void dot() {
    if (value_.sizes.size() < 2 || has_matrix_) return unary();
    has_matrix_ = true;
    const size_t d = any_dim();
    const int64_t columns = kSizes[rng_.below(kSizes.size())];
    const bool columns_first = chance(2);
    const Sizes right =
        columns_first ? Sizes{columns, value_.sizes[d]} : Sizes{value_.sizes[d], columns};
    const Value weights = parameter(value_.type, right);
    Sizes sizes = value_.sizes;
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(d));
    sizes.push_back(columns);
    push(value_.type, sizes,
         fmt::format("dot({}, {}), lhs_contracting_dims={{{}}}, rhs_contracting_dims={{{}}}",
                     value_.name, weights.name, d, columns_first ? 1 : 0));
  }
  void convolution() {
    if (value_.sizes.size() != 4 || has_matrix_) return unary();
    has_matrix_ = true;
    const int64_t features = kSizes[rng_.below(kSizes.size())];
    const int64_t height = between(1, 3);
    const int64_t width = between(1, 3);
    const Value weights = parameter(value_.type, {height, width, value_.sizes[3], features});
    // Padded so that the result has the size of the input.
    push(value_.type, {value_.sizes[0], value_.sizes[1], value_.sizes[2], features},
         fmt::format("convolution({}, {}), window={{size={}x{} pad={}_{}x{}_{}}}, "
                     "dim_labels=b01f_01io->b01f",
                     value_.name, weights.name, height, width, (height - 1) / 2, height / 2,
                     (width - 1) / 2, width / 2));
  }

  Rng& rng_;
  int next_ = 0;
  std::vector<std::string> lines_;
  std::vector<std::string> parameters_;
  std::string root_shape_;
  Value value_;
  bool reads_everything_ = true;
  bool has_matrix_ = false;
};

}  // namespace

RandomKernel random_kernel(Rng& rng) {
  return Maker(rng).run();
}

}  // namespace hloscope::testing
