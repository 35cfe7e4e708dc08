#include "ui/theme/icons.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QTextStream>
#include <utility>

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

namespace {

constexpr double kGrid = 16;
constexpr double kStroke = 1.4;

// M x y: move, L x y: line, C six numbers: cubic, Z: close, O x y r: circle, R x y w h r: rectangle
// with round corners, A x y r from span: arc in degrees. What follows F is filled, not stroked.
const char* drawing(Icon name) {
  switch (name) {
    case Icon::kOpen:
    case Icon::kFolder:
      return "M 1.7 12.6 L 1.7 3.4 L 6.2 3.4 L 7.8 5.2 L 14.3 5.2 L 14.3 12.6 Z";
    case Icon::kReload:
      return "A 8 8 5.3 30 300 M 13.2 2.2 L 13.2 5.6 L 9.8 5.6";
    case Icon::kBack:
      return "M 10 3 L 5 8 L 10 13";
    case Icon::kForward:
      return "M 6 3 L 11 8 L 6 13";
    case Icon::kSearch:
      return "O 6.8 6.8 4.6 M 10.2 10.2 L 14.2 14.2";
    case Icon::kTheme:
      return "O 8 8 5.6 M 8 2.4 L 8 13.6";
    case Icon::kStart:
      return "M 2 8 L 8 2.4 L 14 8 M 3.6 6.6 L 3.6 13.6 L 12.4 13.6 L 12.4 6.6";
    case Icon::kGraph:
      return "R 1.4 1.8 5 3.6 0.8 R 9.4 6.2 5 3.6 0.8 R 1.4 10.6 5 3.6 0.8 M 3.9 5.4 L 3.9 10.6 "
             "M 3.9 8 L 9.4 8";
    case Icon::kCompare:
      return "M 2 2 L 2 14 L 14 14 F O 5 10.6 1 O 7.2 9.6 1 O 8.2 7 1 O 10.6 6.6 1 O 11.6 4 1 "
             "O 13.6 2.6 0.9";
    case Icon::kFile:
      return "M 3.2 1.8 L 9.6 1.8 L 12.8 5 L 12.8 14.2 L 3.2 14.2 Z M 9.4 1.8 L 9.4 5.2 L 12.8 5.2";
    case Icon::kClipboard:
      return "R 3 3 10 11.4 1 R 5.6 1.4 4.8 3 0.8";
    case Icon::kCopy:
      return "R 5.4 5.4 8.6 8.8 1 M 10.6 5.2 L 10.6 2 L 2 2 L 2 10.6 L 5.2 10.6";
    case Icon::kClose:
      return "M 4 4 L 12 12 M 12 4 L 4 12";
    case Icon::kFloat:
      return "R 2.6 5.4 8 8 0.6 M 5.6 5.2 L 5.6 2.6 L 13.4 2.6 L 13.4 10.4 L 10.8 10.4";
    case Icon::kPin:
      return "M 5.4 2 L 10.6 2 M 6.4 2 L 6.4 6.4 L 4.2 9 L 11.8 9 L 9.6 6.4 L 9.6 2 M 8 9 L 8 14";
    case Icon::kFit:
      return "M 2.4 6 L 2.4 2.4 L 6 2.4 M 10 2.4 L 13.6 2.4 L 13.6 6 M 13.6 10 L 13.6 13.6 "
             "L 10 13.6 M 6 13.6 L 2.4 13.6 L 2.4 10";
    case Icon::kFilter:
      return "M 2 3 L 14 3 L 9.6 8.2 L 9.6 13 L 6.4 11.4 L 6.4 8.2 Z";
    case Icon::kExport:
      return "M 8 10 L 8 2.2 M 5 5 L 8 2 L 11 5 M 2.4 9.6 L 2.4 13.6 L 13.6 13.6 L 13.6 9.6";
    case Icon::kColumns:
      return "R 2 2.6 12 10.8 0.8 M 6 2.6 L 6 13.4 M 10 2.6 L 10 13.4";
    case Icon::kPlus:
      return "M 8 3 L 8 13 M 3 8 L 13 8";
    case Icon::kMinus:
      return "M 3 8 L 13 8";
    case Icon::kUp:
      return "M 3 10 L 8 5 L 13 10";
    case Icon::kDown:
      return "M 3 6 L 8 11 L 13 6";
    case Icon::kError:
      return "O 8 8 6 M 8 4.6 L 8 8.8 F O 8 11.3 0.9";
    case Icon::kWarning:
      return "M 8 2 L 14.6 13.6 L 1.4 13.6 Z M 8 6.2 L 8 9.6 F O 8 11.6 0.8";
    case Icon::kHistory:
      return "O 8 8 6 M 8 4.4 L 8 8 L 10.8 9.6";
    case Icon::kTune:
      return "M 2 2 L 2 14 L 14 14 M 4 11.2 L 7 8 L 9.4 9.6 L 13.6 3.4";
    case Icon::kPlay:
      return "M 4.6 3 L 12.6 8 L 4.6 13 Z F M 4.6 3 L 12.6 8 L 4.6 13 Z";
    case Icon::kPause:
      return "M 5.4 3.6 L 5.4 12.4 M 10.6 3.6 L 10.6 12.4";
    case Icon::kStop:
      return "R 4 4 8 8 0.6 F R 4 4 8 8 0.6";
    case Icon::kCheck:
      return "M 3 8.6 L 6.4 12 L 13 4.2";
    case Icon::kQueued:
      return "O 8 8 4.6";
    case Icon::kTiles:
      return "R 2 2 12 12 0.8 M 6 2 L 6 14 M 10 2 L 10 14 M 2 6 L 14 6 M 2 10 L 14 10";
    case Icon::kSimulate:
      return "M 2 2 L 2 14 L 14 14 M 4.4 4.2 L 8.4 4.2 M 6 7.4 L 11.6 7.4 M 9.4 10.6 L 13.6 10.6";
  }
  return "";
}

struct Drawing {
  QPainterPath stroked;
  QPainterPath filled;
};

void addPiece(QPainterPath& path, char command, QTextStream& in) {
  const auto next = [&in] {
    double value = 0;
    in >> value;
    return value;
  };
  const auto point = [&next] {
    const double x = next();
    return QPointF(x, next());
  };
  if (command == 'M') path.moveTo(point());
  if (command == 'L') path.lineTo(point());
  if (command == 'Z') path.closeSubpath();
  if (command == 'C') {
    const QPointF first = point();
    const QPointF second = point();
    path.cubicTo(first, second, point());
  }
  if (command == 'O') {
    const QPointF center = point();
    const double radius = next();
    path.addEllipse(center, radius, radius);
  }
  if (command == 'R') {
    const QPointF corner = point();
    const QPointF size = point();
    const double radius = next();
    path.addRoundedRect({corner, QSizeF(size.x(), size.y())}, radius, radius);
  }
  if (command == 'A') {
    const QPointF center = point();
    const double radius = next();
    const QRectF box(center - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius));
    const QPointF angles = point();
    path.arcMoveTo(box, angles.x());
    path.arcTo(box, angles.x(), angles.y());
  }
}

Drawing parse(const char* text) {
  Drawing drawing;
  QPainterPath* path = &drawing.stroked;
  QByteArray bytes(text);
  QTextStream in(&bytes);
  while (true) {
    char command = 0;
    in.skipWhiteSpace();
    in >> command;
    if (command == 0) return drawing;
    if (command == 'F') path = &drawing.filled;
    addPiece(*path, command, in);
  }
}

class PathEngine : public QIconEngine {
 public:
  PathEngine(Icon name, std::optional<Role> role) : name_(name), role_(role) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const Drawing shape = parse(drawing(name_));
    const QColor ink = color(mode, state);
    const double size = std::min(rect.width(), rect.height());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(QRectF(rect).center() - QPointF(size / 2, size / 2));
    painter->scale(size / kGrid, size / kGrid);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(ink, kStroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPath(shape.stroked);
    painter->fillPath(shape.filled, ink);
    painter->restore();
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(0, 0), size), mode, state);
    return pixmap;
  }

  [[nodiscard]] QIconEngine* clone() const override { return new PathEngine(*this); }

 private:
  [[nodiscard]] QColor color(QIcon::Mode mode, QIcon::State state) const {
    if (mode == QIcon::Disabled) return theme().role(Role::kTextFaint);
    if (role_) return theme().role(*role_);
    if (state == QIcon::On) return theme().role(Role::kAccent);
    return theme().role(mode == QIcon::Selected ? Role::kText : Role::kTextMuted);
  }

  Icon name_;
  std::optional<Role> role_;
};

class ClassEngine : public QIconEngine {
 public:
  explicit ClassEngine(hlo::OpClass op_class) : op_class_(op_class) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode, QIcon::State) override {
    const double side = std::min(rect.width(), rect.height()) * 14.0 / kGrid;
    const QRectF box(QRectF(rect).center() - QPointF(side / 2, side / 2), QSizeF(side, side));
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme().opClass(op_class_));
    painter->drawRoundedRect(box, side / 7, side / 7);
    QFont font = boldFont();
    font.setPixelSize(std::max(1, qRound(side * 0.68)));
    painter->setFont(font);
    painter->setPen(theme().opClassLetterInk(op_class_));
    painter->drawText(box, Qt::AlignCenter, theme().opClassLetter(op_class_));
    painter->restore();
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(0, 0), size), mode, state);
    return pixmap;
  }

  [[nodiscard]] QIconEngine* clone() const override { return new ClassEngine(*this); }

 private:
  hlo::OpClass op_class_;
};

}  // namespace

QIcon icon(Icon name, std::optional<Role> role) {
  return QIcon(new PathEngine(name, role));
}

QIcon opClassIcon(hlo::OpClass op_class) {
  return QIcon(new ClassEngine(op_class));
}

}  // namespace hloscope::ui
