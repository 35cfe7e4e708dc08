#include "core/hlo/address.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

class TestAddress : public QObject {
  Q_OBJECT
 private slots:
  void a_number_behind_the_last_hash_names_a_module() {
    QCOMPARE(hlo::parse_address("a.hlo").path, std::string("a.hlo"));
    QVERIFY(!hlo::parse_address("a.hlo").module);
    QCOMPARE(hlo::parse_address("a.hlo#12").path, std::string("a.hlo"));
    QCOMPARE(*hlo::parse_address("a.hlo#12").module, size_t{12});
    QCOMPARE(hlo::parse_address("a#b.hlo").path, std::string("a#b.hlo"));
    QCOMPARE(hlo::parse_address("a.hlo#").path, std::string("a.hlo#"));
  }
  void numbers_outside_are_refused() {
    QVERIFY(hlo::check_address({"a", std::nullopt}, 3));
    QVERIFY(hlo::check_address({"a", 3}, 3));
    QVERIFY(!hlo::check_address({"a", 0}, 3));
    const Status four = hlo::check_address({"a", 4}, 3);
    QVERIFY(!four);
    QCOMPARE(four.error().hint, std::string("modules are numbered from 1 to 3"));
  }
};

HLOSCOPE_TEST(TestAddress);
#include "test_address.moc"
