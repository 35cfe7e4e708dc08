#include "core/data/generate.h"

#include <unordered_map>

#include "core/base/rng.h"
#include "core/data/graph_record.h"
#include "core/fuse/apply.h"
#include "core/fuse/default_fusion.h"
#include "core/graph/kernels.h"

namespace hloscope::data {

namespace {

/// Collects what a unit gives, kernel by kernel.
class UnitWriter {
 public:
  UnitWriter(PreparedProgram& program, const SamplingOptions& options,
             const std::function<bool(const Hash128&)>& is_known)
      : program_(program), options_(options), is_known_(is_known) {}

  /// Whether the kernel must be there as a program: add() needs it.
  [[nodiscard]] bool is_new(const Hash128& hash) const {
    return !positions_.contains(hash) && !is_known_(hash) && !program_.is_unused(hash);
  }
  void meet(const Hash128& hash, double executions) {
    if (program_.is_unused(hash)) return;
    const auto [at, is_first] = positions_.try_emplace(hash, unit_.kernels.size());
    if (is_first) unit_.kernels.push_back({hash, 0});
    unit_.kernels[at->second].executions += executions;
  }
  /// `kernel`: the program whose entry's root it is.
  void add(const hlo::Program& kernel, const Hash128& hash, double executions) {
    std::vector<Sample> samples = simulated_samples(kernel, hash, options_);
    if (samples.empty()) {
      program_.remember_unused(hash);
      return;
    }
    unit_.new_graphs.push_back({record(kernel, hash), std::move(samples)});
    meet(hash, executions);
  }
  [[nodiscard]] GeneratedUnit take() { return std::move(unit_); }

 private:
  static GraphRecord record(const hlo::Program& program, const Hash128& hash) {
    const graph::KernelList kernels = graph::kernels(program);
    const graph::Kernel& kernel = kernels.kernels[kernels.kernel_of[program[program.entry()].root]];
    GraphRecord out = graph_record(program, kernel, program);
    out.hash = hash;
    return out;
  }

  PreparedProgram& program_;
  const SamplingOptions& options_;
  const std::function<bool(const Hash128&)>& is_known_;
  GeneratedUnit unit_;
  std::unordered_map<Hash128, size_t> positions_;  ///< In unit_.kernels.
};

bool is_kernel(const hlo::Program& program, const fuse::Group& group) {
  if (group.members.empty() || group.executions <= 0) return false;
  if (!group.facts.is_plain) return true;
  const hlo::Opcode opcode = program[group.members.back()].opcode;
  return !graph::is_free(opcode) && !graph::is_control_flow(opcode);
}

Status add_group(PreparedProgram& program, const fuse::Group& group, UnitWriter& out) {
  std::optional<Hash128> hash = program.known_hash(group.members);
  if (hash && !out.is_new(*hash)) {
    out.meet(*hash, group.executions);
    return {};
  }
  HLOSCOPE_ASSIGN(const hlo::ProgramPtr kernel, fuse::kernel_program(program.space(), group));
  if (!hash) {
    hash = graph::canonical_hash(*kernel, (*kernel)[kernel->entry()].root);
    program.remember(group.members, *hash);
  }
  if (out.is_new(*hash)) {
    out.add(*kernel, *hash, group.executions);
  } else {
    out.meet(*hash, group.executions);
  }
  return {};
}

Result<fuse::FusionConfig> chosen_config(const PreparedProgram& program, int64_t configuration,
                                         uint64_t seed, const Progress& progress) {
  if (configuration == 0) return fuse::default_config(program.space(), progress);
  Hasher hasher;
  hasher.add(seed).add(program.hash().low).add(static_cast<uint64_t>(configuration));
  Rng rng(hasher.digest().low);
  return program.space().random(rng, rng.uniform());
}

Result<GeneratedUnit> fused_unit(PreparedProgram& program, int64_t configuration,
                                 const SamplingOptions& options, UnitWriter& out,
                                 const Progress& progress) {
  HLOSCOPE_ASSIGN(const fuse::FusionConfig config,
                  chosen_config(program, configuration, options.seed, progress));
  fuse::FusionState state(program.space());
  state.take(config);
  for (hlo::InstructionId id : program.program().instructions()) {
    const fuse::Group& group = state.group(state.group_of(id));
    if (group.members.front() != id || !is_kernel(program.program(), group)) continue;
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    HLOSCOPE_TRY(add_group(program, group, out));
  }
  return out.take();
}

Result<GeneratedUnit> compiled_unit(const hlo::Program& program, UnitWriter& out,
                                    const Progress& progress) {
  const graph::KernelList kernels = graph::kernels(program);
  for (const graph::Kernel& kernel : kernels.kernels) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    if (!out.is_new(kernel.hash)) {
      out.meet(kernel.hash, kernel.executions);
      continue;
    }
    HLOSCOPE_ASSIGN(const hlo::ProgramPtr alone, graph::extract(program, kernel.instruction));
    out.add(*alone, kernel.hash, kernel.executions);
  }
  return out.take();
}

}  // namespace

Result<GeneratedUnit> generate_unit(PreparedProgram& program, int64_t configuration,
                                    const SamplingOptions& options,
                                    const std::function<bool(const Hash128&)>& is_known,
                                    const Progress& progress) {
  UnitWriter out(program, options, is_known);
  if (program.is_compiled()) return compiled_unit(program.program(), out, progress);
  return fused_unit(program, configuration, options, out, progress);
}

}  // namespace hloscope::data
