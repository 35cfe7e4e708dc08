#include "db/given_name.h"

#include <string>

#include "tests/support/test_registry.h"

using namespace hloscope;

class TestGivenName : public QObject {
  Q_OBJECT
 private slots:
  void text_of_one_line_is_a_name_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("why");  // Empty: it is one.
    QTest::newRow("none") << QByteArray() << QByteArray();
    QTest::newRow("ASCII") << QByteArray("it's August, 2 x 3") << QByteArray();
    QTest::newRow("UTF-8 of 2, 3 and 4 bytes")
        << QByteArray("\xc3\xbc \xe5\x90\x8d \xf0\x9f\x9a\x80") << QByteArray();
    QTest::newRow("200 characters of two bytes")
        << QByteArray("\xc3\xbc").repeated(200) << QByteArray();
    QTest::newRow("201 characters")
        << QByteArray("x").repeated(201) << QByteArray("more than 200 characters");
    QTest::newRow("line end") << QByteArray("a\nb") << QByteArray("control character");
    QTest::newRow("zero byte") << QByteArray("a\0b", 3) << QByteArray("control character");
    QTest::newRow("escape") << QByteArray("\x1b[31m") << QByteArray("control character");
    QTest::newRow("U+009B, an escape of one character")
        << QByteArray("\xc2\x9b") << QByteArray("control character");
    QTest::newRow("U+2028, a line end")
        << QByteArray("\xe2\x80\xa8") << QByteArray("control character");
    QTest::newRow("bytes that begin nothing") << QByteArray("\xff\xfe") << QByteArray("not UTF-8");
    QTest::newRow("cut") << QByteArray("\xe5\x90") << QByteArray("not UTF-8");
    QTest::newRow("a continuation alone") << QByteArray("a\x90") << QByteArray("not UTF-8");
    QTest::newRow("overlong slash") << QByteArray("\xc0\xaf") << QByteArray("not UTF-8");
    QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << QByteArray("not UTF-8");
    QTest::newRow("above U+10FFFF") << QByteArray("\xf4\x90\x80\x80") << QByteArray("not UTF-8");
  }
  void text_of_one_line_is_a_name() {
    QFETCH(const QByteArray, name);
    QFETCH(const QByteArray, why);
    const Status status = db::check_given_name("run", name.toStdString());
    QCOMPARE(status.has_value(), why.isEmpty());
    if (status) return;
    QVERIFY2(status.error().code == ErrorCode::kInvalidInput, status.error().message.c_str());
    QVERIFY2(status.error().message.starts_with("the name of the run "),
             status.error().message.c_str());
    QVERIFY2(status.error().message.find(why.toStdString()) != std::string::npos,
             status.error().message.c_str());
  }
};

HLOSCOPE_TEST(TestGivenName);
#include "test_given_name.moc"
