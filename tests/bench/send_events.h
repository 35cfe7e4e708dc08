#pragma once

#include <QCoreApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>

namespace hloscope::testing {

// What a user does with mouse and keys, in the coordinates of the widget.

inline void click(QWidget* target, const QPointF& at) {
  const QPointF global = target->mapToGlobal(at);
  QMouseEvent press(QEvent::MouseButtonPress, at, global, Qt::LeftButton, Qt::LeftButton, {});
  QCoreApplication::sendEvent(target, &press);
  QMouseEvent release(QEvent::MouseButtonRelease, at, global, Qt::LeftButton, Qt::NoButton, {});
  QCoreApplication::sendEvent(target, &release);
}

inline void hover(QWidget* target, const QPointF& at) {
  QMouseEvent move(QEvent::MouseMove, at, target->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
  QCoreApplication::sendEvent(target, &move);
}

/// `angle` in eighths of a degree: 120 is one notch.
inline void turnWheel(QWidget* target, const QPointF& at, int angle) {
  QWheelEvent wheel(at, target->mapToGlobal(at), {}, {0, angle}, Qt::NoButton, {},
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(target, &wheel);
}

inline void press(QWidget* target, Qt::Key key) {
  QKeyEvent event(QEvent::KeyPress, key, {});
  QCoreApplication::sendEvent(target, &event);
}

}  // namespace hloscope::testing
