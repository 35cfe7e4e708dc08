#include "ui/pages/data/split_bar.h"

#include <QPainter>
#include <array>

#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr std::array<Role, 3> kRoles = {Role::kAccent, Role::kWarn, Role::kGood};

QColor colorOf(int part) {
  return theme().role(kRoles[static_cast<size_t>(part) % kRoles.size()]);
}

}  // namespace

SplitBar::SplitBar(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Parts of the split"));
}

void SplitBar::setParts(std::vector<Part> parts) {
  parts_ = std::move(parts);
  QStringList texts;
  for (const Part& part : parts_) texts << part.name + ' ' + formatCount(part.count);
  setToolTip(texts.join(QStringLiteral(", ")));
  setAccessibleDescription(toolTip());
  setVisible(!parts_.empty());
  update();
}

void SplitBar::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  int64_t all = 0;
  for (const Part& part : parts_) all += part.count;
  if (all == 0) return;
  painter.setFont(smallFont());
  const QRect bar = rect().adjusted(8, 4, -8, -4);
  int64_t before = 0;
  for (size_t i = 0; i < parts_.size(); ++i) {
    const auto at = [&](int64_t count) {
      return bar.left() + static_cast<int>(static_cast<double>(bar.width()) *
                                           static_cast<double>(count) / static_cast<double>(all));
    };
    const int from = at(before);
    before += parts_[i].count;
    const QRect part(from, bar.top(), at(before) - from, bar.height());
    if (part.width() <= 0) continue;
    painter.fillRect(part, colorOf(static_cast<int>(i)));
    painter.setPen(theme().role(Role::kBase));
    painter.drawLine(part.topRight(), part.bottomRight());
    const QString count = formatCount(parts_[i].count);
    const QString both = parts_[i].name + ' ' + count;
    const QFontMetrics metrics(painter.font());
    const QString text = metrics.horizontalAdvance(both) + 8 < part.width()    ? both
                         : metrics.horizontalAdvance(count) + 4 < part.width() ? count
                                                                               : QString();
    painter.drawText(part, Qt::AlignCenter, text);
  }
}

QIcon partIcon(int part) {
  static constexpr std::array<const char*, 3> letters = {"T", "V", "E"};
  constexpr int kSize = 16;
  constexpr int kScale = 2;
  QPixmap picture(kSize * kScale, kSize * kScale);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.scale(kScale, kScale);
  painter.fillRect(QRect(1, 1, 14, 14), colorOf(part));
  QFont font = boldFont();
  font.setPixelSize(10);
  painter.setFont(font);
  painter.setPen(theme().role(Role::kBase));
  painter.drawText(QRect(1, 1, 14, 14), Qt::AlignCenter,
                   QString::fromLatin1(letters[static_cast<size_t>(part) % letters.size()]));
  return QIcon(picture);
}

}  // namespace hloscope::ui
