#pragma once

#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/hlo/lexer.h"
#include "core/hlo/name_table.h"
#include "core/hlo/program_builder.h"
#include "core/hlo/read.h"
#include "core/hlo/rhs.h"

namespace hloscope::hlo {

/// Names of one computation while it is being parsed.
struct Scope {
  NameTable names;
  ComputationId computation;
  InstructionId root;
  InstructionId last;
  /// Instructions made by the reader (tuple elements, nested operands): named when the computation
  /// ends, so that they never take a name of the file.
  std::vector<std::pair<InstructionId, std::string_view>> unnamed;
  /// `%x#1` that already has its get-tuple-element: operand and index -> made instruction.
  std::unordered_map<uint64_t, InstructionId> elements;

  void reset(ComputationId id);
};

/// An entry of input_output_alias or buffer_donor, to be checked when the entry computation is
/// known. A donor has no output.
struct BufferAlias {
  const char* place = nullptr;
  bool has_output = false;
  std::vector<int64_t> output;
  int64_t parameter = 0;
  std::vector<int64_t> index;
};

/// The state of parsing one module. The parse_... functions take it as their first parameter,
/// return false after recording a failure in `lex`, and leave `lex` behind what they read.
struct ParseContext {
  ParseContext(Lexer lexer, ProgramBuilder& program_builder, const ReadOptions& read_options,
               const Progress& read_progress)
      : lex(std::move(lexer)),
        builder(program_builder),
        options(read_options),
        progress(read_progress) {}

  Lexer lex;
  ProgramBuilder& builder;
  const ReadOptions& options;
  const Progress& progress;
  std::vector<Lexer::Failure> warnings;
  NameTable computations;
  NameTable shape_texts;  ///< Written shape -> ShapeId.
  /// Computations made by the reader, with the name they should have.
  std::vector<std::pair<ComputationId, std::string_view>> unnamed_computations;
  std::vector<BufferAlias> aliases;
  std::deque<Scope> scopes;  ///< Kept for reuse; the first scope_depth are in use.
  size_t scope_depth = 0;
  const char* next_report = nullptr;  ///< Where progress is told again.
  std::deque<Rhs> rhs_pool;           ///< As scopes.
  size_t rhs_depth = 0;
  int depth = 0;                  ///< Nesting of shapes, literals, operands and bodies.
  bool single_form = false;       ///< A lone instruction: undefined operands become parameters.
  int64_t single_parameters = 0;  ///< How many it has so far.

  // Kept between instructions only to save allocations.
  std::vector<int64_t> ints;

  [[nodiscard]] Scope& scope() { return scopes[scope_depth - 1]; }
  void enter_scope(ComputationId id);
  void leave_scope() { --scope_depth; }
  /// Tells progress now and then; false, with a failure recorded, when the work is to stop.
  [[nodiscard]] bool keep_on();
  void warn(const char* at, std::string message, std::string hint = {});
};

/// A cleared Rhs of the pool for the lifetime of this object.
class RhsLease {
 public:
  RhsLease(ParseContext& context, const char* begin);
  ~RhsLease() { --context_.rhs_depth; }
  RhsLease(const RhsLease&) = delete;
  RhsLease& operator=(const RhsLease&) = delete;
  [[nodiscard]] Rhs& operator*() const { return rhs_; }
  [[nodiscard]] Rhs* operator->() const { return &rhs_; }

 private:
  ParseContext& context_;
  Rhs& rhs_;
};

/// Counts nesting for its lifetime; ok() is false, with a failure recorded, beyond the limit.
class DepthGuard {
 public:
  explicit DepthGuard(ParseContext& context, int weight = 1);
  ~DepthGuard() { context_.depth -= weight_; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  ParseContext& context_;
  int weight_;
  bool ok_;
};

}  // namespace hloscope::hlo
