#include <set>

#include "tests/core/predict/finite_differences.h"
#include "tests/core/predict/model_batch.h"
#include "tests/core/predict/option_cover.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using predict::Model;

class TestModelGradients : public QObject {
  Q_OBJECT
 private slots:
  void options_cover_all_pairs() {
    std::set<std::pair<size_t, size_t>> had;
    for (const auto& options : testing::covering_options()) {
      for (const auto& pair : testing::choice_pairs(options)) had.insert(pair);
    }
    // All pairs of the 3, 3, 2, 3, 4, 3, 3, 6, 2, 3 and 2 choices: (34^2 - sum of the squares) / 2
    // = 519, without the three ranking losses and the two uses of analytical estimates of models
    // that are not given the configuration.
    QCOMPARE(had.size(), size_t{514});
  }

  void gradients_are_finite_differences_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const auto& o : testing::covering_options()) {
      QTest::newRow(to_json(o).c_str()) << index++;
    }
  }
  void gradients_are_finite_differences() {
    QFETCH(int, index);
    const auto options = testing::covering_options()[static_cast<size_t>(index)];
    const auto batch = testing::random_batch<double>(static_cast<uint64_t>(100 + index));
    Model<double> model(options, testing::kBatchWidths, 7);
    const std::string text = testing::wrong_gradient(model, batch);
    QVERIFY2(text.empty(), text.c_str());
  }
};

HLOSCOPE_TEST(TestModelGradients);
#include "test_model_gradients.moc"
