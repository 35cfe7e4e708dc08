#include <sys/stat.h>

#include <QFile>
#include <QTemporaryDir>
#include <fstream>
#include <thread>

#include "core/base/file_bytes.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

class TestFileBytes : public QObject {
  Q_OBJECT
 private:
  QTemporaryDir folder_;
  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  std::string write(const char* name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

 private slots:
  void all_bytes_of_a_file() {
    const std::string bytes = std::string("a\0b\r\n", 5) + std::string(100000, 'x');
    const auto read = read_file_bytes(write("file", bytes));
    QVERIFY(read.has_value());
    QVERIFY(*read == bytes);
    QCOMPARE(read_file_bytes(write("empty", "")).value(), std::string());
  }
  void limit_is_inclusive() {
    const std::string file = write("ten", "0123456789");
    QCOMPARE(read_file_bytes(file, 10).value(), std::string("0123456789"));
    const auto refused = read_file_bytes(file, 9);
    QVERIFY(!refused && refused.error().code == ErrorCode::kUnsupported);
  }
  void absent_files_and_folders() {
    const auto absent = read_file_bytes(path("absent"));
    QVERIFY(!absent && absent.error().code == ErrorCode::kNotFound);
    QCOMPARE(absent.error().headline(), path("absent") + ": No such file or directory");
    const auto folder = read_file_bytes(folder_.path().toStdString());
    QVERIFY(!folder && folder.error().code == ErrorCode::kIo);
  }
  void a_name_does_not_end_at_a_zero() {
    const auto read = read_file_bytes(write("whole", "x") + std::string("\0y", 2));
    QVERIFY(!read && read.error().code == ErrorCode::kNotFound);
  }
  // /dev/zero has no end: reading it would take all memory.
  void devices_are_refused() {
    const auto device = read_file_bytes("/dev/zero");
    QVERIFY(!device && device.error().code == ErrorCode::kUnsupported);
  }
  void pipe_without_a_writer_does_not_wait() {
    QCOMPARE(mkfifo(path("pipe").c_str(), 0600), 0);
    const auto read = read_file_bytes(path("pipe"));
    QVERIFY(!read && read.error().code == ErrorCode::kInvalidInput);
    QCOMPARE(read.error().message, std::string("nothing was written to this pipe"));
  }
  void pipe_with_a_slow_writer_is_read_to_its_end() {
    int ends[2];
    QCOMPARE(pipe(ends), 0);
    const std::string half(70000, 'a');
    std::thread writer([&] {
      for (int i = 0; i < 2; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        for (size_t done = 0; done < half.size();) {
          const ssize_t count = ::write(ends[1], half.data() + done, half.size() - done);
          if (count <= 0) break;
          done += static_cast<size_t>(count);
        }
      }
      close(ends[1]);
    });
    const auto read = read_file_bytes("/proc/self/fd/" + std::to_string(ends[0]));
    writer.join();
    close(ends[0]);
    QVERIFY(read.has_value());
    QVERIFY(*read == half + half);
  }
};

HLOSCOPE_TEST(TestFileBytes);
#include "test_file_bytes.moc"
