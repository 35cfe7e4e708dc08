#include <QLabel>
#include <QPushButton>
#include <QSet>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>

#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/models/filter_edit.h"
#include "ui/models/kernel_delegates.h"
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

  void a_mark_stands_beside_its_number() {
    QStandardItemModel model(1, 1);
    QPixmap red(16, 16);
    red.fill(Qt::red);
    model.setData(model.index(0, 0), QStringLiteral("12.3"));
    model.setData(model.index(0, 0), QIcon(red), Qt::DecorationRole);
    model.setData(model.index(0, 0), QVariant(Qt::AlignRight | Qt::AlignVCenter),
                  Qt::TextAlignmentRole);
    QTableView view;
    view.setModel(&model);
    view.setItemDelegateForColumn(0, new MarkedNumberDelegate(&view));
    view.setColumnWidth(0, 200);
    view.resize(260, 100);
    view.show();
    const QImage picture = view.viewport()->grab().toImage();
    const int y = view.visualRect(model.index(0, 0)).center().y();
    int first = -1;
    for (int x = 0; x < 200 && first < 0; ++x) {
      if (picture.pixelColor(x, y) == QColor(Qt::red)) first = x;
    }
    const int text = view.fontMetrics().horizontalAdvance(QStringLiteral("12.3"));
    QVERIFY2(first > 200 - text - 40 && first < 200 - text, qPrintable(QString::number(first)));
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
