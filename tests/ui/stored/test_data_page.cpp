#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "db/evaluate_models.h"
#include "tests/support/test_registry.h"
#include "tests/ui/data_set_program.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/charts/line_chart.h"
#include "ui/models/plain_table_view.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/data/data_set_forms.h"
#include "ui/pages/data/data_sets_panel.h"
#include "ui/pages/data/evaluation_panel.h"
#include "ui/pages/data/models_panel.h"
#include "ui/pages/data/statistics_panel.h"
#include "ui/pages/data/training_form.h"
#include "ui/pages/data/training_panel.h"
#include "ui/shell/error_strip.h"
#include "ui/theme/format.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

void waitFor(TaskRunner& tasks) {
  for (int quiet = 0; quiet < 3; ++quiet) {
    QTRY_VERIFY_WITH_TIMEOUT(tasks.isIdle(), 60'000);
    QTest::qWait(5);
  }
}

}  // namespace

class TestDataPage : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    testing::failOnWarnings();
    folder_ = std::make_unique<QTemporaryDir>();
    tasks_ = std::make_unique<TaskRunner>();
    page_ = std::make_unique<DataPage>(*tasks_);
    page_->resize(1500, 950);
    page_->show();
    QVERIFY(QTest::qWaitForWindowExposed(page_.get()));
    waitFor(*tasks_);
  }
  void cleanup() {
    page_.reset();
    tasks_.reset();
  }

  void an_empty_page_says_what_next() {
    QVERIFY(page_->form()->trainButton()->isEnabled() == false);
    QVERIFY(page_->dataSets()->list()->accessibleDescription().contains("No data set is open"));
    // Each picture says what will stand in it.
    const auto charts = page_->findChildren<LineChart*>();
    QCOMPARE(charts.size(), 2);
    for (const LineChart* chart : charts) {
      QVERIFY2(chart->emptyText().startsWith(chart->accessibleName() + ": "),
               qPrintable(chart->emptyText()));
    }
    QVERIFY(!page_->models()->cards().empty());
    QVERIFY(page_->models()->card()->table()->rowCount() > 0);
  }

  void a_generated_set_is_listed_counted_and_split() {
    makeSet();
    const db::DataSetSummary* set = page_->dataSets()->current();
    QVERIFY(set != nullptr);
    QCOMPARE(set->programs, size_t{6});
    QCOMPARE(page_->dataSets()->programs()->table()->rowCount(), 6);
    QVERIFY(page_->dataSets()->details() != nullptr);
    const auto& counted = page_->dataSets()->details()->statistics;
    QVERIFY(page_->statistics()->summary().contains(formatCount(counted.all.graphs)));
    int64_t kernels = 0;
    for (const auto& row : counted.op_classes) kernels += row.graphs;
    QCOMPARE(kernels, counted.all.graphs);
    for (int what = 0; what < page_->statistics()->what()->count(); ++what) {
      page_->statistics()->what()->setCurrentIndex(what);
      page_->grab();
    }
    QVERIFY(!page_->form()->trainButton()->isEnabled());  // no split yet
    split();
    QCOMPARE(page_->dataSets()->split(), QStringLiteral("random"));
    QVERIFY(page_->form()->trainButton()->isEnabled());
    QVERIFY(page_->dataSets()->programs()->table()->index(0, 2).data().toString() != QString());
  }

  void a_training_draws_its_curves_and_its_model_can_be_used() {
    makeSet();
    split();
    page_->training()->start(order(12));
    QTRY_VERIFY_WITH_TIMEOUT(page_->training()->state() == TrainingPanel::State::kDone, 60'000);
    waitFor(*tasks_);
    const auto& points = page_->training()->points();
    QCOMPARE(points.size(), size_t{3});
    const auto& line = page_->training()->lossChart()->lines().front();
    QCOMPARE(line.points.back(), QPointF(12, points.back().loss));
    const auto& validation = page_->training()->validationChart()->lines().front();
    QCOMPARE(validation.points.back().y(), *points.back().validation * 100);
    QVERIFY(page_->training()->validationChart()->mark().has_value());
    QVERIFY(!page_->training()->lossChart()->csv().isEmpty());
    QVERIFY(page_->models()->files().contains(QString::fromStdString(order(12).output)));
    const QSignalSpy used(page_.get(), &DataPage::useModelRequested);
    page_->models()->use();
    QCOMPARE(used.size(), 1);
    QCOMPARE(used[0][0].toString(), QString::fromStdString(order(12).output));
    page_->grab();
  }

  void a_training_is_paused_carried_on_and_stopped() {
    makeSet();
    split();
    db::TrainingOrder endless = order(1'000'000);
    endless.patience = 0;
    page_->training()->start(endless);
    QVERIFY(!page_->form()->trainButton()->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(!page_->training()->points().empty(), 60'000);
    page_->training()->pause();
    QTRY_VERIFY_WITH_TIMEOUT(page_->training()->state() == TrainingPanel::State::kPaused, 60'000);
    QVERIFY(QFile::exists(QString::fromStdString(db::checkpoint_path(endless.output))));
    const size_t seen = page_->training()->points().size();
    page_->training()->resume();
    QTRY_VERIFY_WITH_TIMEOUT(page_->training()->points().size() > seen, 60'000);
    page_->training()->stopAndKeep();
    QTRY_VERIFY_WITH_TIMEOUT(page_->training()->state() == TrainingPanel::State::kDone, 60'000);
    QVERIFY(QFile::exists(QString::fromStdString(endless.output)));
    QVERIFY(!QFile::exists(QString::fromStdString(db::checkpoint_path(endless.output))));
    waitFor(*tasks_);
    QVERIFY(page_->strip()->current() == nullptr);
    QVERIFY(page_->form()->trainButton()->isEnabled());
  }

  void controls_are_evaluated_by_metric_and_by_program() {
    makeSet();
    split();
    page_->evaluation()->evaluate();
    waitFor(*tasks_);
    const auto& evaluation = page_->evaluation()->evaluation();
    QVERIFY(evaluation != nullptr);
    QCOMPARE(page_->evaluation()->table()->table()->rowCount(), 3);  // the controls
    const PlainTableModel* table = page_->evaluation()->table()->table();
    QCOMPARE(table->index(0, 2).data().toString(),
             formatNumber(*evaluation->models[0].values[0] * 100, 1));
    page_->evaluation()->view()->setCurrentIndex(1);
    QCOMPARE(table->rowCount(), static_cast<int>(evaluation->programs.size()) + 1);
    QCOMPARE(table->columnCount(), 2 + 3);
    page_->showTab(DataPage::kEvaluation);
    page_->grab();
  }

  void a_row_of_the_evaluation_is_compared() {
    makeSet();
    split();
    page_->evaluation()->evaluate();
    waitFor(*tasks_);
    PlainTableView* table = page_->evaluation()->table();
    QStringList asked;
    connect(page_.get(), &DataPage::compareRequested, this,
            [&asked](const QString& file, const QString& model, analysis::PairSource x,
                     analysis::PairSource y) {
              const auto id = [](analysis::PairSource source) {
                return QString::fromUtf8(analysis::info(source).id.data());
              };
              asked = {QFileInfo(file).fileName(), model, id(x), id(y)};
            });
    emit table->clicked(table->model()->index(0, 0));
    QCOMPARE(asked, (QStringList{"", "", "simulated", "analytical"}));
    page_->evaluation()->view()->setCurrentIndex(1);
    // The second control, of the program in the first row.
    emit table->clicked(table->model()->index(0, 3));
    const QString program =
        QString::fromStdString(page_->evaluation()->evaluation()->programs.front());
    QCOMPARE(asked, (QStringList{program + ".hlo", "", "simulated", "scaled"}));
    asked.clear();
    emit table->clicked(table->model()->index(0, 4));  // a regression has no times elsewhere
    QVERIFY(asked.isEmpty());
  }

  void a_data_set_is_renamed_and_back() {
    makeSet();
    DataSetsPanel* sets = page_->dataSets();
    const QString path = sets->currentPath();
    const std::string before = sets->current()->info.name;
    sets->rename(path, QStringLiteral("six programs"));
    waitFor(*tasks_);
    QCOMPARE(sets->list()->table()->index(0, 0).data().toString(), QStringLiteral("six programs"));
    QCOMPARE(db::summarise_data_set(path.toStdString())->info.name, std::string("six programs"));
    QVERIFY(page_->strip()->current() != nullptr);
    page_->strip()->current()->action();
    waitFor(*tasks_);
    QCOMPARE(sets->current()->info.name, before);
    QVERIFY(page_->strip()->current() == nullptr);
    // A name is needed: the set keeps its own.
    sets->rename(path, {});
    waitFor(*tasks_);
    QCOMPARE(sets->current()->info.name, before);
    QVERIFY(page_->strip()->current()->text.contains(QStringLiteral("must have a name")));
  }

  void a_bad_file_is_told_in_the_strip_and_the_state_comes_back() {
    makeSet();
    split();
    const QVariantMap state = page_->saveState();
    DataPage other(*tasks_);
    other.restoreState(state);
    other.show();
    waitFor(*tasks_);
    QCOMPARE(other.dataSets()->paths(), page_->dataSets()->paths());
    QVERIFY(other.dataSets()->current() != nullptr);
    page_->openDataSets({folder_->filePath("none.hloscope")});
    waitFor(*tasks_);
    QVERIFY(page_->strip()->current() != nullptr);
    QVERIFY(page_->dataSets()->current() == nullptr);
  }

 private:
  void makeSet() {
    GenerateAnswer answer;
    for (int rows : {8, 16, 24, 40, 64, 128}) {
      QFile file(folder_->filePath(QStringLiteral("p%1.hlo").arg(rows)));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(hloscope::testing::data_set_program(rows));
      answer.order.paths.push_back(file.fileName().toStdString());
    }
    answer.order.output = folder_->filePath(QStringLiteral("set.hloscope")).toStdString();
    answer.order.configurations = 4;
    page_->dataSets()->generate(answer);
    waitFor(*tasks_);
  }
  void split() {
    SplitAnswer answer;
    answer.order.name = "random";
    answer.order.options.held_out = {0.2, 0.2};
    page_->dataSets()->makeSplit(answer);
    waitFor(*tasks_);
  }
  [[nodiscard]] db::TrainingOrder order(uint64_t steps) const {
    db::TrainingOrder order = page_->form()->order();
    order.model_options = R"({"hidden_width": 8, "opcode_width": 4, "layers": 1})";
    order.steps = steps;
    order.evaluate_every = 4;
    order.threads = 1;
    return order;
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<TaskRunner> tasks_;
  std::unique_ptr<DataPage> page_;
};

HLOSCOPE_TEST(TestDataPage);
#include "test_data_page.moc"
