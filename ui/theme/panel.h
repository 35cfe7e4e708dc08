#pragma once

#include <QFrame>
#include <QLabel>
#include <QString>

#include "ui/theme/theme.h"

class QHBoxLayout;
class QVBoxLayout;

namespace hloscope::ui {

class ElidedLabel;

/// A label in a role's colour that follows the theme.
class RoleLabel : public QLabel {
  Q_OBJECT
 public:
  RoleLabel(const QString& text, Role role, QWidget* parent = nullptr);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void applyRole();
  Role role_;
};

/// Text in the muted colour, small by default.
[[nodiscard]] QLabel* mutedLabel(const QString& text, bool small = true);

/// A key as a small outlined cap, e.g. "Ctrl+O".
class KeyCap : public QWidget {
  Q_OBJECT
 public:
  explicit KeyCap(const QString& key, QWidget* parent = nullptr);
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString key_;
};

/// A panel: 1 px border, a title strip of 28 px with a demi-bold title, a small grey context and
/// controls at the right, and a body.
class Panel : public QFrame {
  Q_OBJECT
 public:
  explicit Panel(const QString& title, QWidget* parent = nullptr);

  void setContext(const QString& text);
  /// Right end of the title strip.
  void addControl(QWidget* control);
  [[nodiscard]] QVBoxLayout* body() const { return body_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  ElidedLabel* context_;
  QHBoxLayout* strip_;
  QVBoxLayout* body_;
};

/// A one-line text button that looks like a link.
class LinkButton : public QLabel {
  Q_OBJECT
 public:
  explicit LinkButton(const QString& text, QWidget* parent = nullptr);

 signals:
  void clicked();

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void applyColor();
};

}  // namespace hloscope::ui
