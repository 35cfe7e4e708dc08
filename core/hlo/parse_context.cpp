#include "core/hlo/parse_context.h"

#include <algorithm>

namespace hloscope::hlo {

namespace {
// XLA's limit is 8192 levels; ours leaves room for the larger stack frames of sanitizer builds.
// Bodies and nested operands weigh more because their functions need more stack.
constexpr int kMaxDepth = 2048;
}  // namespace

void Scope::reset(ComputationId id) {
  names.clear();
  computation = id;
  root = {};
  last = {};
  unnamed.clear();
  elements.clear();
}

void ParseContext::enter_scope(ComputationId id) {
  if (scope_depth == scopes.size()) scopes.emplace_back();
  ++scope_depth;
  scope().reset(id);
}

bool ParseContext::keep_on() {
  constexpr std::ptrdiff_t kStep = std::ptrdiff_t{1} << 18;
  if (lex.position() < next_report) return true;
  next_report = lex.position() + std::min(kStep, lex.end() - lex.position());
  if (progress.stop_requested()) return lex.fail(lex.position(), "cancelled");
  progress.report(static_cast<double>(lex.offset(lex.position())) /
                      static_cast<double>(std::max(1U, lex.offset(lex.end()))),
                  "reading HLO text");
  return true;
}

void ParseContext::warn(const char* at, std::string message, std::string hint) {
  constexpr size_t kMostWarnings = 1000;
  if (warnings.size() >= kMostWarnings) return;
  for (const Lexer::Failure& old : warnings) {
    if (old.message == message) return;
  }
  warnings.push_back({at, std::move(message), std::move(hint)});
}

namespace {

Rhs& lease(ParseContext& context, const char* begin) {
  if (context.rhs_depth == context.rhs_pool.size()) context.rhs_pool.emplace_back();
  Rhs& rhs = context.rhs_pool[context.rhs_depth++];
  rhs.clear(begin);
  return rhs;
}

}  // namespace

RhsLease::RhsLease(ParseContext& context, const char* begin)
    : context_(context), rhs_(lease(context, begin)) {}

DepthGuard::DepthGuard(ParseContext& context, int weight)
    : context_(context), weight_(weight), ok_(true) {
  context_.depth += weight;
  if (context_.depth > kMaxDepth) {
    ok_ = context_.lex.fail_here("nested too deeply", "at most 2048 levels are read");
  }
}

}  // namespace hloscope::hlo
