#include <atomic>
#include <numeric>

#include "core/base/csr.h"
#include "core/base/hash.h"
#include "core/base/hash_label.h"
#include "core/base/intern.h"
#include "core/base/result.h"
#include "core/base/rng.h"
#include "core/base/thread_pool.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {
struct NodeTag;
using NodeId = Index<NodeTag>;
}  // namespace

class TestBase : public QObject {
  Q_OBJECT
 private slots:
  void error_shows_place_line_caret_and_hint() {
    Error error{ErrorCode::kInvalidInput, "expected ')'", "a.hlo", 3, 5, "x = y", "close it"};
    QCOMPARE(error.format(),
             std::string("a.hlo:3:5: expected ')'\n  x = y\n      ^\n  hint: close it"));
  }
  void error_cuts_very_long_lines_around_the_caret() {
    Error error{ErrorCode::kInvalidInput, "bad", "a", 1, 5001, std::string(10000, 'a'), ""};
    error.source_line[5000] = 'X';
    const std::string text = error.format();
    QVERIFY(text.size() < 400);
    const auto caret = text.rfind('^') - text.rfind('\n');
    const auto mark = text.find('X') - text.find('\n');
    QCOMPARE(caret, mark);
  }
  void csr_transposes() {
    Csr<NodeId, NodeId> csr;
    csr.add(NodeId(2));
    csr.add(NodeId(1));
    csr.end_row();
    csr.end_row();
    csr.add(NodeId(2));
    csr.end_row();
    const auto users = csr.transposed(3);
    QCOMPARE(users[NodeId(0)].size(), size_t{0});
    QCOMPARE(users[NodeId(1)].size(), size_t{1});
    QCOMPARE(users[NodeId(2)][0].value, 0U);
    QCOMPARE(users[NodeId(2)][1].value, 2U);
  }
  void strings_are_stored_once() {
    StringTable table;
    std::vector<StringId> ids;
    for (int i = 0; i < 1000; ++i) ids.push_back(table.intern("name." + std::to_string(i)));
    QCOMPARE(table.size(), size_t{1000});
    QVERIFY(table.intern("name.7") == ids[7]);
    QVERIFY(table[ids[999]] == "name.999");
    QVERIFY(!table.find("other").valid());
  }
  void hash_is_xxh3() {
    // XXH3 128 of the empty input, from the reference implementation's published test vectors.
    QCOMPARE(hash128("").hex(), std::string("99aa06d3014798d86001c324468d497f"));
    QVERIFY(Hasher().add("ab").add("c").digest() != Hasher().add("a").add("bc").digest());
  }
  void a_label_has_the_first_digits_of_the_hash() {
    QCOMPARE(hash_label("m", hash128("")), std::string("m@99aa06d3"));
  }
  void rng_repeats_with_the_seed_and_stays_in_range() {
    Rng a(42);
    Rng b(42);
    for (int i = 0; i < 1000; ++i) {
      const uint64_t x = a.below(7);
      QVERIFY(x < 7);
      QCOMPARE(x, b.below(7));
    }
    QVERIFY(Rng(1).next() != Rng(2).next());
  }
  void pool_calls_every_index_once_also_when_reused() {
    ThreadPool pool(3);
    for (int round = 0; round < 50; ++round) {
      std::vector<std::atomic<int>> calls(200);
      pool.parallel_for(calls.size(), [&](size_t i) { ++calls[i]; });
      for (auto& count : calls) QCOMPARE(count.load(), 1);
    }
  }
  void pools_have_an_end() {
    ThreadPool pool(std::numeric_limits<size_t>::max());
    QVERIFY(pool.threads() <= ThreadPool::kMaxThreads);
    std::atomic<int> calls = 0;
    pool.parallel_for(10, [&](size_t) { ++calls; });
    QCOMPARE(calls.load(), 10);
  }
};

HLOSCOPE_TEST(TestBase);
#include "test_base.moc"
