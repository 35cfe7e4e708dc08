#include "core/tune/settings.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::tune;

namespace {

Settings tiles() {
  Settings out;
  out.kernel = "fusion.191";
  out.search.kind = EvaluatorKind::kModel;
  out.measure = EvaluatorSettings{EvaluatorKind::kRecorded, {}, 1, 3};
  out.budget.trials = 2000;
  return out;
}

}  // namespace

class TestTuneSettings : public QObject {
  Q_OBJECT
 private slots:
  void json_brings_them_back() {
    Settings settings = tiles();
    settings.strategy = {StrategyKind::kGenetic, UINT64_MAX, true, 0.1, 0.25, 7, 12, 0.75};
    settings.search.models = {"a.safetensors", "b\"ä"};
    settings.budget = {std::nullopt, 1.5, 1e-3};
    QVERIFY(*parse_settings(settings_json(settings)) == settings);
    settings.refine = 25;
    QVERIFY(*parse_settings(settings_json(settings)) == settings);
    QVERIFY(check_settings(tiles()));
    settings.measure.reset();
    QVERIFY(*parse_settings(settings_json(settings)) == settings);
    QVERIFY(!check_settings(settings));  // Nothing measures.
    settings.default_tiles = DefaultTiles::kAnalytical;
    QVERIFY(*parse_settings(settings_json(settings)) == settings);
  }
  void sessions_before_default_tiles_are_read() {
    // Written where it differs only: what an earlier version stored has no such key.
    QVERIFY(settings_json(tiles()).find("default_tiles") == std::string::npos);
    QVERIFY(parse_settings(settings_json(tiles()))->default_tiles == DefaultTiles::kSimulated);
  }
  void what_is_wrong_is_named_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("key");
    QTest::newRow("space") << "\"tiles\""
                           << "\"towers\""
                           << "space";
    QTest::newRow("seed") << "\"seed\":1"
                          << "\"seed\":-1"
                          << "strategy.seed";
    QTest::newRow("nested kind") << "\"recorded\""
                                 << "7"
                                 << "measure.kind";
    QTest::newRow("missing") << "\"top_k\""
                             << "\"topk\""
                             << "top_k";
    QTest::newRow("budget") << "2000"
                            << "\"many\""
                            << "trials";
  }
  void what_is_wrong_is_named() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, key);
    QString json = QString::fromStdString(settings_json(tiles()));
    QVERIFY(json.contains(from));
    json.replace(json.indexOf(from), from.size(), to);
    const auto settings = parse_settings(json.toStdString());
    QVERIFY(!settings);
    QVERIFY2(QString::fromStdString(settings.error().message).contains(key),
             settings.error().message.c_str());
  }
  void no_json_is_refused() {
    QVERIFY(!parse_settings(""));
    QVERIFY(!parse_settings("[]"));
    QVERIFY(!parse_settings("{}"));
  }
  void the_space_alone_needs_neither_model_nor_measurements() {
    Settings settings = tiles();
    settings.refine = 7;
    settings.search.models = {"a.safetensors"};
    settings.budget.trials.reset();
    settings.budget.hardware_s = 60;
    QVERIFY(settings.replays());
    QVERIFY(check_settings(settings.for_space()));
    QVERIFY(settings.for_space().replays());
    settings.measure->kind = EvaluatorKind::kSimulator;
    QVERIFY(!settings.replays());
    QVERIFY(check_settings(settings.for_space()));
    QVERIFY(settings.for_space().search.models.empty());
    QVERIFY(!settings.for_space().replays());
  }
  void sense_is_checked() {
    QVERIFY(check_settings(tiles()));
    const auto refused = [](auto change) {
      Settings settings = tiles();
      change(settings);
      const Status status = check_settings(settings);
      return !status && status.error().code == ErrorCode::kInvalidInput &&
             !status.error().hint.empty();
    };
    QVERIFY(refused([](Settings& s) { s.kernel.clear(); }));
    QVERIFY(refused([](Settings& s) { s.space = SpaceKind::kFusion; }));  // Recorded runs of it.
    QVERIFY(refused([](Settings& s) { s.measure->kind = EvaluatorKind::kAnalytical; }));
    QVERIFY(refused([](Settings& s) { s.search.kind = EvaluatorKind::kRecorded; }));
    QVERIFY(refused([](Settings& s) { s.top_k = 0; }));
    QVERIFY(refused([](Settings& s) { s.budget = {}; }));
    QVERIFY(refused([](Settings& s) { s.top_k = 1'000'001; }));
    QVERIFY(refused([](Settings& s) { s.budget.trials = 0; }));
    QVERIFY(refused([](Settings& s) { s.budget.trials = 1'000'000'000'000'001; }));
    QVERIFY(refused([](Settings& s) { s.budget.time_s = -1; }));
    QVERIFY(refused([](Settings& s) { s.strategy.temperature = 0; }));
    QVERIFY(refused([](Settings& s) { s.strategy.cooling = 1.5; }));
    QVERIFY(refused([](Settings& s) { s.strategy.population = 1; }));
    QVERIFY(refused([](Settings& s) { s.strategy.restart_trials = 0; }));
    QVERIFY(refused([](Settings& s) { s.strategy.mutation = 1; }));
    QVERIFY(refused([](Settings& s) { s.search.repeats = 0; }));
  }
  void hardware_time_ends_a_search_on_hardware_only() {
    Settings settings = tiles();
    settings.budget = {};
    settings.budget.hardware_s = 60;
    QVERIFY(!check_settings(settings));
    settings.measure.reset();
    settings.search.kind = EvaluatorKind::kRecorded;
    QVERIFY(check_settings(settings));
  }
  void an_unknown_name_lists_those_there_are() {
    const auto strategy = parse_strategy("anealing");
    QVERIFY(!strategy);
    QCOMPARE(strategy.error().hint,
             std::string("take one of exhaustive, random, annealing, genetic"));
  }
};

HLOSCOPE_TEST(TestTuneSettings);
#include "test_tune_settings.moc"
