#pragma once

#include <fmt/format.h>

#include <string>

namespace hloscope::testing {

/// A loop over (counter, data) whose parts are given as text.
struct LoopText {
  std::string init = "s32[] constant(0)";
  std::string condition =
      "limit = s32[] constant(10)\n ROOT less = pred[] compare(i, limit), direction=LT";
  std::string next = "one = s32[] constant(1)\n next = s32[] add(i, one)";
  std::string config = {};
  std::string computations = {};
};

inline std::string loop_text(const LoopText& parts) {
  return fmt::format(R"(
HloModule loop, is_scheduled=true
{}
condition {{
  state = (s32[], f32[8,128]{{1,0}}) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  {}
}}
body {{
  state = (s32[], f32[8,128]{{1,0}}) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  data = f32[8,128]{{1,0}} get-tuple-element(state), index=1
  {}
  work = f32[8,128]{{1,0}} exponential(data)
  ROOT result = (s32[], f32[8,128]{{1,0}}) tuple(next, work)
}}
ENTRY main {{
  p = f32[8,128]{{1,0}} parameter(0)
  first = {}
  init = (s32[], f32[8,128]{{1,0}}) tuple(first, p)
  loop = (s32[], f32[8,128]{{1,0}}) while(init), condition=condition, body=body{}
  ROOT out = f32[8,128]{{1,0}} get-tuple-element(loop), index=1
}})",
                     parts.computations, parts.condition, parts.next, parts.init, parts.config);
}

}  // namespace hloscope::testing
