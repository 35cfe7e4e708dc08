#include <QTest>

#include "tests/support/test_registry.h"
#include "tests/ui/models/keyboard_checks.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/pages/data/data_set_forms.h"

using namespace hloscope;
using namespace hloscope::ui;

class TestDataSetForms : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void every_form_is_filled_in_by_keys_alone() {
    bool is_answered = true;
    const auto lacks = [&is_answered](auto ask) {
      is_answered = true;
      const QStringList missing =
          testing::missing_keys_of([&] { is_answered = ask(nullptr).has_value(); });
      return missing.join(QStringLiteral("; "));
    };
    QCOMPARE(lacks(askGenerate), QString());
    QVERIFY(!is_answered);  // Esc is no answer.
    QCOMPARE(lacks(askImport), QString());
    QVERIFY(!is_answered);
    QCOMPARE(lacks(askMerge), QString());
    QVERIFY(!is_answered);
    QCOMPARE(lacks(askSplit), QString());
    QVERIFY(!is_answered);
  }

  void enter_makes_the_split_as_it_stands() {
    std::optional<SplitAnswer> answer;
    QTimer::singleShot(50, qApp, [] {
      if (QWidget* dialog = QApplication::activeModalWidget()) {
        QTest::keyClick(dialog, Qt::Key_Return);
      }
    });
    answer = askSplit(nullptr);
    QVERIFY(answer.has_value());
    QCOMPARE(QString::fromStdString(answer->order.name), QStringLiteral("random"));
    QVERIFY(answer->order.options.keep_families);
  }

  void a_form_that_lacks_something_says_what() {
    QString texts;
    QString machine;
    QTimer::singleShot(50, qApp, [&] {
      QWidget* dialog = QApplication::activeModalWidget();
      if (dialog == nullptr) return;
      for (const QLabel* label : dialog->findChildren<QLabel*>()) {
        if (label->isVisible()) texts += label->text() + QChar(u'|');
      }
      for (const QComboBox* box : dialog->findChildren<QComboBox*>()) {
        if (box->accessibleName() == QStringLiteral("Machine")) machine = box->currentText();
      }
      dialog->close();
    });
    QVERIFY(!askGenerate(nullptr).has_value());
    QVERIFY2(texts.contains(QStringLiteral("Add files, or a folder")), qPrintable(texts));
    QVERIFY2(texts.contains(QStringLiteral("goes on from there. Add files first.")),
             qPrintable(texts));
    QCOMPARE(machine, QStringLiteral("TPU v3, 1 core"));  // As in the tool bar.
  }
};

HLOSCOPE_TEST(TestDataSetForms);
#include "test_data_set_forms.moc"
