#pragma once

// What the sessions of the command line tune in tests.

namespace hloscope::testing {

/// Not optimised, with edges to fuse.
inline constexpr auto kTunedProgram = R"(HloModule step
ENTRY main {
  a = f32[512,512]{1,0} parameter(0)
  b = f32[512,512]{1,0} parameter(1)
  d = f32[512,512]{1,0} dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[512,512]{1,0} tanh(d)
  n = f32[512,512]{1,0} negate(t)
  e = f32[512,512]{1,0} exponential(n)
  s = f32[512,512]{1,0} add(e, a)
  ROOT r = f32[512,512]{1,0} multiply(s, t)
}
)";
/// One kernel, as compiled.
inline constexpr auto kTunedKernel = R"(HloModule one, is_scheduled=true
ENTRY main {
  a = f32[512,512]{1,0} parameter(0)
  b = f32[512,512]{1,0} parameter(1)
  ROOT d = f32[512,512]{1,0} dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";

}  // namespace hloscope::testing
