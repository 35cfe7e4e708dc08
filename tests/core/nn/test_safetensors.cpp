#include "core/nn/safetensors.h"

#include <fmt/format.h>

#include <QFile>
#include <QTemporaryDir>
#include <cstring>

#include "core/nn/parameter_file.h"
#include "tests/core/nn/safetensors_text.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using nn::SafeTensors;

namespace {

SafeTensors sample() {
  const std::vector<float> floats = {1.5F, -0.0F, 3e-42F, 1e38F, 0.1F, 7.0F};
  const std::vector<double> doubles = {0.1};
  const std::vector<int64_t> numbers = {-2, INT64_MAX};
  SafeTensors content;
  content.metadata = {{"note", "\"quoted\" \xc3\xa9\n"}, {"feature_hash", "00ff"}};
  content.tensors = {nn::make_tensor("numbers", {2}, numbers),
                     nn::make_tensor("layer/w", {2, 3}, floats),
                     nn::make_tensor("none", {0, 4}, std::span<const float>()),
                     nn::make_tensor("a scalar", {}, doubles)};
  return content;
}

nn::ParameterSet<float> two_parameters(float first) {
  nn::ParameterSet<float> parameters;
  parameters.value(parameters.add("w", 2, 3)).setConstant(first);
  parameters.value(parameters.add("bias", 1, 3)).setConstant(-first);
  return parameters;
}

void gradients_for(nn::ParameterSet<float>& parameters, int step) {
  for (size_t i = 0; i < parameters.gradients().size(); ++i) {
    parameters.gradients()[i] = static_cast<float>((i * 7 + static_cast<size_t>(step)) % 5) - 1.7F;
  }
}

std::string error_of(const Status& status) {
  return status ? "good" : status.error().message;
}

}  // namespace

class TestSafetensors : public QObject {
  Q_OBJECT
 private slots:
  // Python: h = json.dumps({"__metadata__": {"format": "pt"}, "b": {"dtype": "F32", "shape": [2],
  // "data_offsets": [8, 16]}, "a": {"dtype": "I64", "shape": [], "data_offsets": [0, 8]}})
  // struct.pack("<Q", len(h)) + h.encode() + struct.pack("<q2f", -2, 1.5, -0.25)
  void bytes_of_python() {
    const std::string file(
        "\x9c\x00\x00\x00\x00\x00\x00\x00"
        R"({"__metadata__": {"format": "pt"}, "b": {"dtype": "F32", "shape": [2], )"
        R"("data_offsets": [8, 16]}, "a": {"dtype": "I64", "shape": [], "data_offsets": [0, 8]}})"
        "\xfe\xff\xff\xff\xff\xff\xff\xff\x00\x00\xc0?\x00\x00\x80\xbe",
        8 + 156 + 16);
    const auto content = nn::parse_safetensors(file);
    QVERIFY2(content.has_value(), message(file).c_str());
    QCOMPARE(content->metadata.at("format"), std::string("pt"));
    QCOMPARE(content->tensors.size(), size_t{2});
    QCOMPARE(content->tensors[0].name, std::string("a"));  // in the order of the data
    QCOMPARE(nn::tensor_values<int64_t>(*content->find("a")), std::vector<int64_t>{-2});
    QCOMPARE(nn::tensor_values<float>(*content->find("b")), (std::vector<float>{1.5F, -0.25F}));
    QCOMPARE(content->find("b")->shape, std::vector<uint64_t>{2});
    QVERIFY(content->find("c") == nullptr);
  }

  void written_bytes() {
    SafeTensors content;
    const std::vector<float> values = {1.0F};
    content.tensors = {nn::make_tensor("w", {1, 1}, values)};
    content.metadata = {{"b", "2"}, {"a", "1"}};
    std::string header =
        R"({"__metadata__":{"a":"1","b":"2"},"w":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}})";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    QCOMPARE(*nn::format_safetensors(content), file_of(header, std::string("\0\0\x80?", 4)));
  }

  void what_is_written_is_read() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("a.safetensors").toStdString();
    SafeTensors content = sample();
    QVERIFY(nn::write_safetensors(path, content).has_value());
    const auto read = nn::read_safetensors(path);
    QVERIFY(read.has_value());
    QCOMPARE(read->metadata, content.metadata);
    QCOMPARE(read->tensors.size(), content.tensors.size());
    for (const nn::Tensor& tensor : content.tensors) QVERIFY(*read->find(tensor.name) == tensor);
    // Another order of the tensors gives the same file.
    const std::string bytes = *nn::format_safetensors(content);
    std::ranges::reverse(content.tensors);
    QCOMPARE(*nn::format_safetensors(content), bytes);
    QCOMPARE(*nn::format_safetensors(*read), bytes);
  }

  void what_can_not_be_written() {
    const std::vector<float> one = {1.0F};
    SafeTensors content;
    content.tensors = {nn::make_tensor("a", {1}, one), nn::make_tensor("a", {1}, one)};
    const auto text = [&] {
      const auto bytes = nn::format_safetensors(content);
      return bytes ? "written" : bytes.error().message;
    };
    QCOMPARE(text(), std::string("tensor 'a': the name is there twice"));
    content.tensors = {nn::make_tensor("a", {2}, one)};
    QCOMPARE(text(), std::string("tensor 'a': its bytes do not fit its shape"));
    content.tensors = {nn::make_tensor("__metadata__", {1}, one)};
    QCOMPARE(text(), std::string("tensor '__metadata__': the name is reserved"));
    content.tensors = {nn::make_tensor("\xff", {1}, one)};
    QCOMPARE(text(), std::string("a name or a value of the metadata is not UTF-8"));
  }

  void every_cut_is_refused() {
    const std::string bytes = *nn::format_safetensors(sample());
    for (size_t size = 0; size < bytes.size(); ++size) {
      QVERIFY(!nn::parse_safetensors(std::string_view(bytes).substr(0, size)));
    }
  }

  // A changed byte gives an error or another content, never a crash.
  void changed_bytes() {
    const SafeTensors content = sample();
    const std::string bytes = *nn::format_safetensors(content);
    size_t refused = 0;
    for (size_t i = 0; i < bytes.size(); ++i) {
      for (const char c : {'\0', '"', '9', '{', '\xff'}) {
        std::string changed = bytes;
        changed[i] = c;
        if (!nn::parse_safetensors(changed)) ++refused;
      }
    }
    QVERIFY(refused > bytes.size());
  }

  void errors_name_the_file() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("bad.safetensors").toStdString();
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("hello");
    file.close();
    QCOMPARE(nn::read_safetensors(path).error().headline(),
             path + ": is no .safetensors file: it has fewer than 8 bytes");
    QCOMPARE(nn::read_safetensors(path + ".not").error().code, ErrorCode::kNotFound);
  }

  void parameters_and_optimiser_go_on_as_they_were() {
    nn::ParameterSet<float> parameters = two_parameters(0.1F);
    nn::Adam<float> adam(parameters, {.weight_decay = 0.01});
    const auto train = [](auto& set, auto& optimiser, int from, int to) {
      for (int step = from; step < to; ++step) {
        gradients_for(set, step);
        optimiser.step(set, 0.01);
      }
    };
    train(parameters, adam, 0, 4);
    SafeTensors content;
    save_parameters(parameters, content);
    save_adam(adam, parameters, content);
    const SafeTensors read = *nn::parse_safetensors(*nn::format_safetensors(content));
    train(parameters, adam, 4, 8);

    nn::ParameterSet<float> restored = two_parameters(9.0F);
    nn::Adam<float> restored_adam(restored, {.weight_decay = 0.01});
    QCOMPARE(error_of(load_parameters(read, restored)), std::string("good"));
    QCOMPARE(error_of(load_adam(read, restored, restored_adam)), std::string("good"));
    QCOMPARE(restored_adam.steps(), uint64_t{4});
    QVERIFY(!std::ranges::equal(restored.values(), parameters.values()));
    train(restored, restored_adam, 4, 8);
    // What lies between the matrices has gradients here, but is no parameter and is not kept.
    for (const auto id : parameters.ids()) {
      QVERIFY(restored.value(id) == parameters.value(id));
    }
  }

  void parameters_of_another_model() {
    nn::ParameterSet<float> parameters = two_parameters(1.0F);
    SafeTensors content;
    save_parameters(parameters, content);
    nn::ParameterSet<float> other = two_parameters(2.0F);
    const auto load = [&](const SafeTensors& from) {
      return error_of(load_parameters(from, other));
    };
    SafeTensors changed = content;
    changed.tensors[1].name = "b";
    QCOMPARE(load(changed), std::string("tensor 'bias' is missing"));
    changed = content;
    changed.tensors[0].shape = {3, 2};
    QCOMPARE(load(changed), std::string("tensor 'w' has the shape [3,2], but [2,3] is needed"));
    changed = content;
    changed.tensors[1] = nn::make_tensor("bias", {1, 3}, std::vector<double>{1, 2, 3});
    QCOMPARE(load(changed), std::string("tensor 'bias' is F64, but F32 is needed"));
    changed = content;
    changed.tensors[1] = nn::make_tensor("bias", {1, 3}, std::vector<float>{1, NAN, 3});
    QCOMPARE(load(changed), std::string("tensor 'bias' holds a number that is not finite"));
    // Nothing was changed on the way.
    QCOMPARE(other.value(nn::ParameterId(0))(0, 0), 2.0F);
    nn::Adam<float> adam(other, {});
    QCOMPARE(error_of(load_adam(content, other, adam)),
             std::string("tensor 'adam.first/w' is missing"));
  }
};

HLOSCOPE_TEST(TestSafetensors);
#include "test_safetensors.moc"
