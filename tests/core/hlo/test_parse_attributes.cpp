#include "tests/core/hlo/parsing.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::hlo;
using namespace hloscope::testing;

using Ints = std::vector<int64_t>;

namespace {

Ints ints(const ProgramPtr& program, AttrKey key) {
  if (program == nullptr) return {-999};
  const auto values = program->ints((*program)[program->entry()].root, key);
  return {values.begin(), values.end()};
}

QString text(const ProgramPtr& program, AttrKey key) {
  if (program == nullptr) return QStringLiteral("not read");
  return qs(program->text((*program)[program->entry()].root, key));
}

}  // namespace

class TestParseAttributes : public QObject {
  Q_OBJECT
 private slots:
  void integers();
  void window();
  void padding_and_slice();
  void texts();
  void raw_values_data();
  void raw_values();
  void accepted_data();
  void accepted();
  void refused_data();
  void refused();
  void computations_and_instructions();
  void unknown_attributes();
  void old_names();
};

void TestParseAttributes::integers() {
  QCOMPARE(ints(entry("  ROOT r = f32[8,4] transpose(m), dimensions={1,0}"), AttrKey::kDimensions),
           (Ints{1, 0}));
  QCOMPARE(ints(entry("  ROOT r = f32[4] collective-permute(x), source_target_pairs={{0,1},{1,0}}"),
                AttrKey::kSourceTargetPairs),
           (Ints{0, 1, 1, 0}));
  const ProgramPtr program = entry(
      "  ROOT r = f32[4] all-reduce(x), channel_id=7, "
      "replica_groups={{0,1}}, use_global_device_ids=true, "
      "to_apply=addf");
  QVERIFY(program != nullptr);
  const InstructionId root = (*program)[program->entry()].root;
  QCOMPARE(program->integer(root, AttrKey::kChannelId).value_or(-1), 7);
  QVERIFY(program->flag(root, AttrKey::kUseGlobalDeviceIds));
  QVERIFY(!program->flag(root, AttrKey::kConstrainLayout));
  QCOMPARE(text(program, AttrKey::kReplicaGroups), QStringLiteral("{{0,1}}"));
  const ProgramPtr norm =
      entry("  ROOT r = f32[4] batch-norm-inference(x, x, x, x, x), epsilon=1e-5, feature_index=0");
  QVERIFY(norm != nullptr);
  QCOMPARE(norm->find((*norm)[norm->entry()].root, AttrKey::kEpsilon)->number(), 1e-5);
}

void TestParseAttributes::window() {
  const QString line = QStringLiteral(
      "  k2 = f32[3,2,1,1] constant({...})\n  a = f32[1,9,9,1] constant({...})\n"
      "  ROOT r = f32[1,4,8,1] convolution(a, k2), dim_labels=b01f_01io->b01f, window={%1}");
  const auto of = [&](const char* value) {
    return ints(entry(line.arg(QLatin1String(value)).toStdString()), AttrKey::kWindow);
  };
  QCOMPARE(of("size=3x2"), (Ints{3, 1, 0, 0, 1, 1, 0, 2, 1, 0, 0, 1, 1, 0}));
  QCOMPARE(of("rhs_reversal=0x1 size=3x2 stride=2x1 pad=-1_2x0_0 lhs_dilate=1x4 rhs_dilate=5x1"),
           (Ints{3, 2, -1, 2, 1, 5, 0, 2, 1, 0, 0, 4, 1, 1}));
  QCOMPARE(of(""), Ints());
}

void TestParseAttributes::padding_and_slice() {
  QCOMPARE(ints(entry("  ROOT r = f32[9,8] pad(m, z), padding=1_1_1x0_0"), AttrKey::kPadding),
           (Ints{1, 1, 1, 0, 0, 0}));
  QCOMPARE(ints(entry("  ROOT r = f32[2,8] slice(m), slice={[0:4:2], [0:8]}"), AttrKey::kSlice),
           (Ints{0, 4, 2, 0, 8, 1}));
}

void TestParseAttributes::texts() {
  const auto call = [](const char* attribute) {
    return entry(
        std::string("  ROOT r = f32[4] custom-call(x), custom_call_target=\"a\\n\\x41\", ") +
        attribute);
  };
  QCOMPARE(text(call("schedule=schedule_latest"), AttrKey::kCustomCallTarget),
           QStringLiteral("a\nA"));
  QCOMPARE(text(call("schedule=schedule_latest"), AttrKey::kSchedule),
           QStringLiteral("SCHEDULE_LATEST"));
  QCOMPARE(text(call("backend_config=\"{\\\"a\\\":1}\""), AttrKey::kBackendConfig),
           QStringLiteral("{\"a\":1}"));
  QCOMPARE(text(call("backend_config={\"a\":\"}\\\"\"}"), AttrKey::kBackendConfig),
           QStringLiteral("{\"a\":\"}\\\"\"}"));
  QCOMPARE(text(call("operand_precision={HIGH,default}"), AttrKey::kOperandPrecision),
           QStringLiteral("{HIGH,default}"));
  QCOMPARE(text(entry("  ROOT r = pred[4] compare(x, x), direction=GE, type=TOTALORDER"),
                AttrKey::kType),
           QStringLiteral("TOTALORDER"));
}

void TestParseAttributes::raw_values_data() {
  QTest::addColumn<QString>("key");
  QTest::addColumn<QString>("value");
  const auto row = [](const char* key, const char* value) {
    QTest::newRow(qPrintable(QStringLiteral("%1=%2").arg(key, value))) << key << value;
  };
  row("metadata", R"({op_type="a" op_name="b\"c" source_file="d.py" source_line=3})");
  row("metadata", R"({op_name='x', source_line=3 source_end_line=4 source_column=1})");
  row("metadata", R"({profile_type={1,2} deduplicated_name="y" stack_frame_id=7})");
  row("sharding", "{replicated}");
  row("sharding", "{}");
  row("sharding", "{maximal device=3}");
  row("sharding", "{devices=[2,2]0,1,2,3}");
  row("sharding", "{devices=[8,2,1]<=[2,8]T(1,0)}");
  row("sharding", "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
  row("sharding", "{devices=[2,2]<=[4] last_tile_dims={manual}}");
  row("sharding", "{manual shard_like 5}");
  row("sharding", "{{replicated}, {devices=[2]<=[2] metadata={op_name=\"x\"}}}");
  row("sharding", "{replicated metadata={{op_name=\"x\"}, {op_name=\"y\"}}}");
  row("sharding", "{mesh['x'=2,'y'=4], [{'x', ?}, {}], replicated={'y'}}");
  row("sharding", "{mesh['x'=4], device_ids=([2,2]T(1,0)), [{'x':(1)2}], unreduced=sum{'x':(2)2}}");
  row("sharding", "{maximal_mesh[device_id=3]}");
  row("frontend_attributes", R"({a="b",c={"x": [1, "}"]}})");
  row("statistics", "{visualizing_index=0,a=1.5,b=-2}");
  row("origin", R"({{"a" {0,1}}})");
  row("origin", R"({({"a"}, ({"b"}, {"c" {1}}))})");
  row("origin", "{[synthetic_call]}");
}

void TestParseAttributes::raw_values() {
  QFETCH(QString, key);
  QFETCH(QString, value);
  const QString line = QStringLiteral("  ROOT r = f32[4] negate(x), %1=%2").arg(key, value);
  const auto attribute = attribute_by_name(key.toStdString());
  QVERIFY(attribute.has_value());
  QCOMPARE(text(entry(line.toStdString()), *attribute), value);
}

void TestParseAttributes::accepted_data() {
  QTest::addColumn<QString>("line");
  const auto row = [](const char* line) { QTest::newRow(line) << line; };
  row("f32[4] all-reduce(x), replica_groups=[2,4]<=[8], to_apply=addf");
  row("f32[4] all-reduce(x), replica_groups=[2,4]<=[4,2]T(1,0), to_apply=addf, mode=flattened_id");
  row("f32[4] all-reduce(x), replica_groups=mesh['x'=2,'y'=4] {'x'}, to_apply=addf");
  row("f32[4] tanh(x), result_accuracy={mode=highest}");
  row("f32[4] tanh(x), result_accuracy={tolerance={atol=1,rtol=0.5,ulps=2}}");
  row("f32[4] fusion(x), kind=kLoop, calls=same, output_to_operand_aliasing={{}: (0, {})}");
  row("f32[4] custom-call(x), custom_call_target=\"a\", called_computations={same, addf}");
  row("f32[4] custom-call(x), custom_call_target=\"a\", literal=(s32[] 1, f32[2]{0} {1,2})");
  row("f32[4] custom-call(x), custom_call_target=\"a\", operand_layout_constraints={f32[4]{0}}");
  row("f32[4] domain(x), domain={kind=\"sharding\", entry={replicated}, exit={maximal device=0}}");
  row("f32[4] conditional(q, x, x), true_computation=same, false_computation=same");
  row("f32[4] conditional(i, x, x), branch_computations={same, same}");
  row("f32[8,8] dot(w, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
      "algorithm=dot_bf16_bf16_f32_x3");
  row("(f32[2], s32[2]) topk(x), k=2, largest=true, is_stable=true");
}

void TestParseAttributes::accepted() {
  QFETCH(QString, line);
  QCOMPARE(qs(entry_error(("  ROOT r = " + line).toStdString())), QString());
}

void TestParseAttributes::refused_data() {
  QTest::addColumn<QString>("line");
  QTest::addColumn<QString>("error");
  const auto row = [](const char* line, const char* error) {
    QTest::newRow(line) << line << error;
  };
  row("f32[4] negate(x), index=1", "1:30: negate has no attribute \"index\"");
  row("f32[4] negate(x), sharding={replicated}, sharding={manual}",
      "1:53: attribute \"sharding\" is given twice");
  row("f32[4] negate(x), sharding = {manual}", "1:30: expected '=' directly behind \"sharding\"");
  row("f32[4] negate(x),", "2:1: expected an attribute (name=value), found \"}\"");
  row("f32[4] negate(x), metadata={bad=\"b\"}", "1:40: unknown part \"bad\" of metadata");
  row("f32[4] negate(x), metadata={op_name=\"a\" op_name=\"b\"}",
      "1:52: \"op_name\" is given twice");
  row("f32[4] negate(x), metadata={source_line=3000000000}",
      "1:52: this number must be in -2147483648 .. 2147483647");
  row("f32[4] negate(x), metadata={op_name=\"\\q\"}", "1:49: this is not a valid escape sequence");
  row("f32[4] negate(x), sharding={devices=[2]0}",
      "1:39: a tiled sharding names more than one device");
  row("f32[4] negate(x), sharding={devices=[2,2]<=[2,2]}", "1:60: expected T and a permutation");
  row("f32[4] negate(x), sharding={replicated device=0}",
      "1:39: replicated, manual, unknown and unreduced shardings name no devices");
  row("f32[4] negate(x), control-predecessors={}", "1:52: expected an instruction here");
  row("f32[4] negate(x), backend_config={",
      "3:1: expected '}' after the instructions of a computation");
  row("f32[4] compare(x, x), direction=eq", "1:44: \"eq\" is no direction");
  row("f32[4] compare(x, x)", "1:19: compare needs the attribute direction");
  row("f32[4] fusion(x), kind=kLoop", "1:19: fusion needs the attribute calls");
  row("f32[4] all-reduce(x), to_apply=nope", "1:43: computation \"nope\" is not defined");
  row("f32[4] all-reduce(x), to_apply=addf, use_global_device_ids=true",
      "1:49: use_global_device_ids=true needs a channel_id");
  row("f32[4] all-reduce(x), replica_groups=[8]<=[8], to_apply=addf",
      "1:49: replica groups have two dimensions, [G,D]");
  row("f32[4] broadcast(x)", "1:19: broadcast needs the attribute dimensions");
  row("f32[4] sort(x), dimensions={0,1}, to_apply=less",
      "1:28: sort has exactly one dimension, not 2");
  row("f32[4] conditional(q, x, x), branch_computations={same, same}",
      "1:19: a conditional on pred needs true_computation and false_computation");
  row("f32[4] pad(x, z), padding=0", "1:38: expected padding as low_high");
  row("f32[4] slice(x), slice={[0:4],}", "1:42: expected '[' before a range");
  row("f32[4] custom-call(x), custom_call_target=\"a\", operand_layout_constraints={}",
      "1:59: 0 layout constraints for 1 operands");
  row("f32[8,8] dot(w, w), algorithm=rng_default", "1:42: \"rng_default\" is no algorithm");
  row("f32[1,4,8,1] convolution(w, w), window={size=3x3 stride=2}, dim_labels=b01f_01io->b01f",
      "1:51: \"stride=\" has 1 entries, but \"size=\" has 2");
  row("f32[1,4,8,1] convolution(w, w), dim_labels=b00f_01io->b01f",
      "1:55: \"b00f_01io->b01f\" is no dim_labels");
}

void TestParseAttributes::refused() {
  QFETCH(QString, line);
  QFETCH(QString, error);
  QCOMPARE(qs(entry_error(("  ROOT r = " + line).toStdString())).left(error.size()), error);
}

void TestParseAttributes::computations_and_instructions() {
  const ProgramPtr program = entry(
      "  a = f32[4] negate(x)\n  ROOT r = (s32[], f32[4]) while(t), condition=cond, body=body, "
      "control-predecessors={a, %x}");
  QVERIFY(program != nullptr);
  const InstructionId root = (*program)[program->entry()].root;
  QCOMPARE(program->computation(root, AttrKey::kBody), program->find_computation("body"));
  QCOMPARE(program->called(root).size(), size_t{2});
  QCOMPARE(program->callers(program->find_computation("cond")).front(), root);
  QCOMPARE(ints(program, AttrKey::kControlPredecessors),
           (Ints{program->find_instruction("a").value, program->find_instruction("x").value}));
}

void TestParseAttributes::unknown_attributes() {
  const std::string text = in_entry(
      "  a = f32[4] negate(x), new_thing={a=[1,\"}\"], b}, sharding={manual}\n"
      "  ROOT r = f32[4] negate(a), new_thing=7");
  const auto file = read_bytes(text, "t");
  QVERIFY(file.has_value());
  QCOMPARE(file->warnings.size(), size_t{1});  // one for both
  QCOMPARE(file->warnings[0].line, kFirstLine);
  QCOMPARE(file->warnings[0].column, 25);
  const Program& program = *file->modules[0].program;
  const auto attributes = program.attributes(program.find_instruction("a"));
  QCOMPARE(attributes.size(), size_t{2});
  QVERIFY(attributes[0].key() == AttrKey::kUnknown);
  QCOMPARE(qs(attributes[0].text()), QStringLiteral("new_thing={a=[1,\"}\"], b}"));
  const std::string strict = error_of(text, true);
  QVERIFY(
      qs(strict).startsWith(QStringLiteral("t:33:25: unknown attribute \"new_thing\" of negate")));
}

void TestParseAttributes::old_names() {
  const std::string line =
      "  ROOT r = f32[4,8] gather(m, v), output_window_dims={1}, elided_window_dims={0}, "
      "gather_dims_to_operand_dims={0}, index_vector_dim=1, window_bounds={1,8}";
  const ProgramPtr program = entry(line);
  QCOMPARE(ints(program, AttrKey::kOffsetDims), (Ints{1}));
  QCOMPARE(ints(program, AttrKey::kSliceSizes), (Ints{1, 8}));
  QVERIFY(!error_of(in_entry(line), true).empty());
  QCOMPARE(text(entry("  ROOT r = f32[4] negate(x), original_value={{\"a\"}}"), AttrKey::kOrigin),
           QStringLiteral("{{\"a\"}}"));
}

HLOSCOPE_TEST(TestParseAttributes);
#include "test_parse_attributes.moc"
