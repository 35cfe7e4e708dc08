#include <QMap>

#include "core/analysis/kernel_columns.h"
#include "core/analysis/kernel_table.h"
#include "tests/support/test_registry.h"
#include "tests/ui/numbers/page_numbers.h"
#include "ui/models/kernel_table_model.h"
#include "ui/pages/graph/kernel_dock.h"
#include "ui/pages/graph/kernels_dock.h"
#include "ui/pages/graph/property_grid.h"
#include "ui/theme/elided_label.h"

namespace hloscope::testing {

namespace {

using analysis::ColumnKind;

/// What a cell without a unit of its own counts.
double unit_of(const analysis::KernelColumn& column) {
  switch (column.kind) {
    case ColumnKind::kTime:
      return 1e3;
    case ColumnKind::kError:
    case ColumnKind::kShare:
    case ColumnKind::kSpread:
      return 0.01;
    default:
      return 1;
  }
}

ui::KernelTableModel& kernels_of(ui::MainWindow& window) {
  return *qobject_cast<ui::KernelTableModel*>(table_named(window, "Kernels")->model());
}

QMap<QString, ui::Property> properties_of(ui::MainWindow& window) {
  QMap<QString, ui::Property> out;
  for (const ui::Property& property : window.findChild<ui::PropertyGrid*>()->properties()) {
    out[property.name] = property;
  }
  return out;
}

/// "in 5.01 MB · out 3.84 MB" -> the part behind "in ".
QString part_of(const QString& note, const QString& name) {
  for (const QString& part : note.split(QStringLiteral(" · "))) {
    if (part.startsWith(name + ' ')) return part.mid(name.size() + 1);
  }
  return {};
}

/// The totals line, by what stands behind Σ or in front of a share: "simulated" -> "436 ms".
QString total_of(const QString& line, const QString& source) {
  const QString mark = QStringLiteral("Σ ") + source + ' ';
  const qsizetype at = line.indexOf(mark);
  if (at < 0) return {};
  const QString rest = line.mid(at + mark.size());
  return rest.section(QStringLiteral(" · "), 0, 0).section(',', 0, 0);
}

QString mape_of(const QString& line, const QString& source) {
  const QString rest = line.section(QStringLiteral("MAPE: "), 1);
  for (const QString& part : rest.split(QStringLiteral(", "))) {
    if (part.startsWith(source + ' ')) return part.mid(source.size() + 1);
  }
  return {};
}

struct GraphCase {
  QString path;
  int module = 1;
  bool raw = false;

  [[nodiscard]] QString address() const { return QStringLiteral("%1#%2").arg(path).arg(module); }
  [[nodiscard]] QStringList with(const char* command) const {
    QStringList out{QString::fromLatin1(command), address()};
    return raw ? out << QStringLiteral("--raw") : out;
  }
};

}  // namespace

class TestGraphNumbers : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void kernels_data() { cases(); }
  void kernels() {
    Shown shown(*this);
    check_table(kernels_of(shown.window()), shown.printed_kernels());
    check_totals(shown);
  }

  void text_of_the_command_line_data() { cases(); }
  void text_of_the_command_line() {
    const GraphCase of = current();
    const QJsonArray rows = printed(of.with("kernels"))["kernels"].toArray();
    const TextRows text = read_table(printed_text(of.with("kernels")), "Kernel");
    QCOMPARE(text.rows.size(), rows.size());
    for (const analysis::KernelColumn& column : analysis::kernel_columns()) {
      const QString title = QString::fromStdString(column.title);
      if (!text.titles.contains(title) || column.kind == ColumnKind::kSpread) continue;
      for (qsizetype row = 0; row < rows.size(); ++row) {
        const QJsonValue value = rows[row].toObject()[QString::fromStdString(column.csv_name)];
        QVERIFY_SHOWS(title, text.cell(row, title), value, unit_of(column));
      }
    }
  }

  void a_kernel_and_its_properties_data() { cases(); }
  void a_kernel_and_its_properties() {
    Shown shown(*this);
    const QJsonArray kernels = shown.printed_kernels();
    QMap<QString, QJsonObject> simulated;
    for (const QJsonValue& kernel : printed(shown.of.with("simulate"))["kernels"].toArray()) {
      simulated[kernel["kernel"].toString()] = kernel.toObject();
    }
    // Each seventh of the kernels, and the last one.
    const auto count = static_cast<uint32_t>(kernels.size());
    for (uint32_t i = 0; i < count; i += std::max(1U, count / 7)) {
      const QJsonObject kernel = kernels[i].toObject();
      check_kernel(shown, i, kernel, simulated[kernel["kernel"].toString()]);
    }
  }

  void the_whole_program_data() { cases(); }
  void the_whole_program() {
    Shown shown(*this);
    const auto properties = properties_of(shown.window());
    const QJsonObject info = printed(shown.of.with("info"));
    const QJsonObject file_shown = info["shown"].toObject();
    const QJsonObject kernels = printed(shown.of.with("kernels"));
    const auto check = [&properties](const char* name, const QJsonValue& value) {
      QVERIFY_SHOWS(name, properties[name].value, value, 1);
    };
    check("Instructions", file_shown["instructions"]);
    check("Kernels", info["kernels"]);
    check("FLOPs", file_shown["flops"]);
    check("Bytes", file_shown["bytes_accessed"]);
    check("Simulated", info["simulated_total_ns"]);
    check("Analytical", info["analytical_total_ns"]);
    check("Predicted", kernels["predicted_total_ns"]);
    QVERIFY_SHOWS("distinct", properties["Kernels"].note.section(' ', 0, 0),
                  info["distinct_kernels"], 1);
    QVERIFY_SHOWS("computations", properties["Instructions"].note.section(' ', 0, 0),
                  file_shown["computations"], 1);
    if (info["measured_runs"].toInt() == 0) return;
    check("Measured runs", info["measured_runs"]);
    const QString without = properties["Measured runs"].note.section(QStringLiteral(", "), 1);
    if (info["measured_runs_without_time"].toInt() == 0) {
      QVERIFY(without.isEmpty());
    } else {
      QVERIFY_SHOWS("failed", without.section(' ', 0, 0), info["measured_runs_without_time"], 1);
    }
  }

 private:
  /// The window with the file of the test row.
  struct Shown {
    explicit Shown(const TestGraphNumbers& /*test*/) : of(current()) {
      if (of.raw) {
        window().workspace().setKernelChoice(analysis::KernelChoice::kRaw);
        settle(window());
      }
      open_module(window(), of.path, of.module);
      window().showPage("graph");
      settle(window());
    }
    [[nodiscard]] ui::MainWindow& window() { return fixture.window(); }
    [[nodiscard]] QJsonArray printed_kernels() const {
      return printed(of.with("kernels"))["kernels"].toArray();
    }
    WindowFixture fixture;
    GraphCase of;
  };

  static GraphCase current() {
    QFETCH(QString, file);
    QFETCH(int, module);
    QFETCH(bool, raw);
    return {sample_path(file.toLatin1().constData()), module, raw};
  }

  static void cases() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("module");
    QTest::addColumn<bool>("raw");
    QTest::newRow("reduction, measured") << "tpu_v3_tiles.pb" << 1 << false;
    QTest::newRow("convolution, measured") << "tpu_v3_tiles.pb" << 2 << false;
    QTest::newRow("compiled") << "resnet50_train.cpu_after_optimizations.txt" << 1 << false;
    QTest::newRow("own fusion") << "mobilenet_v2.hlo" << 1 << false;
    QTest::newRow("raw") << "mobilenet_v2.hlo" << 1 << true;
    QTest::newRow("whole program measured") << "unet_3d_layout_tuning.pb" << 1 << false;
  }

  static void check_table(const ui::KernelTableModel& model, const QJsonArray& kernels) {
    QCOMPARE(model.rowCount(), static_cast<int>(kernels.size()));
    const auto& columns = analysis::kernel_columns();
    for (int row = 0; row < model.rowCount(); ++row) {
      const QJsonObject kernel = kernels[model.kernelAt(model.index(row, 0)).value].toObject();
      for (size_t c = 0; c < columns.size(); ++c) {
        if (!model.table()->has_column(c)) continue;
        const QString name = QString::fromStdString(columns[c].csv_name);
        QVERIFY2(kernel.contains(name), qPrintable(name));
        const QString text = cell(model, row, static_cast<int>(c));
        QVERIFY_SHOWS(name, text, kernel[name], unit_of(columns[c]));
      }
    }
  }

  static void check_totals(Shown& shown) {
    const QString line = totals_line(shown.window());
    const QJsonObject cli = printed(shown.of.with("kernels"));
    QVERIFY_SHOWS("kernels", line.section(' ', 0, 0), cli["kernel_count"], 1);
    for (const char* source : {"simulated", "analytical", "predicted"}) {
      const QJsonValue total = cli[QStringLiteral("%1_total_ns").arg(QLatin1String(source))];
      QVERIFY_SHOWS(source, total_of(line, source), total, 1);
    }
    const QJsonArray kernels = cli["kernels"].toArray();
    if (kernels.first().toObject()["measured_ns"].isNull()) return;
    double measured_ns = 0;
    for (const QJsonValue& kernel : kernels) {
      measured_ns += kernel["measured_ns"].toDouble() * kernel["executions"].toDouble();
    }
    QVERIFY_SHOWS("measured", total_of(line, "measured"), measured_ns, 1);
    const QJsonObject accuracy = printed({"accuracy", shown.of.address()});
    for (const QJsonValue& row : accuracy["metrics"].toArray()) {
      const QString source = row["source"].toString();
      if (row["range"].toString() != "all" || source == "scaled") continue;
      QVERIFY_SHOWS("MAPE", mape_of(line, source), row["mape"], 1);
    }
  }

  static QString totals_line(ui::MainWindow& window) {
    for (const auto* label :
         window.findChild<ui::KernelsDock*>()->findChildren<ui::ElidedLabel*>()) {
      if (label->wholeText().contains(QStringLiteral("Σ"))) return label->wholeText();
    }
    return {};
  }

  static void check_kernel(Shown& shown, uint32_t id, const QJsonObject& kernel,
                           const QJsonObject& simulated) {
    const auto& report = shown.window().workspace().report();
    const graph::KernelId kernel_id(id);
    shown.window().workspace().select(nullptr,
                                      {kernel_id, report->kernels.kernels[kernel_id].instruction});
    const auto properties = properties_of(shown.window());
    const auto check = [&properties](const char* name, const QString& text,
                                     const QJsonValue& value) {
      QVERIFY2(properties.contains(name), name);
      QVERIFY_SHOWS(name, text, value, 1);
    };
    check("FLOPs", properties["FLOPs"].value, kernel["flops"]);
    check("Bytes", properties["Bytes"].value, kernel["bytes"]);
    check("Class", properties["Class"].value, kernel["class"]);
    check("Executions", properties["Executions"].value, kernel["executions"]);
    check("Executions", properties["Executions"].note.section(' ', 0, 0), kernel["instructions"]);
    check("Bound by", properties["Bound by"].value, kernel["bound_by"]);
    const QString limits = properties["Bound by"].note;
    const QJsonObject& of = simulated;
    QVERIFY_SHOWS("core", part_of(limits, "core"), of["compute_ns"], 1e3);
    QVERIFY_SHOWS("HBM", part_of(limits, "HBM").remove(QStringLiteral(" µs")), of["memory_ns"],
                  1e3);
    if (properties.contains("Intensity")) {
      check("Intensity", properties["Intensity"].value, kernel["flops_per_byte"]);
    }
    if (!kernel["tile"].toString().isEmpty()) {
      check("Tile", properties["Tile"].value, kernel["tile"]);
      check("VMEM", properties["VMEM"].value, kernel["vmem_bytes"]);
      check("VMEM", properties["VMEM"].note.section(' ', 0, 0), of["iterations"]);
    }
    const QString predicted = properties["Predicted"].value;  // "12.3 ± 0.1 µs"
    const double spread_ns =
        kernel["predicted_spread"].toDouble() * kernel["predicted_ns"].toDouble();
    check("Predicted", predicted.section(' ', 0, 0), kernel["predicted_ns"].toDouble() / 1e3);
    check("Predicted", predicted.section(QStringLiteral("± "), 1), spread_ns);
  }
};

HLOSCOPE_TEST(TestGraphNumbers);
}  // namespace hloscope::testing
#include "test_graph_numbers.moc"
