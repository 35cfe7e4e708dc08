#include <fmt/format.h>

#include <cstring>

#include "core/nn/safetensors.h"
#include "tests/core/nn/safetensors_text.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;

namespace {

/// A damaged file and the message it should give.
struct Damage {
  const char* name;
  std::string file;
  std::string text;
};

/// One entry of a header.
std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return fmt::format(R"("{}":{{"dtype":"{}","shape":{},"data_offsets":{}}})", name, dtype, shape,
                     offsets);
}

const std::string kEight(8, 'x');

/// A file with one tensor of 8 bytes, "a".
std::string tensor(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return file_of("{" + entry("a", dtype, shape, offsets) + "}", kEight);
}

// The length of the header, its JSON, its form.
std::vector<Damage> damaged_headers() {
  return {
      {"empty", "", "is no .safetensors file: it has fewer than 8 bytes"},
      {"long header", std::string("\x10\0\0\0\0\0\0\0{}", 10),
       "the header is said to have 16 bytes, but 2 follow: the file is cut"},
      {"huge header", std::string(8, '\xff') + "{}",
       "the header is said to have 18446744073709551615 bytes; 100 MB are allowed"},
      {"over 100 MB", std::string("\x01\xe1\xf5\x05\0\0\0\0{}", 10),
       "the header is said to have 100000001 bytes; 100 MB are allowed"},
      {"no header", file_of(""), "the header is no JSON at its byte 1"},
      {"no JSON", file_of("{\"a\":"), "the header is no JSON at its byte 6"},
      {"behind the end", file_of("{}{}"), "the header is no JSON at its byte 3"},
      {"not UTF-8", file_of("{\"\xff\":1}"), "the header is no JSON at its byte 3"},
      {"array", file_of("[]"), "the header is no JSON object"},
      {"number", file_of("3"), "the header is no JSON object"},
      {"deep", file_of("{\"a\":" + std::string(100000, '[')),
       "tensor 'a': an array stands for the description"},
      {"deep shape", file_of("{\"a\":{\"shape\":" + std::string(100000, '[')),
       "tensor 'a': an array is wrong for shape"},
      {"metadata", file_of(R"({"__metadata__":{"a":1}})"), "__metadata__: a number is wrong for a"},
      {"metadata text", file_of(R"({"__metadata__":"a"})"),
       "tensor '__metadata__': a string stands for the description"},
  };
}

// Keys, dtype and shape of a tensor.
std::vector<Damage> damaged_entries() {
  const std::string good = entry("a", "F32", "[2]", "[0,8]");
  const std::string ones = fmt::format("[{}]", fmt::join(std::vector<int>(65, 1), ","));
  return {
      {"name twice", file_of("{" + good + "," + good + "}", kEight), "the name 'a' is there twice"},
      {"key twice", file_of(R"({"a":{"dtype":"F32","dtype":"F32"}})"),
       "tensor 'a': the key 'dtype' is there twice"},
      {"key missing", file_of(R"({"a":{"dtype":"F32","shape":[]}})"),
       "tensor 'a': dtype, shape or data_offsets is missing"},
      {"key unknown", file_of(R"({"a":{"stride":[1]}})"), "tensor 'a': unknown key 'stride'"},
      {"dtype unknown", tensor("F33", "[2]", "[0,8]"), "tensor 'a': unknown dtype 'F33'"},
      {"dtype not read", tensor("BF16", "[4]", "[0,8]"), "tensor 'a': dtype BF16 is not read"},
      {"negative", tensor("F32", "[-2]", "[0,8]"),
       "tensor 'a': a negative number is wrong for shape"},
      {"not whole", tensor("F32", "[2.0]", "[0,8]"),
       "tensor 'a': a number that is not whole is wrong for shape"},
      {"past 64 bits", tensor("F32", "[18446744073709551616]", "[0,8]"),
       "tensor 'a': a number that is not whole is wrong for shape"},
      {"shape overflow", tensor("F32", "[4294967296,4294967296,2]", "[0,8]"),
       "tensor 'a': the product of its shape is too large"},
      {"byte overflow", tensor("F64", "[2305843009213693953]", "[0,8]"),
       "tensor 'a': the product of its shape is too large"},
      {"shape", tensor("F32", "[3]", "[0,8]"),
       "tensor 'a': its shape [3] of F32 needs 12 bytes, but it has 8"},
      {"many dimensions", tensor("F32", ones, "[0,4]"),
       "tensor 'a': the shape has more than 64 dimensions"},
  };
}

// Where the bytes of tensors are.
std::vector<Damage> damaged_offsets() {
  const std::string good = entry("a", "F32", "[2]", "[0,8]");
  return {
      {"cut", file_of("{" + good + "}", "1234567"),
       "the tensors need 8 bytes of data, but the file has 7: it is cut"},
      {"too long", file_of("{" + good + "}", "123456789"),
       "the tensors need 8 bytes of data, but the file has 9"},
      {"outside", tensor("F32", "[4]", "[0,16]"),
       "the tensors need 16 bytes of data, but the file has 8: it is cut"},
      {"far outside", tensor("F32", "[4]", "[18446744073709551600,18446744073709551615]"),
       "tensor 'a': begins at byte 18446744073709551600, but the tensor before it ends at 0"},
      {"backwards", tensor("F32", "[2]", "[8,0]"),
       "tensor 'a': data_offsets end before they begin"},
      {"one offset", tensor("F32", "[2]", "[8]"), "tensor 'a': data_offsets needs two numbers"},
      {"three offsets", tensor("F32", "[2]", "[0,8,8]"),
       "tensor 'a': data_offsets has more than two numbers"},
      {"hole at the start", tensor("F32", "[1]", "[4,8]"),
       "tensor 'a': begins at byte 4, but the tensor before it ends at 0"},
      {"overlap",
       file_of(
           "{" + entry("a", "F32", "[2]", "[0,8]") + "," + entry("b", "F32", "[1]", "[4,8]") + "}",
           kEight),
       "tensor 'b': begins at byte 4, inside of another tensor that ends at 8"},
  };
}

}  // namespace

class TestSafetensorsDamaged : public QObject {
  Q_OBJECT
 private slots:
  void messages_data() {
    QTest::addColumn<std::string>("file");
    QTest::addColumn<std::string>("text");
    for (const auto& part : {damaged_headers(), damaged_entries(), damaged_offsets()}) {
      for (const Damage& damage : part) QTest::newRow(damage.name) << damage.file << damage.text;
    }
  }
  void messages() {
    QFETCH(std::string, file);
    QFETCH(std::string, text);
    QCOMPARE(message(file), text);
  }
};

HLOSCOPE_TEST(TestSafetensorsDamaged);
#include "test_safetensors_damaged.moc"
