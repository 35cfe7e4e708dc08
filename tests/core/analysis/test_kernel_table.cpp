#include <cmath>

#include "core/analysis/kernel_export.h"
#include "core/analysis/kernel_query.h"
#include "core/analysis/kernel_table.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::analysis;

namespace {

constexpr const char* kThreeKernels = R"(HloModule three, is_scheduled=true
ENTRY main {
  p0 = f32[8,128]{1,0} parameter(0)
  p1 = f32[128,64]{1,0} parameter(1)
  add.10 = f32[8,128]{1,0} add(p0, p0)
  add.2 = f32[8,128]{1,0} add(add.10, p0)
  dot.1 = f32[8,64]{1,0} dot(add.2, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT copy.1 = f32[8,64]{0,1} copy(dot.1)
}
)";

/// Kernels add.10, add.2, dot.1, copy.1 with simulated times 1, 2, 9, 4 µs and analytical ones 3,
/// 2, 8, 4 µs; the first three are measured: 2, 2, 10 µs. The dot has a tile, the copy no rule.
std::shared_ptr<const ModuleReport> report() {
  auto report = std::make_shared<ModuleReport>();
  report->module.program = *hlo::parse_program(kThreeKernels);
  report->kernels = graph::kernels(*report->module.program);
  report->cost = cost(*report->module.program, report->kernels);
  for (double time_ns : {1000.0, 2000.0, 9000.0, 4000.0}) {
    report->times.simulated.push_back({time_ns, 0, 0, Bound::kMemory});
  }
  for (double time_ns : {3000.0, 2000.0, 8000.0, 4000.0}) {
    report->times.analytical.push_back({time_ns, 0, 0, Bound::kCompute});
  }
  report->times.tiles.resize(report->kernels.distinct.size());
  TileChoice& dot = report->times.tiles[report->kernels.distinct_of[graph::KernelId(2)]];
  dot.tile = {{1, 1}, {16, 1}};
  dot.footprint_bytes = 49152;
  report->times.tiles[report->kernels.distinct_of[graph::KernelId(3)]].has_fallback = true;
  report->measured_ns.resize(4);
  report->measured_ns[graph::KernelId(0)] = 2000;
  report->measured_ns[graph::KernelId(1)] = 2000;
  report->measured_ns[graph::KernelId(2)] = 10000;
  return report;
}

std::vector<std::string> names(const KernelTable& table, const std::vector<uint32_t>& rows) {
  std::vector<std::string> out;
  for (uint32_t row : rows) out.emplace_back(table.name(row));
  return out;
}

std::vector<std::string> sorted(std::string_view key, bool descending) {
  const KernelTable table(report());
  std::vector<uint32_t> rows = table.filtered({});
  table.sort(rows, *column_by_key(key), descending);
  return names(table, rows);
}

std::vector<std::string> filtered(std::string_view text) {
  const KernelTable table(report());
  const Result<KernelQuery> query = KernelQuery::parse(text);
  if (!query) return {query.error().message};
  return names(table, table.filtered(*query));
}

using Names = std::vector<std::string>;

}  // namespace

class TestKernelTable : public QObject {
  Q_OBJECT
 private slots:
  void names_sort_by_their_numbers() {
    QCOMPARE(sorted("name", false), (Names{"add.2", "add.10", "copy.1", "dot.1"}));
    QCOMPARE(sorted("name", true), (Names{"dot.1", "copy.1", "add.10", "add.2"}));
  }
  void missing_values_come_last_both_ways() {
    QCOMPARE(sorted("measured", false), (Names{"add.10", "add.2", "dot.1", "copy.1"}));
    QCOMPARE(sorted("measured", true), (Names{"dot.1", "add.10", "add.2", "copy.1"}));
  }
  void errors_sort_with_their_sign() {
    QCOMPARE(sorted("err", false), (Names{"add.10", "dot.1", "add.2", "copy.1"}));
  }
  void values_are_what_they_say() {
    const KernelTable table(report());
    // dot: 2 * 8 * 64 * 128 FLOPs; f32 operands 8x128 and 128x64, result 8x64.
    QCOMPARE(table.number(2, *column_by_key("flops")), 131072.0);
    QCOMPARE(table.number(2, *column_by_key("bytes")), (8 * 128 + 128 * 64 + 8 * 64) * 4.0);
    QCOMPARE(table.number(2, *column_by_key("err")), -0.1);
    QCOMPARE(table.number(3, *column_by_key("share")), 0.25);  // 4 of 16 µs, simulated
    QVERIFY(std::isnan(table.number(3, *column_by_key("measured"))));
    QVERIFY(table.share_source() == TimeSource::kSimulated);
  }
  void bound_and_tile_are_those_of_the_simulator() {
    const KernelTable table(report());
    QCOMPARE(std::string(table.text(2, *column_by_key("bound"))), std::string("memory"));
    QCOMPARE(std::string(table.text(2, *column_by_key("tile"))),
             std::string("out=1x1,kernel=16x1"));
    QCOMPARE(table.number(2, *column_by_key("vmem")), 49152.0);
    QCOMPARE(std::string(table.text(3, *column_by_key("tile"))), std::string());
    QVERIFY(std::isnan(table.number(3, *column_by_key("vmem"))));
    QCOMPARE(table.number(2, *column_by_key("fallback")), 0.0);
    QCOMPARE(table.number(3, *column_by_key("fallback")), 1.0);
  }
  void a_report_without_tiles_has_empty_cells() {
    ModuleReport without = *report();
    without.times.tiles.clear();
    const KernelTable table(std::make_shared<ModuleReport>(without));
    QVERIFY(table.text(2, *column_by_key("tile")).empty());
    QVERIFY(std::isnan(table.number(2, *column_by_key("vmem"))));
    QVERIFY(std::isnan(table.number(2, *column_by_key("fallback"))));
  }
  void tiles_sort_as_text_and_empty_ones_come_last() {
    QCOMPARE(sorted("tile", false).front(), std::string("dot.1"));
    QCOMPARE(sorted("tile", true).front(), std::string("dot.1"));
  }
  void columns_that_few_need_are_hidden_at_first() {
    for (const KernelColumn& column : kernel_columns()) {
      const bool hidden = column.key == "tile" || column.key == "vmem" ||
                          column.key == "fallback" || column.key == "analytical_err" ||
                          column.key == "predicted_err" || column.key == "compiler_err";
      QCOMPARE(column.shown, !hidden);
    }
  }
  void totals_add_up() {
    const KernelTable table(report());
    const std::vector<uint32_t> rows{0, 2, 3};
    const KernelTable::Totals totals = table.totals(rows);
    QCOMPARE(totals.kernels, size_t{3});
    QCOMPARE(totals.time_ns[size_t(TimeSource::kMeasured)], 12000.0);
    QCOMPARE(totals.timed[size_t(TimeSource::kMeasured)], size_t{2});
    QCOMPARE(totals.time_ns[size_t(TimeSource::kSimulated)], 14000.0);
    QCOMPARE(totals.mape[size_t(TimeSource::kSimulated)], (0.5 + 0.1) / 2);
    QCOMPARE(totals.time_ns[size_t(TimeSource::kAnalytical)], 15000.0);
    QCOMPARE(totals.mape[size_t(TimeSource::kAnalytical)], (0.5 + 0.2) / 2);
    QCOMPARE(totals.rule_share, 1 - 4000.0 / 14000.0);  // the copy has no rule
  }
  void the_rule_share_is_never_rounded_up_to_all() {
    QCOMPARE(rule_share_text(0.974), std::string("97 % of the time without fall-back"));
    QCOMPARE(rule_share_text(0.999), std::string("99 % of the time without fall-back"));
    QCOMPARE(rule_share_text(1), std::string("100 % of the time without fall-back"));
  }

  void filters_find_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("found");
    const auto row = [](const char* text, QStringList found) {
      QTest::newRow(text) << QString(text) << found;
    };
    row("", {"add.10", "add.2", "dot.1", "copy.1"});
    row("ADD", {"add.10", "add.2"});
    row("class:conv", {"dot.1"});
    row("class:\"data movement\"", {"copy.1"});
    row("opcode:copy", {"copy.1"});
    row("-opcode:add", {"dot.1", "copy.1"});
    row("shape:[8,64]", {"dot.1", "copy.1"});
    row("name:.1", {"add.10", "dot.1", "copy.1"});
    row("bound:memory dot", {"dot.1"});
    row("measured>2", {"dot.1"});
    row("measured>=2 add", {"add.10", "add.2"});
    row("simulated<=2us", {"add.10", "add.2"});
    row("analytical<=2us", {"add.2"});
    row("analytical_err>=50", {"add.10"});
    row("tile:kernel=16", {"dot.1"});
    row("vmem>48k", {"dot.1"});
    row("fallback=1", {"copy.1"});
    row("err>5", {"add.10", "dot.1"});
    row("err>=10%", {"add.10", "dot.1"});
    row("flops>100k", {"dot.1"});
    row("analytical=4", {"copy.1"});
    row("share>50", {"dot.1"});
    row("nothing_like_this", {});
  }
  void filters_find() {
    QFETCH(QString, text);
    QFETCH(QStringList, found);
    QStringList names;
    for (const std::string& name : filtered(text.toStdString())) {
      names << QString::fromStdString(name);
    }
    QCOMPARE(names, found);
  }

  void wrong_filters_say_where_and_why_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("message");
    QTest::newRow("key") << "a foo:bar" << 3 << "'foo:' is not a key of the filter";
    QTest::newRow("class") << "class:zebra" << 7 << "no class contains 'zebra'";
    QTest::newRow("number") << "err>abc" << 5 << "expected a number after 'err>'";
    QTest::newRow("no number") << "err>" << 5 << "expected a number after 'err>'";
    QTest::newRow("text as number")
        << "x -class>5" << 4 << "'class' is not a number that can be compared";
    QTest::newRow("quote") << "a \"b" << 3 << "the quotation mark is not closed";
    QTest::newRow("empty") << "opcode:" << 7 << "nothing follows 'opcode:'";
  }
  void wrong_filters_say_where_and_why() {
    QFETCH(QString, text);
    QFETCH(int, column);
    QFETCH(QString, message);
    const Result<KernelQuery> query = KernelQuery::parse(text.toStdString());
    QVERIFY(!query);
    QCOMPARE(QString::fromStdString(query.error().message), message);
    QCOMPARE(query.error().column, column);
    QVERIFY(!query.error().hint.empty());
  }

  void exports_are_exact() {
    const KernelTable table(report());
    const std::vector<uint32_t> rows{2, 3};
    const std::vector<size_t> columns{*column_by_key("name"), *column_by_key("measured"),
                                      *column_by_key("err")};
    QCOMPARE(export_rows(table, rows, columns, TableFormat::kCsv),
             std::string("kernel,measured_ns,simulated_error\ndot.1,10000,-0.1\ncopy.1,,\n"));
    QCOMPARE(export_rows(table, rows, columns, TableFormat::kTsv),
             std::string("kernel\tmeasured_ns\tsimulated_error\ndot.1\t10000\t-0.1\n"
                         "copy.1\t\t\n"));
    QCOMPARE(export_rows(table, rows, columns, TableFormat::kMarkdown),
             std::string("| kernel | measured_ns | simulated_error |\n"
                         "| :--- | ---: | ---: |\n"
                         "| dot.1 | 10000 | -0.1 |\n| copy.1 |  |  |\n"));
  }
  void cells_are_quoted_as_the_format_needs() {
    QCOMPARE(quoted_cell("a,\"b\"", TableFormat::kCsv), std::string("\"a,\"\"b\"\"\""));
    QCOMPARE(quoted_cell("a\tb", TableFormat::kTsv), std::string("a b"));
    QCOMPARE(quoted_cell("a|b", TableFormat::kMarkdown), std::string("a\\|b"));
  }
};

HLOSCOPE_TEST(TestKernelTable);
#include "test_kernel_table.moc"
