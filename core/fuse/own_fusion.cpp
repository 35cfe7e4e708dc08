#include "core/fuse/own_fusion.h"

#include "core/fuse/apply.h"
#include "core/fuse/clean_up.h"
#include "core/fuse/default_fusion.h"

namespace hloscope::fuse {

Result<hlo::ProgramPtr> with_own_fusion(const hlo::Program& program, const Progress& progress) {
  const auto stopped = [&progress](double fraction) {
    progress.report(fraction, "fusing");
    return progress.stop_requested();
  };
  if (stopped(0)) return fail(ErrorCode::kCancelled, "cancelled");
  HLOSCOPE_ASSIGN(hlo::ProgramPtr clean, clean_up(program));
  if (stopped(0.1)) return fail(ErrorCode::kCancelled, "cancelled");
  const FusionSpace space(std::move(clean));
  FusionState state(space);
  HLOSCOPE_TRY(fuse_by_default(state, progress.part(0.1, 0.95)));
  if (stopped(0.95)) return fail(ErrorCode::kCancelled, "cancelled");
  return apply(state);
}

}  // namespace hloscope::fuse
