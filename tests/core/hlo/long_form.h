#pragma once

namespace hloscope::testing {

/// One instruction of most forms. As jaxlib 0.10.2 prints it, but for the constant "big", which it
/// elides.
inline constexpr const char* kLongForm =
    R"(HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, must-alias) }, entry_computation_layout={(f32[2,2]{1,0}, f32[4]{0})->f32[4]{0}}

FileNames
1 "a.py"

FunctionNames
1 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=1 end_column=2}

StackFrames
1 {file_location_id=1 parent_frame_id=1}


%add (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %s = f32[] add(%x, %y)
}

%max (x.1: f32[], y.1: f32[]) -> pred[] {
  %x.1 = f32[] parameter(0)
  %y.1 = f32[] parameter(1)
  ROOT %s.1 = pred[] compare(%x.1, %y.1), direction=GE
}

%t1 (z: f32[2,2]) -> f32[2,2] {
  ROOT %z = f32[2,2]{1,0} parameter(0)
}

%f1 (z.1: f32[2,2]) -> f32[2,2] {
  %z.1 = f32[2,2]{1,0} parameter(0)
  ROOT %y.2 = f32[2,2]{1,0} abs(%z.1)
}

%body (p.1: (s32[], f32[4])) -> (s32[], f32[4]) {
  %p.1 = (s32[], f32[4]{0}) parameter(0)
  %i.1 = s32[] get-tuple-element(%p.1), index=0
  %v = f32[4]{0} get-tuple-element(%p.1), index=1
  %one = s32[] constant(1)
  %j = s32[] add(%i.1, %one)
  %w = f32[4]{0} negate(%v)
  ROOT %t = (s32[], f32[4]{0}) tuple(%j, %w)
}

%cond (p: (s32[], f32[4])) -> pred[] {
  %p = (s32[], f32[4]{0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %n = s32[] constant(10)
  ROOT %lt = pred[] compare(%i, %n), direction=LT
}

%fused (a: f32[4]) -> f32[4] {
  %a = f32[4]{0} parameter(0)
  ROOT %r = f32[4]{0} exponential(%a), result_accuracy={mode=highest}
}

ENTRY %main (p.2: f32[2,2], q: f32[4]) -> f32[4] {
  %p.2 = f32[2,2]{1,0} parameter(0), sharding={devices=[2,1]0,1}
  %q = f32[4]{0} parameter(1), metadata={op_name="q" stack_frame_id=1}
  %c = f32[2,2]{1,0} constant({ { 1, 2 }, { 3, 4.5 } })
  %big = s32[12]{0} constant({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  %d = f32[2,2]{1,0} dot(%p.2, %c), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={highest,default}, algorithm=dot_bf16_bf16_f32
  %z.2 = f32[] constant(0)
  %img = f32[1,8,8,3]{3,2,1,0} broadcast(%z.2), dimensions={}
  %ker = f32[3,3,3,16]{3,2,1,0} broadcast(%z.2), dimensions={}
  %cv = f32[1,4,4,16]{3,2,1,0} convolution(%img, %ker), window={size=3x3 stride=2x2 pad=0_1x0_1 rhs_reversal=0x1}, dim_labels=b01f_01io->b01f
  %rw = f32[1,4,4,3]{3,2,1,0} reduce-window(%img, %z.2), window={size=1x2x2x1 stride=1x2x2x1}, to_apply=%add
  %ss = f32[1,8,8,3]{3,2,1,0} select-and-scatter(%img, %rw, %z.2), window={size=1x2x2x1 stride=1x2x2x1}, select=%max, scatter=%add
  %rd = f32[2]{0} reduce(%d, %z.2), dimensions={1}, to_apply=%add
  %pd = f32[7,5]{1,0} pad(%d, %z.2), padding=1_2_2x1_2_0
  %sl = f32[1,2]{1,0} slice(%d), slice={[0:2:2], [0:2:1]}
  %i0 = s32[] constant(0)
  %ds = f32[1,2]{1,0} dynamic-slice(%d, %i0, %i0), dynamic_slice_sizes={1,2}
  %iot = s32[2,1]{1,0} iota(), iota_dimension=0
  %g = f32[2,2]{1,0} gather(%d, %iot), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}, indices_are_sorted=true
  %sc = f32[2,2]{1,0} scatter(%d, %iot, %g), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, unique_indices=true, to_apply=%add
  %so = f32[4]{0} sort(%q), dimensions={0}, is_stable=true, to_apply=%max
  %ar = f32[2,2]{1,0} all-reduce(%d), channel_id=1, replica_groups=[2,2]<=[4], use_global_device_ids=true, to_apply=%add
  %ag = f32[4,2]{1,0} all-gather(%d), channel_id=2, replica_groups={{0,1},{2,3}}, dimensions={0}, use_global_device_ids=true
  %rs = f32[2]{0} reduce-scatter(%q), channel_id=3, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, dimensions={0}, to_apply=%add
  %cp = f32[2,2]{1,0} collective-permute(%d), channel_id=4, source_target_pairs={{0,1},{1,0}}
  %pr = pred[] compare(%z.2, %z.2), direction=EQ, type=TOTALORDER
  %cn = f32[2,2]{1,0} conditional(%pr, %d, %d), true_computation=%t1, false_computation=%f1
  %br = f32[2,2]{1,0} conditional(%i0, %d, %d), branch_computations={%t1, %f1}
  %in = (s32[], f32[4]{0}) tuple(%i0, %q)
  %wh = (s32[], f32[4]{0}) while(%in), condition=%cond, body=%body, backend_config={"known_trip_count":{"n":"10"}}
  %w1 = f32[4]{0} get-tuple-element(%wh), index=1
  %fu = f32[4]{0} fusion(%w1), kind=kLoop, calls=%fused
  %cc = (f32[4]{0}, s32[]) custom-call(%fu, %d, %z.2, %i0, %pr, /*index=5*/%q), custom_call_target="a\"b", operand_layout_constraints={f32[4]{0}, f32[2,2]{1,0}, f32[], s32[], pred[], f32[4]{0}}, custom_call_has_side_effect=true, literal=s32[2]{0} {1, 2}, api_version=API_VERSION_TYPED_FFI, backend_config="{x"
  %three = f32[3]{0} broadcast(%z.2), dimensions={}
  %bn = f32[1,8,8,3]{3,2,1,0} batch-norm-inference(%img, %three, %three, %three, %three), epsilon=0.001, feature_index=3
  ROOT %out = f32[4]{0} copy(%fu), control-predecessors={%cc, %wh}
}

)";

}  // namespace hloscope::testing
