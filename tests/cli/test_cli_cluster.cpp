#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

namespace {

constexpr auto kClusterProgram = R"(HloModule step
ENTRY main {
  a = f32[1024] parameter(0)
  b = f32[1024] parameter(1)
  c = f32[1024] tanh(a)
  d = f32[1024] negate(c)
  e = f32[1024] exponential(d)
  ROOT f = f32[1024] add(e, b)
}
)";

// Hosts that are this machine; one of them is down.
constexpr auto kSsh = R"(#!/bin/sh
if [ "$1" = -n ]; then shift; fi
if [ "$1" = broken ]; then echo "no route to host" >&2; exit 255; fi
shift
exec bash -c "$*"
)";
constexpr auto kScp = R"(#!/bin/sh
shift
exec cp -- "${1#*:}" "$2"
)";

}  // namespace

/// The script for machines that are reached by ssh, with an ssh that stays here.
class TestCliCluster : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  void write_executable(const QString& name, const QByteArray& text) const {
    QFile file(write(name, text));
    file.setPermissions(file.permissions() | QFile::ExeUser);
  }
  Outcome generate(const QString& hosts, const QString& output,
                   const QStringList& options = {}) const {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PATH", path("bin") + ":" + environment.value("PATH"));
    environment.insert("HLOSCOPE_CLI", HLOSCOPE_BINARY_DIR "/hloscope-cli");
    environment.insert("HLOSCOPE_REMOTE_DIR", path("a far place"));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder_.path());
    process.start("bash", QStringList{HLOSCOPE_SOURCE_DIR "/samples/cluster/generate_over_ssh.sh",
                                      hosts, "3", output, "my programs", "--configurations", "7"} +
                              options);
    process.waitForFinished(60000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
  }

 private slots:
  void initTestCase() {
    for (const char* tool : {"bash", "tar", "cksum", "flock"}) {
      if (QStandardPaths::findExecutable(tool).isEmpty())
        QSKIP("bash, tar, cksum or flock is not here");
    }
    QDir(folder_.path()).mkdir("bin");
    QDir(folder_.path()).mkdir("my programs");
    write_executable("bin/ssh", kSsh);
    write_executable("bin/scp", kScp);
    write("my programs/step.hlo", kClusterProgram);
    write("hosts", "first  # with a comment\n\nbroken\nthird\n");
    write("down", "broken\n");
  }

  void shards_of_several_hosts_are_the_same_as_one_run() {
    const Outcome outcome = generate("hosts", "set.hloscope");
    QVERIFY2(outcome.code == 0, outcome.err);
    QVERIFY2(outcome.out.contains("shard 2 of 3 on third"), outcome.out);
    QVERIFY2(outcome.err.contains("broken failed"), outcome.err);
    // Programs are known by their paths as given.
    QProcess one;
    one.setWorkingDirectory(folder_.path());
    QDir(folder_.path()).mkdir("one");
    one.start(HLOSCOPE_BINARY_DIR "/hloscope-cli", {"dataset", "generate", "my programs", "-o",
                                                    "one/set.hloscope", "--configurations", "7"});
    QVERIFY(one.waitForFinished(60000));
    QVERIFY(!read(path("set.hloscope")).isEmpty());
    QVERIFY(read(path("set.hloscope")) == read(path("one/set.hloscope")));
    const Outcome again = generate("hosts", "set.hloscope");
    QCOMPARE(again.code, 0);
    QVERIFY2(again.out.contains("is there already"), again.out);
  }

  void what_is_not_finished_goes_on() {
    const Outcome down = generate("down", "later.hloscope");
    QCOMPARE(down.code, 1);
    QVERIFY2(down.err.contains("no host is left, 3 of 3 shards"), down.err);
    const Outcome other = generate("hosts", "later.hloscope", {"--seed", "2"});
    QCOMPARE(other.code, 1);
    QVERIFY2(other.err.contains("shards of another command"), other.err);
    const Outcome on = generate("hosts", "later.hloscope");
    QVERIFY2(on.code == 0, on.err);
    QCOMPARE(run({"dataset", "stats", path("later.hloscope")}).code, 0);
    QCOMPARE(generate("hosts", "x.hloscope", {"--no-such-option"}).code, 1);
  }
};

HLOSCOPE_TEST(TestCliCluster);
#include "test_cli_cluster.moc"
