#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QTableView>
#include <QToolBar>

#include "db/database.h"
#include "db/store.h"
#include "tests/support/test_registry.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/pages/graph/kernels_dock.h"
#include "ui/theme/elided_label.h"

namespace hloscope::testing {

using analysis::KernelChoice;
using analysis::KernelOrigin;
using ui::Selection;

namespace {

// Raw four kernels; own fusion puts what stands around a dot into its fusion.
constexpr const char* kAroundDot = R"(HloModule around_dot

ENTRY main {
  a = f32[256,512]{1,0} parameter(0)
  b = f32[512,128]{1,0} parameter(1)
  c = f32[256,128]{1,0} parameter(2)
  n = f32[256,512]{1,0} negate(a)
  d = f32[256,128]{1,0} dot(n, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = f32[256,128]{1,0} add(d, c)
  ROOT t = f32[256,128]{1,0} tanh(s)
}
)";

QString deepCalls() {
  QString text = QStringLiteral(
      "HloModule deep\nlevel.0 {\n  p = f32[8]{0} parameter(0)\n  ROOT r = f32[8]{0} "
      "negate(p)\n}\n");
  for (int i = 1; i <= 22; ++i) {
    text += QStringLiteral(
                "%1 {\n  p = f32[8]{0} parameter(0)\n  c = f32[8]{0} call(p), to_apply=level.%2\n"
                "  ROOT r = f32[8]{0} call(c), to_apply=level.%2\n}\n")
                .arg(i == 22 ? QStringLiteral("ENTRY main") : QStringLiteral("level.%1").arg(i))
                .arg(i - 1);
  }
  return text;
}

/// The window with one program, and what it says about kernels.
class Window {
 public:
  explicit Window(const QString& text) { open(fixture_.write("program.hlo", text)); }

  void open(const QString& path) {
    const size_t before = workspace().files().size();
    workspace().open(QStringList{path});
    QTRY_VERIFY_WITH_TIMEOUT(workspace().files().size() > before && window().tasks().isIdle(),
                             30000);
  }
  /// Until everything is analysed, drawn and stored.
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(window().tasks().isIdle(), 30000); }

  [[nodiscard]] WindowFixture& fixture() { return fixture_; }
  [[nodiscard]] ui::MainWindow& window() { return fixture_.window(); }
  [[nodiscard]] ui::Workspace& workspace() { return window().workspace(); }
  [[nodiscard]] const analysis::ModuleReport& report() { return *workspace().report(); }
  [[nodiscard]] QComboBox* combo() { return window().findChild<QComboBox*>("kernels_combo"); }
  [[nodiscard]] QAction* action() { return window().commands().find("view.raw_kernels"); }
  [[nodiscard]] int tableRows() {
    return window().findChild<ui::KernelsDock*>()->findChild<QTableView*>()->model()->rowCount();
  }
  [[nodiscard]] bool shows(const QString& text) {
    const auto labels = window().findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&text](const QLabel* label) {
      const auto* elided = qobject_cast<const ui::ElidedLabel*>(label);
      return (elided ? elided->wholeText() : label->text()).contains(text);
    });
  }

 private:
  WindowFixture fixture_;
};

}  // namespace

class TestKernelChoice : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void opensWithOwnFusion() {
    Window test(kAroundDot);
    QVERIFY(test.report().origin == KernelOrigin::kOwnFusion);
    QCOMPARE(test.tableRows(), 1);
    QCOMPARE(test.combo()->currentText(), "Own fusion");
    QVERIFY(test.combo()->isEnabled());
    QVERIFY(test.action()->isEnabled());
    QVERIFY(!test.action()->isChecked());
    QVERIFY(test.shows("kernels: own fusion"));
    QTRY_VERIFY(test.shows("own fusion, 4 nodes"));  // Three parameters and the kernel.
  }

  void switchesToRawAndBack() {
    Window test(kAroundDot);
    test.action()->trigger();
    QTRY_VERIFY(test.report().origin == KernelOrigin::kRaw);
    test.settle();
    QCOMPARE(test.tableRows(), 4);
    QCOMPARE(test.combo()->currentText(), "Raw");
    QVERIFY(test.action()->isChecked());
    QVERIFY(test.shows("kernels: raw"));
    QTRY_VERIFY(test.shows("raw: one instruction = one kernel"));
    test.combo()->setCurrentIndex(0);
    emit test.combo()->activated(0);
    QTRY_VERIFY(test.report().origin == KernelOrigin::kOwnFusion);
    test.settle();
    QCOMPARE(test.tableRows(), 1);
    QVERIFY(!test.action()->isChecked());
  }

  void theSelectionFollowsItsName() {
    Window test(kAroundDot);
    const auto& fused = test.report();
    const auto add = fused.module.program->find_instruction("s");
    QVERIFY(add.valid());
    test.workspace().select(nullptr, {fused.kernels.kernel_of[add], add});
    test.workspace().setKernelChoice(KernelChoice::kRaw);
    QTRY_VERIFY(test.report().origin == KernelOrigin::kRaw);
    const auto& raw = test.report();
    const Selection selection = test.workspace().selection();
    QCOMPARE((*raw.module.program)[selection.instruction].name, std::string_view("s"));
    QVERIFY(raw.kernels.kernels[selection.kernel].instruction == selection.instruction);
    test.workspace().setKernelChoice(KernelChoice::kOwnFusion);
    QTRY_VERIFY(test.report().origin == KernelOrigin::kOwnFusion);
    const auto again = test.workspace().selection();
    QCOMPARE((*test.report().module.program)[again.instruction].name, std::string_view("s"));
    QVERIFY(again.kernel == graph::KernelId(0U));
  }

  void aFusionThatIsGoneIsWhatItComputesLast() {
    Window test(kAroundDot);
    const auto& kernel = test.report().kernels.kernels[graph::KernelId(0U)];
    test.workspace().select(nullptr, {graph::KernelId(0U), kernel.instruction});
    test.workspace().setKernelChoice(KernelChoice::kRaw);
    QTRY_VERIFY(test.report().origin == KernelOrigin::kRaw);
    const Selection selection = test.workspace().selection();
    QCOMPARE((*test.report().module.program)[selection.instruction].name, std::string_view("t"));
  }

  void compiledProgramsHaveNoChoice() {
    Window test(kTwoKernels);
    QVERIFY(test.report().origin == KernelOrigin::kCompiled);
    QCOMPARE(test.combo()->currentText(), "As compiled");
    QVERIFY(!test.combo()->isEnabled());
    QVERIFY(!test.action()->isEnabled());
    QVERIFY(test.shows("kernels: as compiled"));
    // What is chosen for others leaves the report of this one as it is.
    const ui::ReportPtr before = test.workspace().report();
    test.workspace().setKernelChoice(KernelChoice::kRaw);
    test.settle();
    QVERIFY(test.workspace().report() == before);
  }

  void theSessionKeepsTheChoice() {
    Window test(kAroundDot);
    test.action()->trigger();
    QTRY_VERIFY(test.report().origin == KernelOrigin::kRaw);
    test.settle();
    test.fixture().remake();
    QVERIFY(test.workspace().kernelChoice() == KernelChoice::kOwnFusion);
    test.window().restoreSession();
    QTRY_VERIFY(test.workspace().report());
    QVERIFY(test.report().origin == KernelOrigin::kRaw);
    QTRY_VERIFY(test.action()->isChecked());
    test.settle();
  }

  void runsOfBothAreStored() {
    Window test(kAroundDot);
    test.workspace().setKernelChoice(KernelChoice::kRaw);
    QTRY_VERIFY(test.report().origin == KernelOrigin::kRaw);
    test.settle();
    auto database = db::Database::open(test.fixture().database(), db::OpenMode::kReadOnly);
    QVERIFY(database);
    const auto runs = db::list_runs(*database);
    QVERIFY(runs);
    QCOMPARE(runs->size(), 6U);  // newest first: predicted, analytical, simulated; raw, then fused
    QCOMPARE((*runs)[1].key.settings, std::string("{}"));
    QCOMPARE(runs->back().key.settings, std::string(db::kOwnFusionSettings));
  }

  void whatCannotBeFusedOpensRawAndSaysSo() {
    Window test(deepCalls());
    QVERIFY(test.report().origin == KernelOrigin::kRaw);
    const ui::ErrorStrip::Message* message = test.window().errors().current();
    QVERIFY(message != nullptr);
    QVERIFY(message->is_warning);
    QVERIFY2(message->text.contains("own fusion failed"), qPrintable(message->text));
    QVERIFY(message->details.contains("2 million instructions"));
  }

  void nothingOfTheToolBarIsCutOffInASmallWindow() {
    Window test(kAroundDot);
    test.window().resize(800, 600);
    auto* bar = test.window().findChild<QToolBar*>("main_tool_bar");
    auto* extension = bar->findChild<QWidget*>("qt_toolbar_ext_button");
    QVERIFY(extension != nullptr);
    QTRY_COMPARE(bar->width(), 800);
    QTRY_VERIFY(!extension->isVisible());
  }
};

HLOSCOPE_TEST(TestKernelChoice);

}  // namespace hloscope::testing

#include "test_kernel_choice.moc"
