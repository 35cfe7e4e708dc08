#include <QLabel>
#include <QPushButton>
#include <QSet>
#include <QTest>

#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/models/filter_edit.h"
#include "ui/theme/mnemonics.h"

using namespace hloscope;
using namespace hloscope::ui;

/// Inputs and dialogs as they are typed in.
class TestFilterEdit : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void a_hint_without_room_is_its_first_word() {
    const QString hint = QStringLiteral("Filter, e.g. class:conv err>5 measured>100");
    FilterEdit edit(hint);
    edit.resize(500, 24);
    edit.show();
    QCOMPARE(edit.placeholderText(), hint);
    edit.resize(104, 24);
    QTRY_COMPARE(edit.placeholderText(), QStringLiteral("Filter"));
    edit.resize(500, 24);
    QTRY_COMPARE(edit.placeholderText(), hint);
  }

  void letters_for_alt_are_those_of_words_and_never_twice() {
    QWidget dialog;
    const auto button = [&dialog](const char* text) {
      auto* one = new QPushButton(QString::fromUtf8(text), &dialog);
      return one;
    };
    auto* field = button("Keep &it");  // has a letter, which stays
    auto* name = new QLabel(QStringLiteral("Name"), &dialog);
    name->setBuddy(field);
    auto* note = new QLabel(QStringLiteral("Note of nothing"), &dialog);  // no field's label
    QPushButton* next = button("Next one");
    QPushButton* is = button("Is");
    QPushButton* none = button("ni");
    assignMnemonics(dialog);
    QCOMPARE(field->text(), QStringLiteral("Keep &it"));
    QCOMPARE(name->text(), QStringLiteral("&Name"));
    QCOMPARE(note->text(), QStringLiteral("Note of nothing"));
    QCOMPARE(next->text(), QStringLiteral("Next &one"));  // n is the name's
    QCOMPARE(is->text(), QStringLiteral("I&s"));
    QCOMPARE(none->text(), QStringLiteral("ni"));  // both are taken
  }
};

HLOSCOPE_TEST(TestFilterEdit);
#include "test_filter_edit.moc"
