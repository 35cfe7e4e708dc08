#pragma once

#include "ui/pages/page.h"

class QLabel;
class QToolButton;

namespace hloscope::ui {

class ElidedLabel;
class HloTextView;
class KernelLinks;
class PropertyGrid;
class SectionTitle;
class TimeBars;

/// Contents of the dock "Kernel": what is known of the selected kernel, its neighbours and its HLO
/// text. Without a selection: of the module.
class KernelDock : public ReportView {
  Q_OBJECT
 public:
  explicit KernelDock(QWidget* parent = nullptr);

  void setBaseline(const analysis::BaselinePtr& baseline) override;
  void setReport(const ReportPtr& report) override;
  void setSelection(const Selection& selection) override;

 signals:
  /// The selected kernel shall be what all are compared with, or no longer be.
  void pinRequested();

 private:
  QWidget* makeHead();
  QWidget* makeDetails();
  QWidget* makeText();
  void showNothing();
  void showModule();
  void showKernel();
  void showTimes();
  void showPin();
  void showInstruction();
  void showText();
  void markInstruction();
  void copyName();
  void copyLine();
  void copyModule();
  void copyShape();
  /// The kernel's, else the selected one.
  [[nodiscard]] hlo::InstructionId selectedInstruction() const;

  ElidedLabel* name_;
  QLabel* share_;
  QToolButton* pin_;
  QToolButton* copy_;
  PropertyGrid* properties_;
  QLabel* empty_;  ///< What to do while no program is open.
  SectionTitle* time_title_;
  TimeBars* times_;
  KernelLinks* operands_;
  KernelLinks* users_;
  SectionTitle* text_title_;
  HloTextView* text_;
  ReportPtr report_;
  analysis::BaselinePtr baseline_;
  Selection selection_;
  hlo::InstructionId shown_text_;  ///< Whose text is shown.
};

}  // namespace hloscope::ui
