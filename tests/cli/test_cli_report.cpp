#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QXmlStreamReader>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

namespace {

constexpr auto kReportedTiles = HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb";
constexpr auto kMobilenet = HLOSCOPE_SOURCE_DIR "/samples/mobilenet_v2.hlo";

constexpr auto kReportedPair = R"(HloModule pair, is_scheduled=true
ENTRY main {
  p0 = f32[64,128] parameter(0)
  p1 = f32[128,256] parameter(1)
  d = f32[64,256] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = f32[64,256] tanh(d)
}
)";

constexpr auto kReportedKernel =
    "HloModule one\nENTRY e {\n  p = f32[8] parameter(0)\n"
    "  ROOT n = f32[8] negate(p)\n}\n";

QJsonArray tables_of(const QString& html) {
  static const QRegularExpression kData(
      "<script type=\"application/json\" class=\"data\">(.*)</script>");
  QJsonArray out;
  auto found = kData.globalMatch(html);
  while (found.hasNext()) {
    out.append(QJsonDocument::fromJson(found.next().captured(1).toUtf8()).object());
  }
  return out;
}

QStringList pictures_of(const QString& html) {
  static const QRegularExpression kSvg("<figure>.*?</figcaption>\n(.*?)</figure>",
                                       QRegularExpression::DotMatchesEverythingOption);
  QStringList out;
  auto found = kSvg.globalMatch(html);
  while (found.hasNext()) out.append(found.next().captured(1));
  return out;
}

QString xml_error(const QString& text) {
  QXmlStreamReader reader(text);
  while (!reader.atEnd()) reader.readNext();
  return reader.hasError() ? reader.errorString() : QString();
}

}  // namespace

class TestCliReport : public hloscope::testing::FolderTest {
  Q_OBJECT

  QString page(const QStringList& arguments, const QString& folder = "page") {
    const QString out = folder_.filePath(folder);
    const Outcome outcome = run(QStringList{"report"} + arguments + QStringList{"--out", out});
    if (outcome.code != 0) return QString();
    QFile file(out + "/index.html");
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }

  // Every cell of the page's data is the value that `kernels --json` prints, row by row.
  void compare_tables(const QString& file) {
    const QJsonArray tables = tables_of(page({file}));
    const QJsonArray reports =
        QJsonDocument::fromJson(run({"kernels", file, "--json"}).out).array();
    QVERIFY(!reports.isEmpty());
    QCOMPARE(tables.size(), reports.size());
    for (int i = 0; i < tables.size(); ++i) {
      const QJsonArray kernels = reports[i]["kernels"].toArray();
      for (const auto column : tables[i]["columns"].toArray()) {
        const QJsonArray rows = column.toObject()["rows"].toArray();
        QCOMPARE(rows.size(), kernels.size());
        for (int row = 0; row < rows.size(); ++row) {
          const QString name = column.toObject()["name"].toString();
          QVERIFY(kernels[row].toObject().contains(name));
          QCOMPARE(column.toObject()["values"][rows[row].toInt()], kernels[row][name]);
        }
      }
    }
  }

 private slots:
  void the_table_holds_what_the_command_line_prints() {
    compare_tables(kMobilenet);
    compare_tables(kReportedTiles);
  }

  void pictures_are_well_formed_and_named() {
    for (const QString& file : {QString(kReportedTiles), QString(kMobilenet)}) {
      const QStringList pictures = pictures_of(page({file}));
      QVERIFY(pictures.size() >= 4);
      for (const QString& picture : pictures) {
        QVERIFY2(picture.startsWith("<svg"), qPrintable(picture.left(80)));
        QCOMPARE(xml_error(picture), QString());
      }
    }
  }

  void measured_tiles_are_ranked() {
    const QString html = page({QString(kReportedTiles) + "#2"});
    QVERIFY(html.contains("<h3>Tiles</h3>"));
    QVERIFY(html.contains("Top-10 %"));
    QVERIFY(html.contains("Slowdown of the first tiles by each source"));
    QVERIFY(html.contains("Simulated against measured"));
    QVERIFY(!page({kMobilenet}).contains("<h3>Tiles</h3>"));
  }

  void nothing_is_measured_where_nothing_was() {
    const QString html = page({write("pair.hlo", kReportedPair)});
    QVERIFY(html.contains("nothing was measured"));
    QVERIFY(!html.contains("against measured"));
    QVERIFY(html.contains("simulated tile by tile, not measured"));
  }

  void a_page_of_one_small_kernel_has_its_charts() {
    const QStringList pictures = pictures_of(page({write("one.hlo", kReportedKernel)}));
    QCOMPARE(pictures.size(), 4);
    for (const QString& picture : pictures) QCOMPARE(xml_error(picture), QString());
    QVERIFY(!pictures.join(' ').contains("nan"));
    QVERIFY(!pictures.join(' ').contains("inf"));
  }

  void the_window_can_be_chosen() {
    const QString file = write("pair.hlo", kReportedPair);
    QVERIFY(page({file, "--from", "1", "--to", "2"}).contains("1.00 to 2.00 µs, simulated"));
    QVERIFY(page({file, "--from", "1e6"}).contains("lies outside the run"));
  }

  void hostile_names_stay_text() {
    const QString file = write("a<img src=x>&\"'.hlo", kReportedKernel);
    const QString html = page({file});
    QVERIFY(!html.contains("<img"));
    QVERIFY(html.contains("a&lt;img src=x&gt;&amp;&quot;&#39;.hlo"));
    const QString folder = folder_.filePath("page");
    QFile picture(folder + "/x\" onerror=\"alert(1).png");
    QVERIFY(picture.open(QIODevice::WriteOnly));
    picture.close();
    const QString with_picture = page({file});
    QVERIFY(!with_picture.contains("onerror=\"alert"));
    QVERIFY(with_picture.contains("src=\"x%22%20onerror%3D%22alert%281%29.png\""));
    QVERIFY(picture.remove());
  }

  void the_page_is_the_same_each_time_and_needs_no_network() {
    const QString first = page({kReportedTiles}, "first");
    QCOMPARE(page({kReportedTiles}, "second"), first);
    // The name of the language of the pictures is no address that is loaded.
    QCOMPARE(first.count("http"), first.count("http://www.w3.org/2000/svg"));
    QVERIFY(!first.contains(" src="));
    QVERIFY(!first.contains("<link"));
  }

  // Nothing was measured in it: the errors are not shown, but can be filtered by.
  void columns_without_a_value_are_not_shown() {
    const QString html = page({kMobilenet});
    const QJsonArray tables = tables_of(html);
    const QJsonArray columns = tables[0]["columns"].toArray();
    const QString heads =
        html.section("Kernels; times", 1, 1).section("<thead>", 1, 1).section("</thead>", 0, 0);
    QVERIFY(heads.contains(">Simulated µs<"));
    QVERIFY(!heads.contains(">Measured µs<"));
    QVERIFY(!heads.contains("err %"));
    int shown = 0;
    for (const auto column : columns) {
      shown += column.toObject()["shown"].toBool() ? 1 : 0;
    }
    QCOMPARE(heads.count("<th "), shown);
    QVERIFY(shown < columns.size());
    QVERIFY(page({kReportedTiles}).contains(">Measured µs<"));
  }

  // Sticky first column, own scroll bars, and words that say so where the table is wider.
  void a_browser_shows_that_there_are_more_columns() {
    const QString browser = QStandardPaths::findExecutable("chromium");
    if (browser.isEmpty()) QSKIP("there is no chromium to run the script of the page");
    QString html = page({kMobilenet});
    html.replace("</body>", R"(<script>addEventListener('load', () => {
      const scroll = document.querySelector('.kernels .scroll');
      scroll.scrollLeft = 1e6;
      const left = e => Math.round(e.getBoundingClientRect().left - scroll.getBoundingClientRect().left);
      document.title = [document.documentElement.scrollWidth <= innerWidth,
        scroll.scrollWidth > scroll.clientWidth, left(scroll.querySelector('td')) <= 1,
        scroll.offsetHeight - scroll.clientHeight >= 12,
        scroll.querySelector('caption').textContent.endsWith('more columns to the right →')].join();
    })</script></body>)");
    const QString file = write("wide.html", html.toUtf8().constData());
    QProcess process;
    process.start(browser, {"--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                            "--window-size=1280,900",
                            "--user-data-dir=" + folder_.filePath("profile"), "file://" + file});
    if (!process.waitForFinished(60000)) QSKIP("chromium does not answer");
    const QString dom = QString::fromUtf8(process.readAllStandardOutput());
    if (dom.isEmpty()) QSKIP("chromium does not run here");
    QCOMPARE(dom.section("<title>", 1, 1).section("</title>", 0, 0),
             QString("true,true,true,true,true"));
  }

  void a_browser_filters_and_sorts() {
    const QString browser = QStandardPaths::findExecutable("chromium");
    if (browser.isEmpty()) QSKIP("there is no chromium to run the script of the page");
    QString html = page({write("pair.hlo", kReportedPair)});
    html.replace("</body>", R"(<script>
      const box = document.querySelector('.kernels');
      const names = () => [...box.querySelectorAll('tbody tr')].map(r => r.cells[0].textContent).join();
      const said = [];
      const filter = text => {
        box.querySelector('input').value = text;
        box.querySelector('input').dispatchEvent(new Event('input'));
        said.push(names());
      };
      const sort = key => { box.querySelector(`button[data-key=${key}]`).click(); said.push(names()); };
      filter('class:matmul'); filter('-class:matmul'); filter('flops>1M'); filter('"no such"');
      filter(''); said.pop(); sort('name'); sort('name');
      filter('nonsense>1'); said.push(box.querySelector('output').textContent);
      document.title = said.join('|');
    </script></body>)");
    const QString file = write("hooked.html", html.toUtf8().constData());
    QProcess process;
    process.start(browser, {"--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                            "--user-data-dir=" + folder_.filePath("profile"), "file://" + file});
    if (!process.waitForFinished(60000)) QSKIP("chromium does not answer");
    const QString dom = QString::fromUtf8(process.readAllStandardOutput());
    if (dom.isEmpty()) QSKIP("chromium does not run here");
    const QString title = dom.section("<title>", 1, 1).section("</title>", 0, 0);
    // d has 2 * 64 * 128 * 256 = 4.2 MFLOP, t none.
    QCOMPARE(title, QString("d|t|d||d,t|t,d|t,d|no number column: nonsense"));
  }
};

HLOSCOPE_TEST(TestCliReport);
#include "test_cli_report.moc"
