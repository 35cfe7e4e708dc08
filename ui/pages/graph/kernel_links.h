#pragma once

#include <QWidget>
#include <vector>

#include "core/analysis/kernel_table.h"
#include "ui/pages/page.h"

class QLabel;
class QStandardItemModel;
class QTreeView;

namespace hloscope::ui {

/// One row: a kernel, or an instruction that is none (a parameter, a constant).
struct KernelLink {
  Selection target;
  QString name;
  QString shape;
  QString help;
  hlo::OpClass op_class = hlo::OpClass::kElementwise;
};

/// What a kernel reads: parameters and constants, then kernels.
[[nodiscard]] std::vector<KernelLink> operandLinks(const analysis::KernelTable& table,
                                                   graph::KernelId kernel);
/// The kernels that read its result.
[[nodiscard]] std::vector<KernelLink> userLinks(const analysis::KernelTable& table,
                                                graph::KernelId kernel);

/// A titled list of links, e.g. the operands of a kernel: class letter, name, shape. Grows to a few
/// rows, then scrolls.
class KernelLinks : public QWidget {
  Q_OBJECT
 public:
  KernelLinks(const QString& title, QWidget* parent = nullptr);

  void setLinks(std::vector<KernelLink> links);

 signals:
  void linkClicked(const hloscope::ui::Selection& target);
  /// By Enter or double click.
  void linkActivated(const hloscope::ui::Selection& target);

 private:
  void fit();

  QLabel* count_;
  QTreeView* list_;
  QStandardItemModel* model_;
  std::vector<KernelLink> links_;
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
