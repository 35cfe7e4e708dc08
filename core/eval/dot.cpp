#include <numeric>

#include "core/eval/ops.h"
#include "core/eval/product_sum.h"

namespace hloscope::eval {

namespace {

using hlo::AttrKey;

// Row-major positions of all combinations of some dimensions of an array, the rest at 0.
std::vector<size_t> positions(const Dims& dims, std::span<const int64_t> chosen) {
  std::vector<size_t> strides(dims.size(), 1);
  for (size_t d = dims.size(); d-- > 1;) strides[d - 1] = strides[d] * static_cast<size_t>(dims[d]);
  Dims sizes;
  for (const int64_t d : chosen) sizes.push_back(dims[static_cast<size_t>(d)]);
  std::vector<size_t> out;
  for (IndexWalk walk(sizes); !walk.done(); walk.next()) {
    size_t position = 0;
    for (size_t k = 0; k < chosen.size(); ++k) {
      position += static_cast<size_t>(walk.index()[k]) * strides[static_cast<size_t>(chosen[k])];
    }
    out.push_back(position);
  }
  return out;
}

// One operand of a dot: where its batches, its own rows and its summed elements stand.
struct Side {
  std::vector<size_t> batch, rows, summed;
  Dims batch_sizes, row_sizes, summed_sizes;
};

Dims sizes_of(const Dims& dims, std::span<const int64_t> chosen) {
  Dims out;
  for (const int64_t d : chosen) out.push_back(dims[static_cast<size_t>(d)]);
  return out;
}

Result<Side> side(const OpCall& call, size_t operand, AttrKey batch_key, AttrKey summed_key) {
  HLOSCOPE_ASSIGN(const Array* array, call.array(operand));
  const auto batch = call.ints(batch_key);
  const auto summed = call.ints(summed_key);
  const Dims& dims = array->dimensions;
  Dims named(batch.begin(), batch.end());
  named.insert(named.end(), summed.begin(), summed.end());
  HLOSCOPE_TRY(call.require(are_dimensions(named, dims.size()),
                            "has dimensions that its operands do not have"));
  const Dims rows = other_dimensions(dims.size(), {batch, summed});
  HLOSCOPE_TRY(call.spend(static_cast<int64_t>(array->elements.size())));
  Side out{positions(dims, batch), positions(dims, rows), positions(dims, summed),
           sizes_of(dims, batch),  sizes_of(dims, rows),  sizes_of(dims, summed)};
  return out;
}

Dims result_sizes(const Side& left, const Side& right) {
  Dims out = left.batch_sizes;
  out.insert(out.end(), left.row_sizes.begin(), left.row_sizes.end());
  out.insert(out.end(), right.row_sizes.begin(), right.row_sizes.end());
  return out;
}

}  // namespace

Result<Value> dot(const OpCall& call) {
  if (call.program().find(call.id(), AttrKey::kSparsityConfig) != nullptr) {
    return fail(call.unsupported("has sparse operands"));
  }
  HLOSCOPE_ASSIGN(const Side left,
                  side(call, 0, AttrKey::kLhsBatchDims, AttrKey::kLhsContractingDims));
  HLOSCOPE_ASSIGN(const Side right,
                  side(call, 1, AttrKey::kRhsBatchDims, AttrKey::kRhsContractingDims));
  HLOSCOPE_ASSIGN(Array out, call.new_array());
  const Array& a = call.operand(0).array();
  const Array& b = call.operand(1).array();
  HLOSCOPE_TRY(call.require(
      left.batch_sizes == right.batch_sizes && left.summed_sizes == right.summed_sizes &&
          out.dimensions == result_sizes(left, right) && domain(a.type) == domain(b.type),
      "has operands that do not fit each other and the result"));
  HLOSCOPE_TRY(call.check_budget(static_cast<double>(out.elements.size()) *
                                 static_cast<double>(left.summed.size())));
  ProductSum sum(a.type, out.type);
  size_t to = 0;
  for (size_t g = 0; g < left.batch.size(); ++g) {
    for (const size_t row : left.rows) {
      for (const size_t column : right.rows) {
        HLOSCOPE_TRY(call.spend(static_cast<int64_t>(left.summed.size())));
        sum.clear();
        for (size_t s = 0; s < left.summed.size(); ++s) {
          sum.add(a.elements[left.batch[g] + row + left.summed[s]],
                  b.elements[right.batch[g] + column + right.summed[s]]);
        }
        out.elements[to++] = sum.value();
      }
    }
  }
  return Value(std::move(out));
}

}  // namespace hloscope::eval
