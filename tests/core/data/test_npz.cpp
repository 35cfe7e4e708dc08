#include "core/data/npz.h"

#include <QFile>
#include <QTemporaryDir>

#include "tests/support/test_registry.h"

using namespace hloscope;
using data::NpzFile;

namespace {

// What numpy.savez(file, a=numpy.array([5, 6], dtype='uint8')) of NumPy 2.4 writes: stored, not
// deflated.
const QByteArray kStored = QByteArray::fromBase64(
    "UEsDBC0AAAAAAAAAIQB/A2Q8//////////8FABQAYS5ucHkBABAAggAAAAAAAACCAAAAAAAAAJNOVU1QWQEAdgB7J2"
    "Rlc2NyJzogJ3x1MScsICdmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgyLCksIH0gICAgICAgICAgICAg"
    "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAKBQZQSwECLQMtAAAAAAAAACEAfw"
    "NkPIIAAACCAAAABQAAAAAAAAAAAAAAgAEAAAAAYS5ucHlQSwUGAAAAAAEAAQAzAAAAuQAAAAAA");

}  // namespace

class TestNpz : public QObject {
  Q_OBJECT
 private:
  QTemporaryDir folder_;
  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  std::string write(const char* name, const QByteArray& bytes) const {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(bytes);
    return path(name);
  }
  QByteArray read(const char* name) const {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  Status write_two(const char* name) const {
    const std::vector<float> ones(300, 1);
    const std::vector<int32_t> numbers = {1, 2, 3, 4, 5, 6};
    const std::vector<data::NamedArray> arrays = {{"ones", data::array_of({300}, ones)},
                                                  {"grid", data::array_of({3, 2}, numbers)}};
    return data::write_npz(path(name), arrays);
  }

 private slots:
  void stored_file_of_numpy() {
    const auto file = NpzFile::open(write("stored.npz", kStored));
    QVERIFY2(file.has_value(), file ? "" : file.error().format().c_str());
    QVERIFY(file->names() == std::vector<std::string>{"a"});
    const auto a = file->integers("a", {2});
    QVERIFY2(a.has_value(), a ? "" : a.error().format().c_str());
    QVERIFY((a->values == std::vector<int64_t>{5, 6}));
  }
  void what_is_written_is_read() {
    QVERIFY(write_two("two.npz").has_value());
    QVERIFY(read("two.npz").size() < 1000);  // 300 ones are deflated.
    const auto file = NpzFile::open(path("two.npz"));
    QVERIFY(file.has_value());
    QVERIFY((file->names() == std::vector<std::string>{"ones", "grid"}));
    QVERIFY(file->floats("ones", {std::nullopt})->values == std::vector<float>(300, 1));
    const auto grid = file->integers("grid", {std::nullopt, 2});
    QVERIFY((grid->shape == data::Shape{3, 2}));
    QVERIFY((grid->values == std::vector<int64_t>{1, 2, 3, 4, 5, 6}));
  }
  void files_do_not_depend_on_the_time_of_writing() {
    QVERIFY(write_two("one.npz").has_value());
    QCOMPARE(read("one.npz").mid(10, 4), QByteArray("\0\0\x21\0", 4));  // 1980-01-01, 0:00.
  }
  void errors_name_file_and_array() {
    QVERIFY(write_two("e.npz").has_value());
    const auto file = NpzFile::open(path("e.npz"));
    const auto text = [&](const auto& result) {
      return result ? std::string("read") : result.error().format();
    };
    const std::string start = path("e.npz") + ": ";
    QCOMPARE(text(file->array("node_feat")),
             start + "there is no array 'node_feat'\n  hint: there are ones, grid");
    QVERIFY(text(file->integers("grid", {std::nullopt}))
                .starts_with(start + "array 'grid' has the shape (3, 2), expected (*)"));
    QVERIFY(text(file->integers("grid", {std::nullopt, 18}))
                .starts_with(start + "array 'grid' has the shape (3, 2), expected (*, 18)"));
    QVERIFY(
        text(file->integers("ones", {300})).starts_with(start + "array 'ones' has the type <f4"));
  }
  void missing_and_foreign_files() {
    QVERIFY(NpzFile::open(path("nowhere.npz")).error().code == ErrorCode::kNotFound);
    const auto foreign = NpzFile::open(write("text.npz", "HloModule m"));
    QVERIFY(!foreign.has_value());
    QVERIFY(foreign.error().format().starts_with(path("text.npz") + ": is not an .npz file"));
    QVERIFY(!NpzFile::open(write("empty.npz", "")).has_value());
  }
  void every_cut_is_an_error() {
    for (qsizetype size = 0; size < kStored.size(); size += 3) {
      const auto file = NpzFile::open(write("cut.npz", kStored.left(size)));
      QVERIFY(!file || !file->array("a"));
    }
  }
  void flipped_bits_are_found_by_the_checksum() {
    QVERIFY(write_two("flip.npz").has_value());
    QByteArray bytes = read("flip.npz");
    bytes[60] = static_cast<char>(bytes[60] ^ 4);  // Inside of the deflated "ones".
    const auto file = NpzFile::open(write("flip.npz", bytes));
    QVERIFY(file.has_value());
    const auto ones = file->array("ones");
    QVERIFY(!ones.has_value());
    QVERIFY(ones.error().message.starts_with("array 'ones' is cut or damaged"));
  }
  void a_folder_that_is_not_there_is_an_error() {
    const auto status = write_two("no/such/folder.npz");
    QVERIFY(!status.has_value());
    QVERIFY(status.error().code == ErrorCode::kIo);
    QVERIFY(
        status.error().format().starts_with(path("no/such/folder.npz") + ": cannot be written"));
  }
};

HLOSCOPE_TEST(TestNpz);
#include "test_npz.moc"
