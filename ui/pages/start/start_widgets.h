#pragma once

#include <QAbstractButton>

#include "ui/pages/start/start_content.h"
#include "ui/theme/icons.h"

namespace hloscope::ui {

/// A large button: icon, bold title, a grey line below, and the key at the right.
class ActionCard : public QAbstractButton {
  Q_OBJECT
 public:
  struct Content {
    Icon icon;
    QString title;
    QString note;
    QString key;
    bool is_primary = false;  ///< Tinted: what most people want.
  };
  explicit ActionCard(const Content& content, QWidget* parent = nullptr);
  [[nodiscard]] QSize sizeHint() const override { return {220, 76}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Content content_;
};

/// A row of the samples list: title, note, size.
class SampleRow : public QAbstractButton {
  Q_OBJECT
 public:
  explicit SampleRow(const SampleEntry& sample, QWidget* parent = nullptr);
  [[nodiscard]] QSize sizeHint() const override { return {200, 42}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  SampleEntry sample_;
};

/// Dashed frame that says that files can be dropped; the window takes the drop itself.
class DropZone : public QWidget {
  Q_OBJECT
 public:
  explicit DropZone(QWidget* parent = nullptr);
  [[nodiscard]] QSize sizeHint() const override { return {300, 112}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

/// A line of text to be copied, with a button that copies it.
class CopyLine : public QWidget {
  Q_OBJECT
 public:
  explicit CopyLine(const QString& text, QWidget* parent = nullptr);

 signals:
  void copied(const QString& text);
};

}  // namespace hloscope::ui
