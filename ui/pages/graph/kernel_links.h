#pragma once

#include <QWidget>
#include <vector>

#include "core/analysis/kernel_table.h"

class QLabel;
class QStandardItemModel;
class QTreeView;

namespace hloscope::ui {

/// A titled list of kernels, e.g. the operands of one: class letter, name as a link, shape. Grows
/// to a few rows, then scrolls.
class KernelLinks : public QWidget {
  Q_OBJECT
 public:
  KernelLinks(const QString& title, QWidget* parent = nullptr);

  void setKernels(const analysis::KernelTable& table, std::span<const graph::KernelId> kernels);
  void clear();

 signals:
  void kernelClicked(hloscope::graph::KernelId kernel);
  /// By Enter or double click.
  void kernelActivated(hloscope::graph::KernelId kernel);

 private:
  void fit();
  [[nodiscard]] graph::KernelId kernelAt(int row) const;

  QLabel* count_;
  QTreeView* list_;
  QStandardItemModel* model_;
  std::vector<graph::KernelId> kernels_;
};

/// The strip that heads a section of a dock: demi-bold title, grey text at the right.
class SectionTitle : public QWidget {
  Q_OBJECT
 public:
  explicit SectionTitle(const QString& title, QWidget* parent = nullptr);
  [[nodiscard]] QLabel* note() const { return note_; }
  void addControl(QWidget* control);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QLabel* note_;
};

}  // namespace hloscope::ui
