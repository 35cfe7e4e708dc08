#include <limits>

#include "core/base/rng.h"
#include "core/data/data_set.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using data::Configuration;

namespace {

using Ints = std::vector<int64_t>;

std::vector<Configuration> samples() {
  const int64_t least = std::numeric_limits<int64_t>::min();
  std::vector<Configuration> out = {{},
                                    {{}},
                                    {{}, {}, {}},
                                    {{12, 4, 4, 3}, {3, 1, 24, 3}, {}},
                                    {{least, -1, 0, 1, -(least + 1)}}};
  // Rows of layouts: three of 6 numbers for each of 62 nodes, most as the compiler chose.
  Rng rng(5);
  Ints row;
  for (int i = 0; i < 62 * 3; ++i) {
    const bool chosen = rng.below(4) == 0;
    for (int k = 0; k < 6; ++k) row.push_back(chosen && k < 4 ? 3 - k : -1);
  }
  out.push_back({row});
  row.push_back(7);  // The last piece is shorter.
  out.push_back({row});
  Configuration lists;
  for (int i = 0; i < 186; ++i) lists.push_back(i % 5 == 0 ? Ints{3, 2, 1, 0} : Ints());
  out.push_back(lists);
  // No two words alike.
  Ints random;
  for (int i = 0; i < 500; ++i) random.push_back(static_cast<int64_t>(rng.below(1000)));
  out.push_back({random});
  return out;
}

}  // namespace

class TestConfiguration : public QObject {
  Q_OBJECT
 private slots:
  void bytes_and_back() {
    std::vector<std::string> seen;
    for (const Configuration& one : samples()) {
      const std::string bytes = data::pack_configuration(one);
      const auto back = data::unpack_configuration(bytes);
      QVERIFY(back.has_value());
      QVERIFY(*back == one);
      QVERIFY(std::find(seen.begin(), seen.end(), bytes) == seen.end());
      seen.push_back(bytes);
    }
  }
  void layouts_are_small() {
    // Two words of 7 bytes and a number for each of 186 layouts; 1,116 values otherwise.
    QCOMPARE(data::pack_configuration(samples()[5]).size(), size_t{1 + 1 + 2 * 7 + 2 + 186});
    QCOMPARE(data::pack_configuration(samples()[7]).size(), size_t{1 + 1 + 5 + 1 + 2 + 186});
  }
  void damaged_bytes() {
    for (const Configuration& one : samples()) {
      const std::string good = data::pack_configuration(one);
      for (size_t size = 0; size < good.size(); ++size) {
        QVERIFY(!data::unpack_configuration(std::string_view(good).substr(0, size)).has_value());
      }
      QVERIFY(!data::unpack_configuration(good + "x").has_value());
      for (size_t at = 0; at < std::min<size_t>(good.size(), 64); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x41);
        const auto back = data::unpack_configuration(bad);
        QVERIFY(!back || *back != one || data::pack_configuration(*back) != bad);
      }
    }
  }
};

HLOSCOPE_TEST(TestConfiguration);
#include "test_configuration.moc"
