#include "core/data/npy.h"

#include <limits>

#include "tests/support/test_registry.h"

using namespace hloscope;
using data::Array;
using data::ElementType;

namespace {

/// A .npy file with the given dict, as NumPy writes it but for the padding.
std::string npy(const std::string& dict, const std::string& bytes, char version = 1) {
  const auto size = static_cast<unsigned>(dict.size());
  std::string out = "\x93NUMPY";
  out += version;
  out += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) out += static_cast<char>(size >> (8 * i));
  return out + dict + bytes;
}

std::string message(const std::string& file) {
  const auto array = data::read_npy(file);
  return array ? "read" : array.error().message;
}

}  // namespace

class TestNpy : public QObject {
  Q_OBJECT
 private slots:
  // The bytes that numpy.save of NumPy 2.4 gives for numpy.array([[1, -2, 3]], dtype='int16').
  void bytes_of_numpy() {
    const std::string header = "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 3), }";
    const std::string numbers("\x01\x00\xfe\xff\x03\x00", 6);
    const std::string file = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header +
                             std::string(128 - 10 - header.size() - 1, ' ') + "\n" + numbers;
    const auto array = data::read_npy(file);
    QVERIFY(array.has_value());
    QVERIFY((array->shape == data::Shape{1, 3}));
    QVERIFY((*data::integers(*array) == std::vector<int64_t>{1, -2, 3}));
    QVERIFY(data::write_npy(*array) == file);
  }
  void versions_2_and_3() {
    for (const char version : {'\x02', '\x03'}) {
      const auto array = data::read_npy(
          npy("{'descr':'|u1','fortran_order':False,'shape':(2,)}", "\x07\xff", version));
      QVERIFY(array.has_value());
      QVERIFY((*data::integers(*array) == std::vector<int64_t>{7, 255}));
    }
  }
  void fortran_order_is_turned() {
    const auto matrix =
        data::read_npy(npy("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }", "adbecf"));
    QVERIFY(matrix.has_value());
    QCOMPARE(matrix->bytes, std::string("abcdef"));
    const auto cube = data::read_npy(
        npy("{'descr': '|b1', 'fortran_order': True, 'shape': (2, 2, 2), }", "aecgbfdh"));
    QVERIFY(cube.has_value());
    QCOMPARE(cube->bytes, std::string("abcdefgh"));
  }
  void every_type_survives_writing_and_reading() {
    for (int i = 0; i <= static_cast<int>(ElementType::kFloat64); ++i) {
      Array array{static_cast<ElementType>(i), {3}, {}};
      array.bytes = std::string(3 * data::byte_size(array.type), '\x01');
      const auto again = data::read_npy(data::write_npy(array));
      QVERIFY(again.has_value());
      QVERIFY(again->type == array.type);
      QVERIFY(again->shape == array.shape);
      QVERIFY(again->bytes == array.bytes);
    }
  }
  void scalars_and_empty_arrays() {
    const auto scalar =
        data::read_npy(data::write_npy(data::array_of({}, std::vector<float>{2.5F})));
    QVERIFY(scalar.has_value());
    QVERIFY((*data::floats(*scalar) == std::vector<float>{2.5F}));
    const auto none =
        data::read_npy(data::write_npy(data::array_of({0, 24}, std::vector<float>{})));
    QVERIFY(none.has_value());
    QVERIFY((none->shape == data::Shape{0, 24}));
  }
  void damaged_headers_data() {
    QTest::addColumn<QByteArray>("dict");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* dict, const char* expected) {
      QTest::newRow(dict) << QByteArray(dict) << QString(expected);
    };
    row("", "'{' is missing");
    row("{'descr': '<f4', 'fortran_order': False, }", "shape is missing");
    row("{'descr': '<f4', 'fortran_order': 0, 'shape': ()}", "neither True nor False");
    row("{'descr': '<f4', 'fortran_order': False, 'shape': (a,)}", "no number");
    row("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "no number");
    row("{'descr': '<f4', 'fortran_order': False, 'shape': (2", "')' is missing");
    row("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}", "unknown key 'x'");
    row("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}", "'>f4' is not read");
    row("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "'|O' is not read");
    row("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "records");
    row("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "needs 2 elements");
    row("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 8)}", "too large");
  }
  void damaged_headers() {
    QFETCH(QByteArray, dict);
    QFETCH(QString, expected);
    const std::string text = message(npy(dict.toStdString(), "abcd"));
    QVERIFY2(text.find(expected.toStdString()) != std::string::npos, text.c_str());
  }
  void every_cut_is_an_error() {
    const std::string file = data::write_npy(data::array_of({2}, std::vector<float>{1, 2}));
    for (size_t size = 0; size < file.size(); ++size) {
      QVERIFY(message(file.substr(0, size)) != "read");
    }
    QCOMPARE(message(file), std::string("read"));
  }
  void values_that_do_not_fit() {
    const std::vector<float> nan = {1, std::numeric_limits<float>::quiet_NaN()};
    QCOMPARE(data::floats(data::array_of({2}, nan)).error().message,
             std::string("element 1 is nan, not a finite number"));
    Array huge{ElementType::kFloat64, {1}, std::string("\0\0\0\0\0\0\xf0\x7e", 8)};
    QVERIFY(!data::floats(huge).has_value());
    Array unsigned_64{ElementType::kUint64, {1}, std::string(8, '\xff')};
    QVERIFY(!data::integers(unsigned_64).has_value());
    QCOMPARE(data::integers(data::array_of({2}, nan)).error().message,
             std::string("has the type <f4, expected integers"));
    const std::vector<int64_t> numbers = {1};
    QCOMPARE(data::floats(data::array_of({1}, numbers)).error().message,
             std::string("has the type <i8, expected <f4 or <f8"));
  }
};

HLOSCOPE_TEST(TestNpy);
#include "test_npy.moc"
