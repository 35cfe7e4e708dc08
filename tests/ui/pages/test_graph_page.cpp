#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>

#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/models/filter_edit.h"
#include "ui/models/program_tree_model.h"
#include "ui/pages/graph/graph_page.h"
#include "ui/pages/graph/hlo_highlight.h"
#include "ui/pages/graph/hlo_text_view.h"
#include "ui/pages/graph/kernel_details.h"
#include "ui/pages/graph/kernel_dock.h"
#include "ui/pages/graph/kernel_links.h"
#include "ui/pages/graph/kernels_dock.h"
#include "ui/pages/graph/program_dock.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/panel.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

graph::KernelId kernelNamed(const analysis::ModuleReport& report, std::string_view name) {
  const hlo::InstructionId id = report.module.program->find_instruction(name);
  return report.kernels.kernel_of[id];
}

Selection selectionOf(const analysis::ModuleReport& report, std::string_view name) {
  const graph::KernelId kernel = kernelNamed(report, name);
  return {kernel, report.kernels.kernels[kernel].instruction};
}

layout::NodeId nodeNamed(const GraphPage& page, const ReportPtr& report, std::string_view name) {
  const hlo::InstructionId wanted = report->module.program->find_instruction(name);
  return computationGraph(report, page.shownScope().computation).find(wanted);
}

QStringList crumbTexts(const ReportPtr& report, const GraphScope& scope) {
  QStringList texts;
  for (const Crumb& crumb : crumbsOf(*report, scope)) texts << crumb.text;
  return texts;
}

void waitForLayout(TaskRunner& tasks) {
  QTRY_VERIFY_WITH_TIMEOUT(tasks.isIdle(), 30000);
}

}  // namespace

class TestGraphPage : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void shows_the_entry_and_drills_into_a_fusion_and_back() {
    TaskRunner tasks;
    GraphPage page(tasks);
    page.resize(900, 600);
    page.show();
    const ReportPtr report = testing::reportOf(testing::kLoopProgram);
    page.setReport(report);
    waitForLayout(tasks);
    const hlo::ComputationId entry = report->module.program->entry();
    QVERIFY(page.shownScope() == (GraphScope{entry, {}}));
    const layout::NodeId fusion = nodeNamed(page, report, "fusion.7");
    emit page.view()->nodeActivated(fusion);
    waitForLayout(tasks);
    QVERIFY(page.shownScope().isBody());
    QCOMPARE(
        crumbTexts(report, page.shownScope()),
        (QStringList{QStringLiteral("loop"), QStringLiteral("main"), QStringLiteral("fusion.7")}));
    page.showScope({entry, {}});
    waitForLayout(tasks);
    QVERIFY(!page.shownScope().isBody());
  }

  void a_loop_opens_its_body() {
    const ReportPtr report = testing::reportOf(testing::kLoopProgram);
    const hlo::Program& program = *report->module.program;
    const GraphScope inside = scopeInside(*report, program.find_instruction("loop"));
    QVERIFY(inside.computation == program.find_computation("body"));
    QCOMPARE(crumbTexts(report, inside),
             (QStringList{QStringLiteral("loop"), QStringLiteral("main"), QStringLiteral("body")}));
    QVERIFY(!scopeInside(*report, program.find_instruction("dot.1")).computation.valid());
  }

  void a_selection_elsewhere_brings_its_computation() {
    TaskRunner tasks;
    GraphPage page(tasks);
    const ReportPtr report = testing::reportOf(testing::kLoopProgram);
    page.setReport(report);
    page.setSelection(selectionOf(*report, "sine.1"));
    waitForLayout(tasks);
    QVERIFY(page.shownScope().computation == report->module.program->find_computation("body"));
    QVERIFY(page.view()->selected().valid());
    QVERIFY(page.view()->selected() == nodeNamed(page, report, "sine.1"));
  }

  void a_selection_elsewhere_can_be_read_also_from_an_overview() {
    TaskRunner tasks;
    GraphPage page(tasks);
    const ReportPtr report = testing::reportOf(testing::kLoopProgram);
    page.setReport(report);
    waitForLayout(tasks);
    page.view()->setCamera({.x = 5000, .y = 5000, .zoom = 0.02});
    page.setSelection(selectionOf(*report, "dot.1"));
    const layout::NodeId node = nodeNamed(page, report, "dot.1");
    QVERIFY(page.view()->selected() == node);
    // 16 px are what a node needs for all its texts (level of detail).
    QVERIFY(page.view()->nodeRect(node).height() >= 16);
    QVERIFY(
        page.view()->viewport()->rect().contains(page.view()->nodeRect(node).center().toPoint()));
  }

  void a_click_on_a_node_asks_for_the_selection() {
    TaskRunner tasks;
    GraphPage page(tasks);
    const ReportPtr report = testing::reportOf(testing::kLoopProgram);
    page.setReport(report);
    waitForLayout(tasks);
    QSignalSpy spy(&page, &ReportView::selectionRequested);
    emit page.view()->nodeSelected(nodeNamed(page, report, "dot.1"));
    QCOMPARE(spy.size(), 1);
    QVERIFY(spy[0][1].value<Selection>() == selectionOf(*report, "dot.1"));
  }

  void measured_colours_are_offered_only_with_measured_times() {
    TaskRunner tasks;
    GraphPage page(tasks);
    auto* colour = page.findChild<QComboBox*>();
    const auto enabled = [colour](ColourMode mode) {
      return bool(colour->model()->index(static_cast<int>(mode), 0).flags() & Qt::ItemIsEnabled);
    };
    page.setReport(testing::reportOf(testing::kLoopProgram));
    QVERIFY(!enabled(ColourMode::kError));
    QVERIFY(enabled(ColourMode::kAnalyticalTime));
    page.setReport(testing::measuredReport(2));
    QVERIFY(enabled(ColourMode::kError));
    waitForLayout(tasks);
  }

  void unoptimised_programs_are_said_to_be_so() {
    TaskRunner tasks;
    GraphPage page(tasks);
    page.setReport(
        testing::reportOf("HloModule m\nENTRY e {\n  p = f32[4] parameter(0)\n"
                          "  ROOT a = f32[4] add(p, p)\n}\n"));
    waitForLayout(tasks);
    const auto labelWith = [&page](const QString& whole) -> const ElidedLabel* {
      for (const ElidedLabel* label : page.findChildren<ElidedLabel*>()) {
        if (label->wholeText() == whole) return label;
      }
      return nullptr;
    };
    const QString note = QStringLiteral("raw: one instruction = one kernel");
    QVERIFY(labelWith(note) != nullptr);
    page.resize(1200, 400);
    page.show();
    QTRY_COMPARE(labelWith(note)->text(), note);
    QVERIFY(labelWith(note)->width() < 300);  // No more than its text: the rest is for the path.
    // In a narrow page the note gives way to the path.
    page.resize(560, 400);
    QTRY_VERIFY(labelWith(note)->text() != note);
    QVERIFY(labelWith(QStringLiteral("e"))->width() > 10);
  }

  void one_instruction_is_no_instructions() {
    TaskRunner tasks;
    GraphPage page(tasks);
    const ReportPtr report = testing::reportOf(
        "HloModule m, is_scheduled=true\nf {\n  ROOT i = s32[4]{0} iota(), iota_dimension=0\n}\n"
        "ENTRY e {\n  ROOT k = s32[4]{0} fusion(), kind=kLoop, calls=f\n}\n");
    page.setReport(report);
    waitForLayout(tasks);
    const auto notes = [&page] {
      QStringList out;
      for (const auto* label : page.findChildren<ElidedLabel*>()) out << label->wholeText();
      return out;
    };
    QVERIFY(notes().contains(QStringLiteral("1 node")));
    page.showScope({report->module.program->find_computation("f"), kernelNamed(*report, "k")});
    waitForLayout(tasks);
    QVERIFY(notes().contains(QStringLiteral("1 instruction")));
  }

  void a_cancelled_layout_can_go_on() {
    TaskRunner tasks;
    GraphPage page(tasks);
    page.show();
    const ReportPtr report = testing::reportOf(testing::kLoopProgram);
    page.setReport(report);
    QVERIFY(tasks.cancelNewest());
    waitForLayout(tasks);
    QVERIFY(!page.shownScope().computation.valid());
    auto* resume = page.findChild<LinkButton*>(QStringLiteral("resume"));
    QVERIFY(resume->isVisible());
    QTest::mouseClick(resume, Qt::LeftButton);
    waitForLayout(tasks);
    QVERIFY(page.shownScope().computation == report->module.program->entry());
    QVERIFY(!resume->isVisible());
  }

  void view_state_survives_a_restart() {
    TaskRunner tasks;
    const ReportPtr report = testing::reportOf(testing::kLoopProgram);
    GraphPage first(tasks);
    first.setReport(report);
    first.showScope({report->module.program->find_computation("body"), {}});
    waitForLayout(tasks);
    GraphPage second(tasks);
    second.restoreState(first.saveState());
    second.setReport(report);
    waitForLayout(tasks);
    QVERIFY(second.shownScope() == first.shownScope());
  }

  void kernels_dock_selects_filters_and_copies() {
    KernelsDock dock;
    dock.resize(1200, 240);
    dock.show();
    const ReportPtr report = testing::measuredReport(3);
    dock.setReport(report);
    auto* table = dock.findChild<QTableView*>();
    QSignalSpy spy(&dock, &ReportView::selectionRequested);
    dock.setSelection(selectionOf(*report, "dot.1"));
    QCOMPARE(spy.size(), 0);
    QCOMPARE(table->currentIndex().siblingAtColumn(0).data().toString(), QStringLiteral("dot.1"));
    auto* filter = dock.findChild<FilterEdit*>();
    filter->setText(QStringLiteral("fusion"));
    filter->apply();
    QCOMPARE(table->model()->rowCount(), 1);
    QVERIFY(dock.totalsText().startsWith(
        QStringLiteral("1 of 5 kernels · not measured: Σ simulated ")));
    table->setCurrentIndex(table->model()->index(0, 0));
    QCOMPARE(spy.size(), 1);
    QVERIFY(spy[0][1].value<Selection>() == selectionOf(*report, "fusion.7"));
    KernelsDock again;
    again.setReport(report);
    again.restoreState(dock.saveState());
    QCOMPARE(again.findChild<QTableView*>()->model()->rowCount(), 1);
  }

  // The dock of a window of 1280 pixels, between the program and the details.
  void kernels_dock_shows_times_and_share_without_scrolling() {
    KernelsDock dock;
    dock.resize(868, 240);
    dock.show();
    dock.setReport(testing::longReport(1000));
    QVERIFY(QTest::qWaitForWindowExposed(&dock));
    const auto* table = dock.findChild<QTableView*>();
    for (const char* key : {"name", "class", "measured", "simulated", "analytical", "share"}) {
      const int column = static_cast<int>(*analysis::column_by_key(key));
      const int right = table->columnViewportPosition(column) + table->columnWidth(column);
      QVERIFY2(!table->isColumnHidden(column) && right <= table->viewport()->width(), key);
    }
  }

  void program_dock_follows_and_asks() {
    ProgramDock dock;
    dock.resize(260, 500);
    dock.show();
    const ReportPtr report = testing::reportOf(testing::kLoopProgram);
    dock.setReports({report});
    dock.setReport(report);
    dock.setSelection(selectionOf(*report, "sine.1"));
    auto* tree = dock.findChild<QTreeView*>();
    QCOMPARE(tree->currentIndex().siblingAtColumn(0).data().toString(), QStringLiteral("sine.1"));
    QSignalSpy spy(&dock, &ReportView::selectionRequested);
    auto* model = static_cast<ProgramTreeModel*>(tree->model());
    const auto body = report->module.program->find_computation("body");
    emit tree->clicked(model->indexOfComputation(0, body));
    QCOMPARE(spy.size(), 1);
    const auto selection = spy[0][1].value<Selection>();
    QVERIFY(!selection.kernel.valid());
    QVERIFY((*report->module.program)[selection.instruction].computation == body);
  }

  void without_a_program_the_kernel_dock_says_what_to_do() {
    KernelDock dock;
    dock.resize(330, 600);
    dock.show();
    const auto* empty = dock.findChild<QLabel*>(QStringLiteral("kernelEmpty"));
    QVERIFY(empty != nullptr && empty->isVisible());
    QVERIFY(empty->text().contains(QStringLiteral("Ctrl+O")));
    dock.setReport(testing::reportOf(testing::kLoopProgram));
    QVERIFY(!empty->isVisible());
    dock.setReport(nullptr);
    QVERIFY(empty->isVisible());
  }

  void kernel_dock_shows_text_with_its_line_numbers() {
    KernelDock dock;
    dock.resize(332, 800);
    dock.show();
    const ReportPtr report = testing::measuredReport(5);
    dock.setReport(report);
    dock.setSelection(selectionOf(*report, "fusion.7"));
    const auto& lines = dock.findChild<HloTextView*>()->lines();
    QCOMPARE(lines.size(), size_t{1 + 1 + 6});  // the fusion, a blank line, its computation
    QCOMPARE(lines[0].number, 34U);
    QVERIFY(lines[0].text.find("fusion.7 = ") != std::string_view::npos);
    QCOMPARE(lines[2].number, 20U);
    QCOMPARE(lines[2].text, std::string_view("fused {"));
    QCOMPARE(lines.back().text, std::string_view("}"));
    QVERIFY(!dock.grab().isNull());
    for (QAction* action : dock.findChild<QToolButton*>()->menu()->actions()) {
      if (action->text() != QStringLiteral("Standalone module")) continue;
      action->trigger();
    }
    const auto alone =
        hlo::parse_program(QGuiApplication::clipboard()->text().toStdString(), "clipboard");
    QVERIFY2(alone.has_value(), alone ? "" : alone.error().format().c_str());
    QVERIFY((*alone)->find_computation("fused").valid());
  }

  void operands_are_kernels_and_parameters() {
    const ReportPtr report = testing::reportOf(testing::kLoopProgram);
    const analysis::KernelTable table(report);
    const auto operands = operandLinks(table, kernelNamed(*report, "dot.1"));
    QCOMPARE(operands.size(), size_t{2});
    QCOMPARE(operands[0].name, QStringLiteral("p1"));
    QCOMPARE(operands[0].shape, QStringLiteral("f32[128,64]"));
    QVERIFY(!operands[0].target.kernel.valid());
    QVERIFY(operands[1].target == selectionOf(*report, "fusion.7"));
    const auto users = userLinks(table, kernelNamed(*report, "fusion.7"));
    QCOMPARE(users.size(), size_t{1});
    QVERIFY(users[0].target == selectionOf(*report, "dot.1"));
  }

  void keys_in_the_tree_ask_for_the_selection() {
    ProgramDock dock;
    dock.show();
    const ReportPtr report = testing::reportOf(testing::kLoopProgram);
    dock.setReports({report});
    dock.setReport(report);
    dock.setSelection(selectionOf(*report, "fusion.7"));
    QSignalSpy spy(&dock, &ReportView::selectionRequested);
    QTest::keyClick(dock.findChild<QTreeView*>(), Qt::Key_Down);
    QCOMPARE(spy.size(), 1);
    QVERIFY(spy[0][1].value<Selection>() == selectionOf(*report, "dot.1"));
  }

  void programs_without_text_are_printed() {
    const ReportPtr report = testing::reportOf(testing::kLoopProgram);
    const auto alone = graph::extract(*report->module.program,
                                      report->module.program->find_instruction("fusion.7"));
    QVERIFY(alone.has_value());
    const HloExcerpt excerpt = hloExcerpt(*alone, (**alone)[(*alone)->entry()].root);
    QCOMPARE(excerpt.lines.size(), size_t{1 + 1 + 6});
    QVERIFY(excerpt.lines[0].text.find("fusion(") != std::string_view::npos);
    QCOMPARE(excerpt.lines[0].number, 0U);
  }

  void colours_cover_a_line_without_gaps_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("tokens");
    QTest::newRow("instruction") << "%a.1 = f32[2,3]{1,0} add(%b, %c)"
                                 << "N-S-O-N-N-";
    QTest::newRow("text") << "metadata={op_name=\"a(\\\"b\"}"
                          << "--- T-";
    QTest::newRow("comment") << "(s32[], /*index=1*/f32[])"
                             << "-S-CS-";
    QTest::newRow("number") << "index=12"
                            << "--#";
  }
  void colours_cover_a_line_without_gaps() {
    QFETCH(QString, line);
    QFETCH(QString, tokens);
    const std::string text = line.toStdString();
    QString got;
    uint32_t at = 0;
    for (const HloSpan& span : highlight(text)) {
      QCOMPARE(span.begin, at);
      at += span.length;
      got += QStringLiteral("-NSO#TC")[static_cast<int>(span.token)];
    }
    QCOMPARE(at, static_cast<uint32_t>(text.size()));
    tokens.remove(' ');
    const auto squeezed = [](QString s) {
      while (s.contains(QStringLiteral("--"))) s.replace(QStringLiteral("--"), QStringLiteral("-"));
      return s;
    };
    QCOMPARE(squeezed(got), squeezed(tokens));
  }
};

HLOSCOPE_TEST(TestGraphPage);
#include "test_graph_page.moc"
