#include "core/base/rng.h"
#include "core/tune/config.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::tune;

class TestTuneConfig : public QObject {
  Q_OBJECT
 private slots:
  void few_changes_take_few_bytes() {
    const Config base(8000, 0);
    Config config = base;
    config[7000] = 1;
    QCOMPARE(encode_config(base, base).size(), size_t{0});
    QCOMPARE(encode_config(config, base).size(), size_t{3});  // 7000 in two bytes, 1 in one.
    QVERIFY(*decode_config(encode_config(config, base), base) == config);
  }
  void any_configuration_comes_back() {
    Rng rng(3);
    for (int round = 0; round < 200; ++round) {
      Config base(1 + rng.below(300));
      for (uint32_t& value : base) value = static_cast<uint32_t>(rng.next());
      Config config = base;
      for (uint64_t n = rng.below(20); n > 0; --n) {
        config[rng.below(config.size())] = static_cast<uint32_t>(rng.next());
      }
      QVERIFY(*decode_config(encode_config(config, base), base) == config);
    }
  }
  void changes_are_those_of_the_configuration() {
    const Config base(9000, 3);
    Config config = base;
    for (const size_t d : {0U, 5U, 300U, 8999U}) config[d] = 200'000;
    std::vector<ConfigChange> changes;
    const std::string bytes = encode_config(config, base);
    QCOMPARE(*decode_changes(bytes, base, 10, changes), size_t{4});
    QVERIFY((changes == std::vector<ConfigChange>{
                            {0, 200'000}, {5, 200'000}, {300, 200'000}, {8999, 200'000}}));
    // The others are only counted.
    QCOMPARE(*decode_changes(bytes, base, 2, changes), size_t{4});
    QCOMPARE(changes.size(), size_t{2});
    QCOMPARE(*decode_changes({}, base, 2, changes), size_t{0});
    QVERIFY(changes.empty());
  }
  void damaged_bytes_are_refused_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("position without value") << QByteArray("\x02", 1);
    QTest::newRow("position cut") << QByteArray("\x80", 1);
    QTest::newRow("beyond the end") << QByteArray("\x08\x02", 2);
    QTest::newRow("before the beginning") << QByteArray("\x01\x02", 2);
    QTest::newRow("value below 0") << QByteArray("\x00\x01", 2);
  }
  void damaged_bytes_are_refused() {
    QFETCH(QByteArray, bytes);
    const auto config = decode_config(bytes.toStdString(), Config(4, 0));
    QVERIFY(!config);
    QCOMPARE(config.error().code, ErrorCode::kInvalidInput);
  }
  void an_order_of_values_is_another_configuration() {
    QVERIFY(config_hash({1, 2}) != config_hash({2, 1}));
    QVERIFY(config_hash({0}) != config_hash({0, 0}));
  }
};

HLOSCOPE_TEST(TestTuneConfig);
#include "test_tune_config.moc"
