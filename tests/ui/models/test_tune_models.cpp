#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QFont>
#include <cmath>
#include <limits>

#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "tests/ui/models/trial_fixture.h"
#include "ui/models/tune_session_model.h"
#include "ui/models/tune_trial_model.h"

using namespace hloscope;
using namespace hloscope::ui;
using testing::trials;

namespace {

std::vector<uint32_t> shown(const TuneTrialModel& model) {
  const auto rows = model.shownTrials();
  return {rows.begin(), rows.end()};
}

TrialQuery query(const char* text) {
  const auto parsed = TrialQuery::parse(text);
  if (!parsed) qFatal("%s", parsed.error().format().c_str());
  return *parsed;
}

QString text(const TuneTrialModel& model, int row, int column) {
  return model.index(row, column).data().toString();
}

TuneSessionRow session(int64_t id, TuneState state) {
  TuneSessionRow row;
  row.id = id;
  row.state = state;
  row.trials = 1384;
  row.trial_budget = 2000;
  row.fraction = 0.692;
  row.best_ns = 137'300;
  row.baseline_ns = 151'600;
  row.best_is_estimate = false;
  row.measured = 7;
  row.measured_goal = 10;
  row.elapsed_s = 3723.4;
  return row;
}

}  // namespace

class TestTuneModels : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void tiles_become_columns_by_dimension() {
    TrialColumns columns;
    columns.append_tile("out=12x4x4x3,kernel=3x1x24x3");
    columns.append_tile("out=6x4x4x3,kernel=3x1x24x3");
    QCOMPARE(columns.tile_names.size(), size_t{8});
    QCOMPARE(columns.tile_names.front(), std::string("output 0"));
    QCOMPARE(columns.tile_names.back(), std::string("kernel 3"));
    QCOMPARE(columns.tile_sizes[0], (std::vector<float>{12, 6}));
    QCOMPARE(columns.tile_sizes[6], (std::vector<float>{24, 24}));
  }

  void texts_have_the_same_ranks_however_they_come_in() {
    const std::vector<std::string> all = {"b", "d", "a", "b", "", "c", "a", "e", "b"};
    const std::vector<uint32_t> ranks = {2, 4, 1, 2, 0, 3, 1, 5, 2};
    TextOrder once;
    once.extend(all);
    QCOMPARE(once.ranks(all), ranks);
    for (size_t piece = 1; piece < all.size(); ++piece) {
      TextOrder order;
      std::vector<std::string> texts;
      for (size_t from = 0; from < all.size(); from += piece) {
        const size_t to = std::min(all.size(), from + piece);
        const std::vector<std::string> more(all.begin() + static_cast<std::ptrdiff_t>(from),
                                            all.begin() + static_cast<std::ptrdiff_t>(to));
        TextOrder next;
        next.extend(more);
        texts.insert(texts.end(), more.begin(), more.end());
        order.append(std::move(next), texts);
      }
      QCOMPARE(order.size(), all.size());
      QCOMPARE(order.ranks(texts), ranks);
    }
    // What nobody has sorted yet is sorted for the ranks.
    QCOMPARE(TextOrder().ranks(all), ranks);
    QVERIFY(TextOrder().ranks({}).empty());
  }

  void configurations_stay_in_order_as_trials_come_in() {
    auto columns = std::make_shared<TrialColumns>(trials());
    TuneTrialModel model;
    model.setTrials(columns, {200'000});
    model.setMeasuredFirst(false);
    model.sort(TuneTrialModel::kConfig, Qt::AscendingOrder);
    // 1x8, 2x8, 2x8 with a kernel, 4x8, 8x8.
    QCOMPARE(shown(model), (std::vector<uint32_t>{3, 1, 2, 0, 4}));
    columns->append(trials());
    model.refresh(5, {200'000});
    // Of equal ones the newest comes first, in both orders.
    QCOMPARE(shown(model), (std::vector<uint32_t>{8, 3, 6, 1, 7, 2, 5, 0, 9, 4}));
    model.sort(TuneTrialModel::kConfig, Qt::DescendingOrder);
    QCOMPARE(shown(model), (std::vector<uint32_t>{9, 4, 5, 0, 7, 2, 6, 1, 8, 3}));
  }

  void measured_trials_come_first_and_the_newest_of_the_others() {
    auto columns = std::make_shared<TrialColumns>(trials());
    TuneTrialModel model;
    const QAbstractItemModelTester tester(&model);
    model.setTrials(columns, {200'000});
    // Measured: 1 in 120 µs, 3 in 150 µs. The others by number, from the end.
    QCOMPARE(shown(model), (std::vector<uint32_t>{1, 3, 4, 2, 0}));
    model.setMeasuredFirst(false);
    model.sort(TuneTrialModel::kPredicted, Qt::AscendingOrder);
    QCOMPARE(shown(model), (std::vector<uint32_t>{1, 3, 2, 0, 4}));
    model.sort(TuneTrialModel::kPredicted, Qt::DescendingOrder);
    // What has no time stands last in both orders.
    QCOMPARE(shown(model), (std::vector<uint32_t>{0, 2, 3, 1, 4}));
  }

  void cells_say_where_a_time_comes_from() {
    auto columns = std::make_shared<TrialColumns>(trials());
    TuneTrialModel model;
    model.setTrials(columns, {240'000});
    QCOMPARE(text(model, 0, TuneTrialModel::kHardware), QStringLiteral("120.0"));
    // 240 / 120 of the measured time; 110 µs were predicted: −8.3 %.
    QCOMPARE(text(model, 0, TuneTrialModel::kSpeedup), QStringLiteral("2.000×"));
    QCOMPARE(text(model, 0, TuneTrialModel::kError), QStringLiteral("−8.3"));
    const QModelIndex guessed = model.indexOf(0);
    QCOMPARE(text(model, guessed.row(), TuneTrialModel::kHardware), QStringLiteral("model only"));
    QCOMPARE(text(model, guessed.row(), TuneTrialModel::kSpeedup), QStringLiteral("–"));
    const QModelIndex failed = model.indexOf(4);
    QCOMPARE(text(model, failed.row(), TuneTrialModel::kHardware), QStringLiteral("failed"));
    QVERIFY(failed.data(Qt::ToolTipRole).toString().contains(QStringLiteral("does not fit")));
    QCOMPARE(
        model.headerData(TuneTrialModel::kHardware, Qt::Horizontal, Qt::DisplayRole).toString(),
        QStringLiteral("Measured µs"));
    // A predicted time is compared with a predicted default only.
    model.setTrials(columns, {240'000, false});
    QCOMPARE(text(model, model.indexOf(0).row(), TuneTrialModel::kSpeedup),
             QStringLiteral("≈ 1.200×"));
    model.setTrials(columns, {240'000, true, true});
    QCOMPARE(
        model.headerData(TuneTrialModel::kHardware, Qt::Horizontal, Qt::DisplayRole).toString(),
        QStringLiteral("Simulated µs"));
  }

  void configurations_may_come_after_the_times() {
    TrialColumns whole = testing::trials();
    auto columns = std::make_shared<TrialColumns>(whole);
    static_cast<TrialConfigs&>(*columns) = {};
    TuneTrialModel model;
    QAbstractItemModelTester tester(&model);
    model.setTrials(columns, {});
    model.sort(TuneTrialModel::kTrial, Qt::AscendingOrder);
    model.setMeasuredFirst(false);
    const auto text = [&model](int row) {
      return model.data(model.index(row, TuneTrialModel::kConfig), Qt::DisplayRole).toString();
    };
    QCOMPARE(model.rowCount(), 5);
    QCOMPARE(text(0), QStringLiteral("…"));
    // Nothing is known of them, so no part of them is found.
    model.setQuery(*TrialQuery::parse("out=2x8"));
    QCOMPARE(model.rowCount(), 0);
    TrialConfigs first;
    for (size_t i = 0; i < 2; ++i) {
      first.append_tile(whole.config[i]);
      first.config.push_back(whole.config[i]);
      first.changed.push_back(1);
    }
    columns->append_configs(std::move(first));
    model.refreshConfigs(0);
    QCOMPARE(model.rowCount(), 1);
    model.setQuery({});
    QCOMPARE(text(1), QStringLiteral("out=2x8"));
    QCOMPARE(text(2), QStringLiteral("…"));
    // What is not read stands last, as whatever has no value.
    model.sort(TuneTrialModel::kConfig, Qt::AscendingOrder);
    QCOMPARE(text(0), QStringLiteral("out=2x8"));
    QCOMPARE(text(1), QStringLiteral("out=4x8"));
    QCOMPARE(text(4), QStringLiteral("…"));
  }

  void numbers_of_layouts_are_explained() {
    auto columns = std::make_shared<TrialColumns>(testing::trials());
    columns->config[0] = "conv.1 operand 0 0→2";
    TuneTrialModel model;
    TuneTrialModel::Meaning meaning;
    meaning.space = tune::SpaceKind::kLayout;
    model.setTrials(columns, meaning);
    model.sort(TuneTrialModel::kTrial, Qt::AscendingOrder);
    const auto tip =
        model.headerData(TuneTrialModel::kConfig, Qt::Horizontal, Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains("layout 2 instead of layout 0"), qPrintable(tip));
    QVERIFY(model.data(model.index(0, 0), Qt::ToolTipRole).toString().contains(tip));
  }

  void filters_and_brushes_hide_rows() {
    auto columns = std::make_shared<TrialColumns>(trials());
    TuneTrialModel model;
    const QAbstractItemModelTester tester(&model);
    model.setTrials(columns, {240'000});
    model.setQuery(query("measured<130"));
    QCOMPARE(shown(model), (std::vector<uint32_t>{1}));
    model.setQuery(query("predicted>=150 -rejected"));
    QCOMPARE(shown(model), (std::vector<uint32_t>{0}));
    model.setQuery(query("failed"));
    QCOMPARE(shown(model), (std::vector<uint32_t>{4}));
    model.setQuery(query("out=2x8"));
    QCOMPARE(shown(model), (std::vector<uint32_t>{1, 2}));
    model.setQuery({});
    model.setMask({1, 0, 1, 0, 1});
    QCOMPARE(shown(model), (std::vector<uint32_t>{4, 2, 0}));
    const auto wrong = TrialQuery::parse("accepted measured<fast");
    QVERIFY(!wrong);
    QCOMPARE(wrong.error().column, 10);
    QVERIFY(!TrialQuery::parse("speed>2"));
  }

  void times_that_come_later_move_rows_and_keep_what_is_selected() {
    auto columns = std::make_shared<TrialColumns>(trials());
    TuneTrialModel model;
    const QAbstractItemModelTester tester(&model);
    model.setTrials(columns, {200'000});
    const QPersistentModelIndex kept = model.indexOf(0);
    QCOMPARE(kept.row(), 4);
    columns->hardware_ns[0] = 100'000;
    columns->measured_as[0] = 3;
    model.refresh(columns->size(), {200'000});
    QCOMPARE(kept.row(), 0);
  }

  void a_session_shows_its_progress_and_how_sure_its_best_is() {
    TuneSessionModel model;
    const QAbstractItemModelTester tester(&model);
    TuneSessionRow guess = session(2, TuneState::kPaused);
    guess.best_is_estimate = true;
    model.setSessions({session(1, TuneState::kRunning), guess});
    const auto cell = [&model](int row, int column) { return model.index(row, column).data(); };
    QCOMPARE(cell(0, TuneSessionModel::kState).toString(), QStringLiteral("running"));
    QCOMPARE(cell(0, TuneSessionModel::kProgress).toString(),
             QStringLiteral("1\u2009384 / 2\u2009000"));
    QCOMPARE(cell(0, TuneSessionModel::kBest).toString(), QStringLiteral("137.3"));
    QCOMPARE(cell(0, TuneSessionModel::kSpeedup).toString(), QStringLiteral("1.104×"));
    QCOMPARE(cell(1, TuneSessionModel::kBest).toString(), QStringLiteral("≈ 137.3"));
    QCOMPARE(cell(0, TuneSessionModel::kMeasured).toString(), QStringLiteral("7 of 10"));
    QCOMPARE(cell(0, TuneSessionModel::kElapsed).toString(), QStringLiteral("1:02:03"));
    QCOMPARE(model.summary(), QStringLiteral("1 running, 1 paused"));
    model.setStateFilter(TuneState::kPaused);
    QCOMPARE(model.rowCount(), 1);
    QVERIFY(!model.indexOf(1).isValid());
    // It goes on, and is no longer among the paused ones.
    model.setSessions({session(1, TuneState::kRunning), session(2, TuneState::kRunning)});
    QCOMPARE(model.rowCount(), 0);
  }

  void best_times_are_compared_with_the_pinned_session() {
    TuneSessionModel model;
    const QAbstractItemModelTester tester(&model);
    // 120 µs pinned: 137.3 is 14.4 % more.
    TuneSessionRow pinned = session(2, TuneState::kFinished);
    pinned.best_ns = 120'000;
    TuneSessionRow guess = session(3, TuneState::kFinished);
    guess.best_is_estimate = true;
    TuneSessionRow other = session(4, TuneState::kFinished);
    other.target = QStringLiteral("another kernel");
    model.setSessions({session(1, TuneState::kRunning), pinned, guess, other});
    const auto cell = [&model](int row) {
      return model.index(row, TuneSessionModel::kDelta).data().toString();
    };
    QCOMPARE(cell(0), noValue());
    model.setPinned(2);
    QCOMPARE(cell(0), QStringLiteral("+14.4 %"));
    QCOMPARE(cell(1), QStringLiteral("+0.0 %"));
    // An estimate is no measured time, and another kernel has other times.
    QCOMPARE(cell(2), noValue());
    QCOMPARE(cell(3), noValue());
    model.setPinned(0);
    QCOMPARE(cell(0), noValue());
  }

  /// Prints what a page of 100,000 trials costs; nothing is asserted of times.
  void many_trials() {
    auto columns = std::make_shared<TrialColumns>(testing::manyTrials(100'000));
    QElapsedTimer clock;
    clock.start();
    TuneTrialModel model;
    model.setTrials(columns, {200'000});
    qInfo("100,000 trials: made and sorted in %lld ms", static_cast<long long>(clock.restart()));
    model.setQuery(query("predicted<150 accepted"));
    qInfo("100,000 trials: filtered in %lld ms", static_cast<long long>(clock.restart()));
    model.setQuery({});
    clock.restart();
    model.sort(TuneTrialModel::kPredicted, Qt::DescendingOrder);
    qInfo("100,000 trials: sorted in %lld ms", static_cast<long long>(clock.restart()));
    model.sort(TuneTrialModel::kConfig, Qt::AscendingOrder);
    qInfo("100,000 trials: sorted by tile in %lld ms", static_cast<long long>(clock.restart()));
    QCOMPARE(model.rowCount(), 100'000);
  }
};

HLOSCOPE_TEST(TestTuneModels);
#include "test_tune_models.moc"
