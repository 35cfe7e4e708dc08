#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "core/data/configuration_text.h"
#include "tests/cli/cli_process.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

constexpr auto kMeasuredSample = HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb";

constexpr auto kShownProgram = R"(HloModule two_kernels, is_scheduled=true

ENTRY main {
  a = f32[256,512] parameter(0)
  b = f32[512,128] parameter(1)
  dot = f32[256,128] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT tanh = f32[256,128] tanh(dot)
}
)";

}  // namespace

class TestCliDatasetShow : public QObject {
  Q_OBJECT
 private:
  QTemporaryDir folder_;
  QString tiles_;    // Measured tiles of seven kernels.
  QString kernels_;  // Two simulated kernels, one time each.

  Outcome show(const QString& file, const QStringList& options = {}) const {
    return run(QStringList{"dataset", "show", file} + options);
  }

 private slots:
  void initTestCase() {
    tiles_ = folder_.filePath("tiles.hloscope");
    QCOMPARE(run({"dataset", "import", kMeasuredSample, "-o", tiles_}).code, 0);
    const QString program = folder_.filePath("two_kernels.hlo");
    QFile file(program);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kShownProgram) > 0);
    file.close();
    kernels_ = folder_.filePath("kernels.hloscope");
    const Outcome made =
        run({"dataset", "generate", program, "-o", kernels_, "--configurations", "1"});
    QVERIFY2(made.code == 0, made.err);
    QVERIFY2(made.out.contains("1 program, 1 fusion configuration, "), made.out);
  }

  void kernels_are_listed_with_their_times() {
    const QJsonObject list = object(show(tiles_, {"--json"}));
    QCOMPARE(list["target_kind"].toString(), QString("measured"));
    QCOMPARE(list["graph_count"].toInt(), 7);
    const QJsonArray graphs = list["graphs"].toArray();
    QCOMPARE(graphs.size(), 7);
    int samples = 0;
    for (int i = 0; i < graphs.size(); ++i) {
      const QJsonObject row = graphs[i].toObject();
      QCOMPARE(row["graph"].toInt(), i + 1);
      QCOMPARE(row["hash"].toString().size(), 32);
      QVERIFY(row["best_ns"].toDouble() <= row["slowest_ns"].toDouble());
      samples += row["samples"].toInt();
    }
    QCOMPARE(samples, 688);  // As `dataset import --help` counts them.
  }

  void the_list_is_sorted_and_filtered() {
    const auto values = [this](const QStringList& options, const char* key) {
      std::vector<double> out;
      const QJsonObject list = object(show(tiles_, options + QStringList{"--json"}));
      for (const auto& row : list["graphs"].toArray())
        out.push_back(row.toObject()[key].toDouble());
      return out;
    };
    const auto times = values({"--sort", "time"}, "best_ns");
    QCOMPARE(times.size(), size_t{7});
    QVERIFY(std::ranges::is_sorted(times, std::greater()));
    QVERIFY(std::ranges::is_sorted(values({"--sort", "nodes"}, "nodes"), std::greater()));
    // 579 tiles are those of the convolution fusion.191.
    QCOMPARE(values({"--sort", "samples", "--limit", "1"}, "samples"), std::vector<double>{579});
    QCOMPARE(values({"--class", "matmul"}, "graph").size(), size_t{3});
    const Outcome none = show(tiles_, {"--class", "collective"});
    QCOMPARE(none.code, 1);
    QVERIFY2(none.err.contains("the classes are: data movement, elementwise, matmul/conv"),
             none.err);
  }

  void the_text_fits_and_says_what_is_left_out() {
    for (const QString& file : {tiles_, kernels_}) {
      const QString text = QString::fromUtf8(show(file, {"--limit", "1"}).out);
      for (const QString& line : text.split('\n').mid(1)) {
        QVERIFY2(line.size() <= 100, qPrintable(line));
      }
      QVERIFY2(text.contains("more; --limit N shows N"), qPrintable(text));
    }
    const QString simulated = QString::fromUtf8(show(kernels_).out);
    QVERIFY2(simulated.contains("times: simulated (tpu_v3@"), qPrintable(simulated));
    QVERIFY2(!simulated.contains("measured"), qPrintable(simulated));
  }

  void a_kernel_is_found_by_number_and_by_hash() {
    const QJsonObject list = object(show(tiles_, {"--sort", "samples", "--limit", "1", "--json"}));
    const QJsonObject row = list["graphs"][0].toObject();
    const QJsonObject kernel =
        object(show(tiles_, {"--graph", QString::number(row["graph"].toInt()), "--json"}));
    QCOMPARE(kernel["hash"], row["hash"]);
    QCOMPARE(kernel["sample_count"].toInt(), 579);
    const QJsonArray samples = kernel["samples"].toArray();
    QCOMPARE(samples.size(), 579);
    QCOMPARE(samples[0]["time_ns"], row["best_ns"]);
    QCOMPARE(samples[578]["time_ns"], row["slowest_ns"]);
    QVERIFY(samples[0]["text"].toString().startsWith("out="));
    QVERIFY(!kernel.contains("hlo"));
    QCOMPARE(kernel["programs"][0]["program"].toString(), QString("tpu_v3_tiles"));
    const QString digits = row["hash"].toString().left(12);
    QCOMPARE(object(show(tiles_, {"--graph", digits, "--json"})), kernel);
  }

  void the_hlo_of_a_kernel_can_be_read_again() {
    const Outcome hlo = show(kernels_, {"--graph", "1", "--hlo"});
    QVERIFY2(hlo.code == 0 && hlo.out.startsWith("HloModule"), hlo.err + hlo.out);
    QFile file(folder_.filePath("kernel.hlo"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(hlo.out) == hlo.out.size());
    file.close();
    QCOMPARE(run({"check", file.fileName()}).code, 0);
    const QJsonObject kernel = object(show(kernels_, {"--graph", "1", "--hlo", "--json"}));
    QCOMPARE(kernel["hlo"].toString().trimmed(), QString::fromUtf8(hlo.out).trimmed());
    QCOMPARE(kernel["programs"][0]["default_executions"].toDouble(), 1.0);
  }

  void what_is_not_there_is_said() {
    QVERIFY(show(tiles_, {"--graph", "8"}).err.contains("has no graph 8"));
    QVERIFY(show(tiles_, {"--graph", "x"}).err.contains("no number and no hash"));
    QCOMPARE(show(tiles_, {"--graph", ""}).code, 2);
    QCOMPARE(show(tiles_, {"--hlo"}).code, 2);
    QCOMPARE(show(tiles_, {"--sort", "colour"}).code, 2);
    const QString absent = folder_.filePath("absent.hloscope");
    const Outcome missing = show(absent);
    QCOMPARE(missing.code, 1);
    QVERIFY2(missing.err.contains("there is no such file"), missing.err);
    QVERIFY(!QFile::exists(absent));
  }

  void configurations_are_written_on_a_line() {
    using data::GraphForm;
    using data::Task;
    // Kernel, output, input bounds.
    QCOMPARE(data::configuration_text({{3, 1}, {12, 4}}, Task::kTile, GraphForm::kHlo),
             std::string("out=12x4,kernel=3x1"));
    QCOMPARE(data::configuration_text({{}, {12, 4}, {2}}, Task::kTile, GraphForm::kHlo),
             std::string("out=12x4,input=2"));
    QCOMPARE(data::configuration_text({{}, {12, 4}, {}}, Task::kFusion, GraphForm::kHlo),
             std::string("out=12x4"));
    QCOMPARE(data::configuration_text({}, Task::kFusion, GraphForm::kHlo), std::string("-"));
    QCOMPARE(data::configuration_text({{0, 1}, {1, 0}, {}}, Task::kLayout, GraphForm::kHlo),
             std::string("layouts of 1 node"));
    // Three lists a node: the second of two nodes has another layout of its result.
    QCOMPARE(
        data::configuration_text({{0, 1}, {}, {}, {1, 0}, {}, {}}, {{0, 1}, {}, {}, {0, 1}, {}, {}},
                                 Task::kLayout, GraphForm::kHlo),
        std::string("1 of 2 nodes differ from the fastest"));
    // Six bounds, their sum and product, of kernel, output and input.
    std::vector<int64_t> row(24, 0);
    row[0] = 3;
    row[6] = row[7] = 3;
    row[8] = 12;
    row[9] = 4;
    row[14] = 16;
    row[15] = 48;
    QCOMPARE(data::configuration_text({row}, Task::kTile, GraphForm::kTpuGraph),
             std::string("out=12x4,kernel=3"));
    QCOMPARE(data::configuration_text({std::vector<int64_t>(36, 0)}, Task::kLayout,
                                      GraphForm::kTpuGraph),
             std::string("layouts of 2 nodes"));
  }
};

HLOSCOPE_TEST(TestCliDatasetShow);
#include "test_cli_dataset_show.moc"
