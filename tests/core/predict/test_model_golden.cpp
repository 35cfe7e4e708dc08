#include <fmt/format.h>

#include <map>

#include "core/predict/model.h"
#include "tests/core/predict/model_batch.h"
#include "tests/support/golden_table.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using predict::Batch;
using predict::Model;
using predict::ModelOptions;

namespace {

constexpr predict::InputWidths kWidths{3, 2, 2};

template <typename T>
nn::Matrix<T> stream_matrix(size_t k, size_t rows, size_t cols) {
  nn::Matrix<T> out(rows, cols);
  for (size_t i = 0; i < rows * cols; ++i) out.data()[i] = static_cast<T>(testing::stream(k, i));
  return out;
}

/// The batch of model_golden.py.
template <typename T>
Batch<T> golden_batch() {
  Batch<T> batch;
  batch.opcodes = {24, 63, 2, 70, 63, 34};
  batch.node_offsets = {0, 4, 6};
  batch.sample_offsets = {0, 3, 5};
  batch.node_features = stream_matrix<T>(50, 6, kWidths.node);
  batch.graph_features = stream_matrix<T>(51, 2, kWidths.graph);
  batch.configurations = stream_matrix<T>(52, 5, kWidths.configuration);
  batch.analytical = stream_matrix<T>(53, 5, 1);
  batch.targets = {T(1.0), T(3.0), T(2.0), T(0.5), T(0.7)};
  testing::set_edges<T>(batch, {{}, {0}, {0, 1}, {2, 0}, {}, {4}});
  return batch;
}

/// Compares with the lines of one model; every line is used.
template <typename T>
class Comparison {
 public:
  Comparison(std::string name, double tolerance) : name_(std::move(name)), tolerance_(tolerance) {}

  std::string run(const ModelOptions& options) {
    Model<T> model(options, kWidths, 1);
    auto& parameters = model.parameters();
    for (const nn::ParameterId id : parameters.ids()) {
      for (size_t i = 0; i < parameters.rows(id) * parameters.cols(id); ++i) {
        parameters.value(id).data()[i] = static_cast<T>(testing::stream(id.value, i) / 2);
      }
    }
    const Batch<T> batch = golden_batch<T>();
    nn::Tape<T> tape(parameters);
    const nn::Var prediction = model.predict(tape, batch);
    compare("prediction", tape.value(prediction).data(), batch.samples());
    tape.reset();
    const nn::Var loss = model.loss(tape, batch).loss;
    compare("loss", tape.value(loss).data(), 1);
    tape.backward(loss);
    for (const nn::ParameterId id : parameters.ids()) {
      const T* gradient = tape.gradients().data() + parameters.offset(id);
      T sum = 0;
      for (size_t i = 0; i < parameters.rows(id) * parameters.cols(id); ++i) {
        sum += gradient[i] * static_cast<T>(testing::stream(200 + id.value, i));
      }
      compare(parameters.name(id), &sum, 1);
    }
    const auto lines = std::ranges::count_if(
        golden_, [&](const auto& entry) { return entry.first.starts_with(name_ + "."); });
    if (compared_ != lines) text_ += fmt::format("{} lines, not {}", compared_, lines);
    return text_;
  }

 private:
  void compare(const std::string& what, const T* found, size_t count) {
    const std::vector<double>& expected = golden_[name_ + "." + what];
    if (expected.size() != count) text_ += what + " has another size\n";
    ++compared_;
    for (size_t i = 0; i < std::min(count, expected.size()); ++i) {
      const auto number = static_cast<double>(found[i]);
      const double allowed = tolerance_ * std::max(1.0, std::abs(expected[i]));
      if (std::abs(number - expected[i]) <= allowed) continue;
      text_ += fmt::format("{}: {}, not {}\n", what, number, expected[i]);
    }
  }

  std::map<std::string, std::vector<double>> golden_ =
      testing::read_golden(HLOSCOPE_SOURCE_DIR "/tests/core/predict/model_golden.txt");
  std::string name_;
  double tolerance_;
  std::string text_;
  int64_t compared_ = 0;
};

ModelOptions golden_options() {
  ModelOptions options;
  options.opcode_width = 3;
  options.hidden_width = 6;
  options.layers = 2;
  options.heads = 2;
  return options;
}

}  // namespace

// model_golden.txt is what model_golden.py prints: PyTorch 1.13 in float64.
class TestModelGolden : public QObject {
  Q_OBJECT
 private slots:
  void sage_lstm_is_that_of_torch() {
    ModelOptions options = golden_options();
    options.readout = predict::Readout::kLstm;
    options.static_features = predict::StaticFeatures::kKernel;
    compare("sage_lstm", options);
  }

  void plain_sage_is_that_of_torch() {
    ModelOptions options = golden_options();
    options.message_layer = false;
    options.l2 = false;
    options.edges = predict::Edges::kDirected;
    options.join = predict::ConfigurationJoin::kNone;
    options.loss = predict::Loss::kMse;
    compare("plain_sage", options);
  }

  void residual_sage_is_that_of_torch() {
    ModelOptions options = golden_options();
    options.message_layer = false;
    options.l2 = false;
    options.edges = predict::Edges::kDirected;
    options.analytical = predict::Analytical::kResidual;
    options.head_layers = 2;
    options.loss = predict::Loss::kMape;
    compare("residual_sage", options);
  }

  void gat_transformer_is_that_of_torch() {
    ModelOptions options = golden_options();
    options.network = predict::Network::kGat;
    options.layers = 1;
    options.l2 = false;
    options.edges = predict::Edges::kUndirected;
    options.readout = predict::Readout::kTransformer;
    options.join = predict::ConfigurationJoin::kEarly;
    options.static_features = predict::StaticFeatures::kNode;
    options.loss = predict::Loss::kMse;
    compare("gat_transformer", options);
  }

 private:
  static void compare(const std::string& name, const ModelOptions& options) {
    const std::string in_double = Comparison<double>(name, 1e-11).run(options);
    QVERIFY2(in_double.empty(), in_double.c_str());
    const std::string in_float = Comparison<float>(name, 1e-4).run(options);
    QVERIFY2(in_float.empty(), in_float.c_str());
  }
};

HLOSCOPE_TEST(TestModelGolden);
#include "test_model_golden.moc"
