#pragma once

#include <compare>
#include <cstdint>

namespace hloscope::db {

/// The key of a row, typed by its table. 0: no row.
template <typename Tag>
struct RowId {
  int64_t value = 0;
  auto operator<=>(const RowId&) const = default;
  [[nodiscard]] bool valid() const { return value != 0; }
};

struct ProgramTag;
using ProgramRow = RowId<ProgramTag>;
struct KernelTag;
using KernelRow = RowId<KernelTag>;
struct RunTag;
using RunId = RowId<RunTag>;
struct MeasuredSourceTag;
using MeasuredSourceRow = RowId<MeasuredSourceTag>;
struct GraphTag;
using GraphRow = RowId<GraphTag>;

/// A window into a long list: `count` rows after the first `skip`.
struct Page {
  int64_t count = 1000;
  int64_t skip = 0;
};

}  // namespace hloscope::db
