// Before Qt, which makes a macro of `slots`.
#include "core/features/feature.h"

#include <QTemporaryDir>
#include <algorithm>
#include <functional>

#include "core/predict/estimate_features.h"
#include "core/predict/weights_file.h"
#include "tests/core/predict/model_batch.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using nn::SafeTensors;
using predict::Model;
using predict::StoredModel;

namespace {

StoredModel small_model() {
  predict::ModelOptions options;
  options.hidden_width = 8;
  options.opcode_width = 4;
  return {Model<float>(options, testing::kBatchWidths, 9), R"({"mean": [1, 2]})", R"({"seed": 9})"};
}

/// The message of the error after a change to a good file, or "read".
std::string refusal(const std::function<void(SafeTensors&)>& change) {
  SafeTensors content = model_content(small_model());
  change(content);
  const auto stored = predict::model_from(content);
  return stored ? "read" : stored.error().message;
}

std::string with_metadata(const std::string& key, const std::string& value) {
  return refusal([&](SafeTensors& content) { content.metadata[key] = value; });
}

}  // namespace

class TestWeightsFile : public QObject {
  Q_OBJECT
 private slots:
  void a_model_is_read_back() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("m.safetensors")).toStdString();
    const StoredModel stored = small_model();
    QVERIFY(save_model(path, stored));
    const StoredModel back = predict::load_model(path).value();
    QVERIFY(back.model.options() == stored.model.options());
    QVERIFY(back.model.widths() == stored.model.widths());
    QCOMPARE(back.normaliser, stored.normaliser);
    QCOMPARE(back.training, stored.training);
    const auto batch = testing::random_batch<float>(1);
    const auto predictions = [&](const Model<float>& model) {
      nn::Tape<float> tape(model.parameters());
      const nn::Var y = model.predict(tape, batch);
      return std::vector<float>(tape.value(y).data(), tape.value(y).data() + tape.rows(y));
    };
    QVERIFY(predictions(back.model) == predictions(stored.model));
  }

  void another_feature_table_is_refused() {
    SafeTensors content = model_content(small_model());
    content.metadata["feature_table"] = "00";
    const auto stored = predict::model_from(content);
    QVERIFY(stored.error().code == ErrorCode::kUnsupported);
    QCOMPARE(stored.error().message,
             "the model was trained with the feature table 00, but this program has " +
                 features::table_hash().hex());
    QVERIFY(stored.error().hint.find("train it again") != std::string::npos);
  }

  void another_estimate_table_is_called_so() {
    QCOMPARE(with_metadata("estimate_table", "00"),
             "the model was trained with the estimate table 00, but this program has " +
                 predict::estimate_table_hash().hex());
  }

  void metadata_must_be_there() {
    for (const auto& [key, value] : model_content(small_model()).metadata) {
      const std::string name = key;
      QCOMPARE(refusal([&](SafeTensors& content) { content.metadata.erase(name); }),
               "no metadata '" + name + "'");
    }
  }

  void damaged_metadata_is_named() {
    QCOMPARE(with_metadata("architecture", "{"),
             std::string("the model options are not a JSON object"));
    QCOMPARE(with_metadata("architecture", R"({"readout":"gru"})"),
             std::string("model option 'readout' can not be \"gru\""));
    QCOMPARE(with_metadata("architecture", R"({"join":"none"})"),
             std::string("the model ranks configurations that it is not given"));
    QCOMPARE(with_metadata("normaliser", "[1"),
             std::string("metadata 'normaliser' is not a JSON object"));
    QCOMPARE(with_metadata("training", "3"),
             std::string("metadata 'training' is not a JSON object"));
    QCOMPARE(with_metadata("input_widths", "[]"),
             std::string("metadata 'input_widths' is not a JSON object"));
    QCOMPARE(with_metadata("input_widths", R"({"node":5,"graph":-3,"configuration":4})"),
             std::string("metadata 'input_widths' has no 'graph' from 0 to 65536"));
    QCOMPARE(with_metadata("input_widths", R"({"node":5,"graph":3,"configuration":4000000000})"),
             std::string("metadata 'input_widths' has no 'configuration' from 0 to 65536"));
  }

  void tensors_must_be_those_of_the_architecture() {
    QCOMPARE(with_metadata("input_widths", R"({"node":6,"graph":3,"configuration":4})"),
             std::string("tensor 'input.node.weight' has the shape [5,8], but [6,8] is needed"));
    const std::string missing = refusal([](SafeTensors& content) {
      std::erase_if(content.tensors, [](const auto& t) { return t.name == "output.bias"; });
    });
    QCOMPARE(missing, std::string("tensor 'output.bias' is missing"));
  }

  void errors_name_the_file() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("m.safetensors")).toStdString();
    SafeTensors content = model_content(small_model());
    content.metadata.erase("normaliser");
    QVERIFY(nn::write_safetensors(path, content));
    QCOMPARE(predict::load_model(path).error().file, path);
    StoredModel bad = small_model();
    bad.training = "none";
    QVERIFY(save_model(path, bad).error().code == ErrorCode::kInvalidInput);
  }
};

HLOSCOPE_TEST(TestWeightsFile);
#include "test_weights_file.moc"
