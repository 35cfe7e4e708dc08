#include "core/predict/model_options.h"
#include "tests/core/predict/option_cover.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using predict::ModelOptions;
using predict::parse_model_options;

namespace {

/// "message | hint", or "read".
std::string refusal(std::string_view json) {
  const auto options = parse_model_options(json);
  return options ? "read" : options.error().message + " | " + options.error().hint;
}

std::string misfit(const ModelOptions& options, const predict::InputWidths& widths) {
  const Status status = check_model_options(options, widths);
  return status ? "fits" : status.error().message;
}

}  // namespace

class TestModelOptions : public QObject {
  Q_OBJECT
 private slots:
  void json_is_read_back() {
    for (ModelOptions options : testing::covering_options()) {
      options.dropout = 0.1;
      options.readout_layers = 2;
      // Every option is in the JSON, so that the base does not matter.
      ModelOptions base;
      base.layers = 9;
      QVERIFY(parse_model_options(to_json(options), base).value() == options);
    }
    QCOMPARE(
        to_json(ModelOptions{}),
        std::string(R"({"network":"sage","neighbours":"mean",)"
                    R"("message_layer":true,"l2":true,"edges":"both","readout":"columnwise",)"
                    R"("join":"late","static_features":"off","analytical":"off",)"
                    R"("loss":"pairwise_hinge","opcode_width":64,"hidden_width":128,)"
                    R"("layers":3,"head_layers":1,"heads":4,"readout_layers":1,"dropout":0.0})"));
  }

  void absent_options_keep_their_values() {
    ModelOptions base;
    base.layers = 7;
    const auto options = parse_model_options(R"({"network": "gat", "dropout": 0})", base).value();
    QCOMPARE(options.layers, 7U);
    QVERIFY(options.network == predict::Network::kGat);
  }

  void wrong_options_are_named() {
    QCOMPARE(refusal(R"({"network": "gcn"})"),
             std::string("model option 'network' can not be \"gcn\" | it may be none, sage, gat"));
    QCOMPARE(refusal(R"({"layers": 17})"),
             std::string("model option 'layers' can not be 17 | it may be a whole number from 0 to "
                         "16"));
    QCOMPARE(refusal(R"({"hidden_width": -1})"),
             std::string("model option 'hidden_width' can not be -1 | it may be a whole number "
                         "from 1 to 1024"));
    QVERIFY(refusal(R"({"heads": 2.5})").starts_with("model option 'heads' can not be 2.5"));
    QVERIFY(refusal(R"({"l2": 1})").starts_with("model option 'l2' can not be 1"));
    QVERIFY(refusal(R"({"dropout": 1})").starts_with("model option 'dropout' can not be 1"));
    QVERIFY(refusal(R"({"loss": null})").starts_with("model option 'loss' can not be null"));
    QVERIFY(
        refusal(R"({"widht": 3})").starts_with("no model option 'widht' | there are network, "));
    for (const char* json : {"", "[]", "3", R"({"layers": 3)", "{\"network\": \"\xff\"}"}) {
      QVERIFY(refusal(json).starts_with("the model options are not a JSON object"));
    }
  }

  void options_must_fit_together() {
    ModelOptions options;
    QCOMPARE(misfit(options, {140, 0, 24}), std::string("fits"));
    QCOMPARE(misfit(options, {0, 0, 24}), std::string("a model needs features of nodes"));
    QCOMPARE(misfit(options, {140, 0, 0}),
             std::string("the model joins configurations, but the data have none"));
    options.static_features = predict::StaticFeatures::kNode;
    QCOMPARE(misfit(options, {140, 0, 24}),
             std::string("the model uses static performance features, but the data have none"));
    QCOMPARE(misfit(options, {140, 4, 24}), std::string("fits"));
    options.heads = 3;
    QCOMPARE(misfit(options, {140, 4, 24}), std::string("fits"));
    options.readout = predict::Readout::kTransformer;
    QCOMPARE(misfit(options, {140, 4, 24}),
             std::string("a hidden width of 128 can not be split into 3 heads"));
    options.heads = 4;
    options.join = predict::ConfigurationJoin::kNone;
    QCOMPARE(misfit(options, {140, 4, 0}),
             std::string("the model ranks configurations that it is not given"));
    options.loss = predict::Loss::kMse;
    QCOMPARE(misfit(options, {140, 4, 0}), std::string("fits"));
    options.analytical = predict::Analytical::kFeatures;
    QCOMPARE(misfit(options, {140, 4, 30}),
             std::string("the model uses the analytical estimates of configurations that it is not "
                         "given"));
  }

  void what_looks_at_nothing_is_refused() {
    ModelOptions options;
    options.loss = predict::Loss::kMse;
    options.join = predict::ConfigurationJoin::kNone;
    options.readout = predict::Readout::kNone;
    QCOMPARE(misfit(options, {140, 4, 0}),
             std::string("the model looks neither at nodes nor at configurations"));
  }

  void presets_fit_their_tasks() {
    QCOMPARE(predict::preset_names().size(), size_t{6});
    for (const std::string_view name : predict::preset_names()) {
      const auto tile = predict::preset(name, data::Task::kTile).value();
      QVERIFY(check_model_options(tile, {140, 4, 54}));
      QVERIFY(tile.analytical == predict::Analytical::kResidual);
      const auto fusion = predict::preset(name, data::Task::kFusion).value();
      QVERIFY(check_model_options(fusion, {140, 4, 30}));
      QVERIFY(predicts_time(fusion.loss));
      // Of graphs that the analytical model knows nothing of.
      if (name == "terms") {
        QCOMPARE(predict::preset(name, data::Task::kTile, false).error().code,
                 ErrorCode::kUnsupported);
        continue;
      }
      const auto tile_alone = predict::preset(name, data::Task::kTile, false).value();
      QVERIFY(check_model_options(tile_alone, {140, 4, 24}));
      QVERIFY(!predicts_time(tile_alone.loss));
      QVERIFY(check_model_options(*predict::preset(name, data::Task::kFusion, false), {140, 4, 0}));
    }
    for (const char* name : {"sage-columnwise", "gat"}) {
      const auto layout = predict::preset(name, data::Task::kLayout).value();
      QVERIFY(check_model_options(layout, {140, 0, 20}));
      QVERIFY(!predicts_time(layout.loss));
    }
    // Sequences of all nodes of a program, and attention of all to all.
    for (const char* name : {"sage-lstm", "sage-transformer", "lstm"}) {
      QVERIFY(predict::preset(name, data::Task::kLayout).error().code == ErrorCode::kUnsupported);
    }
    const auto none = predict::preset("sage", data::Task::kTile);
    QVERIFY(none.error().code == ErrorCode::kNotFound);
    QCOMPARE(
        none.error().hint,
        std::string("there are sage-lstm, sage-transformer, sage-columnwise, lstm, gat, terms"));
  }
};

HLOSCOPE_TEST(TestModelOptions);
#include "test_model_options.moc"
