// Programs that state the tiles of their kernels (hloscope_tile).
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

class TestCliStatedTiles : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  static QJsonObject first(const QStringList& arguments) {
    return QJsonDocument::fromJson(run(arguments).out).array()[0].toObject();
  }

 private slots:
  void equal_kernels_are_timed_at_the_tile_that_each_states() {
    const auto text = [](const QByteArray& lines) {
      return "HloModule m, is_scheduled=true\nENTRY main {\n"
             "  a = f32[64,128]{1,0} parameter(0)\n" +
             lines + "}\n";
    };
    const auto line = [](const QByteArray& name, const QByteArray& of, const QByteArray& tile) {
      return "  " + name + " = f32[64,128]{1,0} negate(" + of +
             "), frontend_attributes={hloscope_tile=\"" + tile + "\"}\n";
    };
    const QString small = write("small.hlo", text(line("ROOT n", "a", "out=1x1")));
    const QString large = write("large.hlo", text(line("ROOT n", "a", "out=8x1")));
    const QString both =
        write("both.hlo", text(line("x", "a", "out=1x1") + line("y", "x", "out=8x1") +
                               line("ROOT z", "y", "out=1x1")));
    const double small_ns = first({"simulate", small, "--json"})["simulated_total_ns"].toDouble();
    const double large_ns = first({"simulate", large, "--json"})["simulated_total_ns"].toDouble();
    QVERIFY(small_ns > large_ns);
    const QJsonObject all = first({"simulate", both, "--json"});
    QCOMPARE(all["simulated_total_ns"].toDouble(), 2 * small_ns + large_ns);
    QCOMPARE(all["distinct_kernels"].toInt(), 2);
    const QJsonObject kernels = first({"kernels", both, "--json"});
    for (const QJsonValue& kernel : kernels["kernels"].toArray()) {
      QCOMPARE(kernel["simulated_ns"].toDouble(), kernel["kernel"] == "y" ? large_ns : small_ns);
    }
    QCOMPARE(kernels["kernels"].toArray().size(), 3);
  }

  void a_tile_of_the_program_that_cannot_be_used_is_named_with_the_reason() {
    const QString file =
        write("stated.hlo",
              "HloModule m, is_scheduled=true\nENTRY main {\n  a = f32[64,128]{1,0} parameter(0)\n"
              "  n = f32[64,128]{1,0} negate(a), frontend_attributes={hloscope_tile=\"out=9x1\"}\n"
              "  ROOT t = f32[64,128]{1,0} tanh(n), "
              "frontend_attributes={hloscope_tile=\"out=2x1\"}\n}\n");
    const QByteArray why = "bound 1 of out= is 9, its range is 1 to 8";
    for (const QStringList& command :
         {QStringList{"simulate", file}, QStringList{"simulate", file, "--kernel", "n"},
          QStringList{"tiles", file, "--kernel", "n"}}) {
      const Outcome outcome = run(command);
      QVERIFY2(outcome.out.contains("hloscope_tile") && outcome.out.contains(why),
               outcome.out + outcome.err);
      const QJsonValue json = QJsonDocument::fromJson(run(command + QStringList{"--json"}).out)[0];
      if (command.size() == 2) {
        QCOMPARE(json["unusable_tiles"].toArray().size(), 1);
        QCOMPARE(json["unusable_tiles"][0]["kernel"].toString(), "n");
        QCOMPARE(json["unusable_tiles"][0]["why"].toString().toUtf8(), why);
      } else {
        QVERIFY(json["unusable_tile"].toString().toUtf8().contains(why));
      }
    }
    for (const char* command : {"simulate", "tiles"}) {
      const Outcome good = run({command, file, "--kernel", "t"});
      QVERIFY2(!good.out.contains("hloscope_tile"), good.out);
      QVERIFY2(good.out.contains("the program says"), good.out);
    }
  }
};

HLOSCOPE_TEST(TestCliStatedTiles);
#include "test_cli_stated_tiles.moc"
