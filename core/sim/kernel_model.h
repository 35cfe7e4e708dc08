#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/hlo/program.h"
#include "core/sim/extent.h"
#include "core/sim/reach.h"
#include "core/sim/tile.h"

namespace hloscope::sim {

struct FlatBody;

/// One dimension of a block: its positions, counted in `unit` elements.
struct BlockDim {
  ExtentId extent;
  int64_t unit = 1;
  int64_t full_units = 1;  ///< Of the whole array.
};

/// An operand or result in HBM whose blocks are moved by DMA as the loops go on.
struct Stream {
  bool is_output = false;
  std::string name;            ///< Of the operand, or "result", "result 1", ...
  std::vector<BlockDim> dims;  ///< Physical order, major to minor.
  double unit_bytes = 0;       ///< Of one tile of the layout.
  bool is_scattered = false;   ///< Rows at places known at run time: each row is a run of its own.
  LoopSet loops = 0;           ///< The block changes when one of these moves.
};

/// Sizes whose product, each divided by `elements` and rounded up, is a count of vector registers.
struct RegisterDim {
  ExtentId extent;
  int64_t elements = 1;
};
using RegisterDims = std::vector<RegisterDim>;

/// Operations per vector register of f32 (8 x 128), on the units of the core.
struct UnitWork {
  double valu = 0;    ///< Vector ALU operations.
  double eup = 0;     ///< Transcendental unit.
  double xlu = 0;     ///< Registers through the cross-lane unit (transposes).
  double load = 0;    ///< From VMEM.
  double store = 0;   ///< To VMEM.
  double unpack = 0;  ///< Of float16, which no unit computes with: before all else.
  double pack = 0;    ///< To float16, after all else.
};

/// Vector work of one operation in one tile.
struct VectorWork {
  RegisterDims registers;
  UnitWork per_register;
  /// Before the matrix unit (producers of its operands); other work of a kernel with a dot or
  /// convolution comes after its last partial sum.
  bool feeds_matrix = false;
  std::string_view what;  ///< Name of the opcode.
};

/// Products of the matrix unit in one tile: the right operand is cut in weight tiles, the rows of
/// the left one stream through each.
struct MatrixModel {
  std::vector<ExtentId> columns;         ///< Output features.
  std::vector<ExtentId> depth;           ///< Summed dimensions that fill the rows of a weight tile.
  std::vector<ExtentId> positions;       ///< Window positions: a weight tile each.
  std::vector<ExtentId> batch;           ///< Independent products.
  RegisterDims rows;                     ///< Streamed rows, in registers.
  double pushes_per_register = 1;        ///< Of 8 rows each; 16 where rows lie along the lanes.
  std::vector<ExtentId> row_groups;      ///< Product: separate runs of rows.
  RegisterDims result;                   ///< Registers of the partial sums.
  std::vector<RegisterDims> transposed;  ///< Whose lanes lie in the wrong dimension.
  int64_t full_depth = 1;                ///< Of the whole kernel, without window positions.
  double groups_per_tile = 1;            ///< Feature groups that share a weight tile.
  bool is_float32 = false;               ///< Takes f32 passes.
  bool is_complex = false;
  std::string_view precision;  ///< operand_precision or algorithm of the instruction.
};

/// How a kernel is timed.
enum class KernelKind : uint8_t {
  kTiled,       ///< Cut in tiles: everything that runs on the core.
  kCollective,  ///< Over the links between chips.
  kHost,        ///< infeed, outfeed, send and recv of the host.
  kFree,        ///< Nothing moves: a bitcast, or a mark for the compiler.
  kDma,         ///< An asynchronous copy: transfers alone.
  kOpaque,      ///< A custom-call and what else has no rule: its bytes through HBM.
};

/// A kernel as the timing models see it: everything that does not depend on the tile or on the
/// machine. Made from the HLO of any kernel.
struct KernelModel {
  KernelKind kind = KernelKind::kTiled;
  Extents extents;
  std::vector<LoopDim> loops;
  std::vector<LoopId> order;         ///< Outermost first.
  std::vector<LoopId> output_loops;  ///< By position in Tile::output.
  /// By position in Tile::kernel: dimensions of the right operand of the dot or convolution. A loop
  /// where it is summed over; invalid where the output's bounds tell the size.
  std::vector<LoopId> kernel_loops;
  std::vector<BlockDim> kernel_dims;
  std::vector<Stream> streams;
  std::vector<VectorWork> vector_work;
  std::optional<MatrixModel> matrix;
  /// Of a kernel that ends in a reduction: the registers of its input without the lanes. Else
  /// empty.
  std::optional<RegisterDims> reduction_rows;
  /// Opcodes without a rule of their own: their operands are taken whole, their work is not known.
  std::vector<hlo::Opcode> fallbacks;
  double resident_bytes = 0;  ///< Small operands and results that stay in VMEM throughout.
  // Of all kinds but kTiled.
  double link_bytes = 0;  ///< Of the operands or the result, what is larger; kOpaque: of both.
  double link_steps = 0;  ///< Trips over the ring; link_share of the bytes in all.
  double link_share = 1;
};

/// Never fails: what is not understood is in `fallbacks`.
[[nodiscard]] KernelModel kernel_model(const hlo::Program& program, hlo::InstructionId kernel);
/// The same of a fusion that is not written: `body` is what flatten() would give, of instructions
/// of `program`.
[[nodiscard]] KernelModel kernel_model(const hlo::Program& program, const FlatBody& body);

/// Bounds by loop that take the kernel in one iteration; and the same as a tile.
[[nodiscard]] std::vector<int64_t> whole_bounds(const KernelModel& model);
[[nodiscard]] Tile whole_tile(const KernelModel& model);
/// Bounds by loop. Error: kInvalidInput for a wrong number of bounds, or one out of range.
[[nodiscard]] Result<std::vector<int64_t>> loop_bounds(const KernelModel& model, const Tile& tile);
[[nodiscard]] Tile tile_of(const KernelModel& model, const std::vector<int64_t>& bounds);
/// Positions of the first tile, by LoopId.
[[nodiscard]] std::vector<Range> first_ranges(const KernelModel& model,
                                              std::span<const int64_t> bounds);

}  // namespace hloscope::sim
