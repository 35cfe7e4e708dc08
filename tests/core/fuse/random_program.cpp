#include "tests/core/fuse/random_program.h"

#include <QtGlobal>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace hloscope::testing {

namespace {

using Dims = std::vector<int64_t>;

struct Value {
  std::string name;
  Dims dims;
};

class Maker {
 public:
  Maker(Rng& rng, int64_t scale) : rng_(rng), scale_(scale) {}

  std::string run() {
    const int64_t parameters = between(1, 4);
    for (int64_t i = 0; i < parameters; ++i) {
      add(random_dims(), fmt::format("parameter({})", i));
    }
    const int64_t steps = between(5, 60);
    for (int64_t i = 0; i < steps; ++i) step();
    std::vector<std::string> shapes;
    std::vector<std::string> names;
    for (int64_t i = between(1, 4); i > 0; --i) {
      const Value& value = i == 1 ? values_.back() : any();
      shapes.push_back(shape(value.dims));
      names.push_back(value.name);
    }
    lines_.push_back(fmt::format("ROOT result = ({}) tuple({})", fmt::join(shapes, ", "),
                                 fmt::join(names, ", ")));
    return fmt::format(
        "HloModule random\n\nplus {{\n{0}add(x, y)\n}}\n\nlarger {{\n{0}"
        "maximum(x, y)\n}}\n\n{1}ENTRY main {{\n  {2}\n}}\n",
        "  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT s = f32[] ", computations_,
        fmt::join(lines_, "\n  "));
  }

 private:
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(rng_.below(static_cast<uint64_t>(high - low + 1)));
  }
  Dims random_dims() {
    Dims dims;
    for (int64_t i = between(1, 3); i > 0; --i) dims.push_back(between(1, 6) * scale_);
    return dims;
  }
  static std::string shape(const Dims& dims) {
    return fmt::format("f32[{}]", fmt::join(dims, ","));
  }

  const Value& any() { return values_[rng_.below(values_.size())]; }
  // One with the same dimensions, maybe itself.
  const Value& like(const Value& value) {
    std::vector<size_t> fits;
    for (size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].dims == value.dims) fits.push_back(i);
    }
    return values_[fits[rng_.below(fits.size())]];
  }
  std::string line(const std::string& type, const std::string& operation) {
    std::string name = fmt::format("v{}", count_++);
    lines_.push_back(fmt::format("{} = {} {}", name, type, operation));
    return name;
  }
  void add(const Dims& dims, const std::string& operation) {
    std::string name = line(shape(dims), operation);
    values_.push_back({std::move(name), dims});
  }

  void step() {
    const Value value = any();
    switch (between(0, 19)) {
      case 0:
      case 1:
      case 2:
        return unary(value);
      case 3:
      case 4:
      case 5:
        return binary(value);
      case 6:
        return choose(value);
      case 7:
      case 8:
        return broadcast(value);
      case 9:
        return scalar(value);
      case 10:
        return reorder(value);
      case 11:
        return slice(value);
      case 12:
        return join(value);
      case 13:
      case 14:
        return reduce(value);
      case 15:
      case 16:
        return product(value);
      case 17:
        return update(value);
      case 18:
        return call(value);
      default:
        return loop(value);
    }
  }

  void unary(const Value& v) {
    static constexpr const char* kNames[] = {"negate", "tanh", "abs", "cosine", "copy"};
    add(v.dims, fmt::format("{}({})", kNames[rng_.below(5)], v.name));
  }
  void binary(const Value& v) {
    static constexpr const char* kNames[] = {"add", "subtract", "maximum", "minimum"};
    add(v.dims, fmt::format("{}({}, {})", kNames[rng_.below(4)], v.name, like(v).name));
  }
  void choose(const Value& v) {
    const Value other = like(v);
    const std::string test = line(fmt::format("pred[{}]", fmt::join(v.dims, ",")),
                                  fmt::format("compare({}, {}), direction=LT", v.name, other.name));
    add(v.dims, fmt::format("select({}, {}, {})", test, v.name, other.name));
  }
  void broadcast(const Value& v) {
    if (v.dims.size() > 2) return;
    Dims dims = v.dims;
    const auto at = static_cast<size_t>(between(0, static_cast<int64_t>(dims.size())));
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at), between(1, 4) * scale_);
    Dims kept;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (i != at) kept.push_back(static_cast<int64_t>(i));
    }
    add(dims, fmt::format("broadcast({}), dimensions={{{}}}", v.name, fmt::join(kept, ",")));
  }
  void scalar(const Value& v) {
    const std::string one = line("f32[]", fmt::format("constant(0.{})", between(1, 9)));
    const std::string all = line(shape(v.dims), fmt::format("broadcast({}), dimensions={{}}", one));
    add(v.dims, fmt::format("multiply({}, {})", v.name, all));
    if (between(0, 1) == 0) add(v.dims, fmt::format("maximum({}, {})", like(v).name, all));
    if (between(0, 3) == 0) values_.push_back({all, v.dims});
  }
  void reorder(const Value& v) {
    const int64_t rank = static_cast<int64_t>(v.dims.size());
    if (between(0, 2) == 0) {
      int64_t count = 1;
      for (int64_t dim : v.dims) count *= dim;
      return add({count}, fmt::format("reshape({})", v.name));
    }
    if (between(0, 2) == 0) {
      return add(v.dims,
                 fmt::format("reverse({}), dimensions={{{}}}", v.name, between(0, rank - 1)));
    }
    Dims order;
    for (int64_t i = 0; i < rank; ++i) order.push_back(rank - 1 - i);
    add({v.dims.rbegin(), v.dims.rend()},
        fmt::format("transpose({}), dimensions={{{}}}", v.name, fmt::join(order, ",")));
  }
  void slice(const Value& v) {
    std::vector<std::string> ranges;
    Dims dims;
    for (int64_t dim : v.dims) {
      const int64_t start = between(0, dim - 1);
      const int64_t limit = between(start + 1, dim);
      ranges.push_back(fmt::format("[{}:{}]", start, limit));
      dims.push_back(limit - start);
    }
    add(dims, fmt::format("slice({}), slice={{{}}}", v.name, fmt::join(ranges, ", ")));
  }
  void join(const Value& v) {
    Dims dims = v.dims;
    if (between(0, 1) == 0) {
      const std::string zero = line("f32[]", "constant(0)");
      std::vector<std::string> padding(dims.size(), "1_0");
      for (int64_t& dim : dims) ++dim;
      return add(dims,
                 fmt::format("pad({}, {}), padding={}", v.name, zero, fmt::join(padding, "x")));
    }
    dims[0] *= 2;
    add(dims, fmt::format("concatenate({}, {}), dimensions={{0}}", v.name, like(v).name));
  }
  void reduce(const Value& v) {
    if (v.dims.size() < 2) return;
    const int64_t dim = between(0, static_cast<int64_t>(v.dims.size()) - 1);
    Dims dims = v.dims;
    dims.erase(dims.begin() + dim);
    const std::string zero = line("f32[]", "constant(0)");
    add(dims, fmt::format("reduce({}, {}), dimensions={{{}}}, to_apply={}", v.name, zero, dim,
                          between(0, 1) == 0 ? "plus" : "larger"));
  }
  void product(const Value& v) {
    if (v.dims.size() != 2) return;
    std::vector<size_t> fits;
    for (size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].dims.size() == 2 && values_[i].dims[0] == v.dims[1]) fits.push_back(i);
    }
    const std::string small = "lhs_contracting_dims={1}, rhs_contracting_dims=";
    if (fits.empty()) {
      return add({v.dims[0], v.dims[0]}, fmt::format("dot({0}, {0}), {1}{{1}}", v.name, small));
    }
    const Value& right = values_[fits[rng_.below(fits.size())]];
    add({v.dims[0], right.dims[1]}, fmt::format("dot({}, {}), {}{{0}}", v.name, right.name, small));
  }
  void update(const Value& v) {
    Dims dims = v.dims;
    dims[0] = 1;
    std::vector<std::string> starts(dims.size());
    for (std::string& start : starts) start = line("s32[]", "constant(0)");
    starts[0] = line("s32[]", fmt::format("constant({})", between(0, v.dims[0] - 1)));
    const std::string at = fmt::format("{}", fmt::join(starts, ", "));
    const std::string part =
        line(shape(dims), fmt::format("dynamic-slice({}, {}), dynamic_slice_sizes={{{}}}", v.name,
                                      at, fmt::join(dims, ",")));
    values_.push_back({part, dims});
    if (between(0, 1) == 0) {
      add(v.dims, fmt::format("dynamic-update-slice({}, {}, {})", like(v).name, part, at));
    }
  }
  void call(const Value& v) {
    const std::string name = fmt::format("callee{}", count_);
    computations_ += fmt::format(
        "{0} {{\n  a = {1} parameter(0)\n  b = {1} parameter(1)\n  c = {1} add(a, b)\n"
        "  ROOT t = ({1}, {1}) tuple(c, b)\n}}\n\n",
        name, shape(v.dims));
    const std::string result =
        line(fmt::format("({0}, {0})", shape(v.dims)),
             fmt::format("call({}, {}), to_apply={}", v.name, like(v).name, name));
    add(v.dims, fmt::format("get-tuple-element({}), index={}", result, between(0, 1)));
  }
  void loop(const Value& v) {
    const std::string name = fmt::format("{}", count_);
    const std::string state = fmt::format("(s32[], {0}, {0})", shape(v.dims));
    computations_ += fmt::format(
        "condition{0} {{\n  s = {1} parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
        "  n = s32[] constant(3)\n  ROOT go = pred[] compare(i, n), direction=LT\n}}\n\n"
        "body{0} {{\n  s = {1} parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
        "  a = {2} get-tuple-element(s), index=1\n  b = {2} get-tuple-element(s), index=2\n"
        "  one = s32[] constant(1)\n  next = s32[] add(i, one)\n  c = {2} tanh(a)\n"
        "  d = {2} subtract(c, b)\n  e = {2} negate(d)\n"
        "  ROOT t = {1} tuple(next, d, e)\n}}\n\n",
        name, state, shape(v.dims));
    const std::string zero = line("s32[]", "constant(0)");
    const std::string start =
        line(state, fmt::format("tuple({}, {}, {})", zero, v.name, like(v).name));
    const std::string end = line(
        state, fmt::format("while({}), condition=condition{}, body=body{}", start, name, name));
    add(v.dims, fmt::format("get-tuple-element({}), index={}", end, between(1, 2)));
  }

  Rng& rng_;
  int64_t scale_;
  int count_ = 0;
  std::vector<Value> values_;
  std::vector<std::string> lines_;
  std::string computations_;
};

}  // namespace

std::string random_program(Rng& rng, int64_t scale) {
  return Maker(rng, scale).run();
}

int random_program_count() {
  bool is_given = false;
  const int count = qEnvironmentVariableIntValue("HLOSCOPE_RANDOM_PROGRAMS", &is_given);
  return is_given && count > 0 ? count : 500;
}

}  // namespace hloscope::testing
