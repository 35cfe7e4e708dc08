#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

class TestCliEval : public hloscope::testing::FolderTest {
  Q_OBJECT
 private slots:
  void init() {
    write("p.hlo",
          "HloModule m\nENTRY e {\n  p = f32[2,2] parameter(0)\n  q = s32[] parameter(1)\n"
          "  r = f32[2,2] add(p, p)\n  ROOT t = (f32[2,2], s32[]) tuple(r, q)\n}\n");
  }

  void given_arguments() {
    write("a.json", "[[[1, 2], [3, 4.25]], -7]");
    const Outcome o = run({"eval", path("p.hlo"), "--arguments", path("a.json")});
    QCOMPARE(o.code, 0);
    QVERIFY2(o.out.contains("\n0  f32[2,2]  checksum "), o.out.constData());
    QVERIFY2(o.out.contains("\n  2 4 6 8.5\n"), o.out.constData());
    QVERIFY2(o.out.contains("\n  -7\n"), o.out.constData());
  }
  void json_of_given_arguments() {
    write("a.json", "[[1, 2, 3, 4.25], -7]");
    const Outcome o =
        run({"eval", path("p.hlo"), "--arguments", path("a.json"), "--json", "--values", "3"});
    QCOMPARE(o.code, 0);
    const QJsonObject module = QJsonDocument::fromJson(o.out).array()[0].toObject();
    QCOMPARE(module["shape"].toString(), QStringLiteral("(f32[2,2], s32[])"));
    QVERIFY(module["seed"].isNull());
    const QJsonArray results = module["results"].toArray();
    QCOMPARE(results.size(), 2);
    QCOMPARE(results[0].toObject()["values"].toArray(), (QJsonArray{"2", "4", "6"}));
    QCOMPARE(results[1].toObject()["element"].toString(), QStringLiteral("1"));
  }
  void the_seed_decides() {
    const QByteArray one = run({"eval", path("p.hlo"), "--seed", "5"}).out;
    QVERIFY(one.contains("seed 5"));
    QCOMPARE(run({"eval", path("p.hlo"), "--seed", "5"}).out, one);
    const Outcome other = run({"eval", path("p.hlo"), "--seed", "6", "--json"});
    QCOMPARE(other.code, 0);
    const QJsonObject module = QJsonDocument::fromJson(other.out).array()[0].toObject();
    QVERIFY(!one.contains(module["checksum"].toString().toUtf8()));
  }
  void bad_arguments_are_explained() {
    write("a.json", "[[1, 2, 3], -7]");
    const Outcome o = run({"eval", path("p.hlo"), "--arguments", path("a.json")});
    QCOMPARE(o.code, 1);
    QVERIFY2(o.err.contains("a.json") && o.err.contains("argument 0 (\"p\") is not a f32[2,2]"),
             o.err.constData());
    QCOMPARE(run({"eval", path("p.hlo"), "--arguments", path("none.json")}).code, 1);
    QCOMPARE(run({"eval", path("p.hlo"), "--arguments", path("a.json"), "--seed", "1"}).code, 2);
  }
  void an_unknown_opcode_is_shown_in_its_line() {
    write("c.hlo",
          "HloModule m\nENTRY e {\n  p = f32[2,2] parameter(0)\n"
          "  ROOT c = f32[2,2] cholesky(p), lower=true\n}\n");
    const Outcome o = run({"eval", path("c.hlo")});
    QCOMPARE(o.code, 1);
    QVERIFY2(o.err.contains("c.hlo:4:") && o.err.contains("cholesky \"c\" is not supported"),
             o.err.constData());
  }
  void a_limit_ends_a_loop() {
    write(
        "w.hlo",
        "HloModule m\nc {\n  x = s32[] parameter(0)\n  ROOT t = pred[] constant(true)\n}\n"
        "b {\n  x = s32[] parameter(0)\n  ROOT y = s32[] add(x, x)\n}\n"
        "ENTRY e {\n  p = s32[] parameter(0)\n  ROOT w = s32[] while(p), condition=c, body=b\n}\n");
    const Outcome o = run({"eval", path("w.hlo"), "--max-operations", "1000"});
    QCOMPARE(o.code, 1);
    QVERIFY2(o.err.contains("too many operations"), o.err.constData());
  }
};

HLOSCOPE_TEST(TestCliEval);

#include "test_cli_eval.moc"
