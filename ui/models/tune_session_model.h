#pragma once

#include <QAbstractTableModel>
#include <QIcon>
#include <optional>
#include <vector>

#include "ui/theme/icons.h"

namespace hloscope::ui {

enum class TuneState {
  kQueued,
  kRunning,
  kPaused,
  kInterrupted,
  kFinished,
  kStopped,
  kFailed,
  kDamaged
};
inline constexpr int kTuneStateCount = 8;
[[nodiscard]] QString tuneStateText(TuneState state);
[[nodiscard]] QIcon tuneStateIcon(TuneState state);
[[nodiscard]] Role tuneStateRole(TuneState state);

/// A tuning session as the table shows it. NaN: no value.
struct TuneSessionRow {
  int64_t id = 0;
  TuneState state = TuneState::kQueued;
  QString message;  ///< Of a failed one: why.
  QString name;
  QString target;  ///< Kernel or program.
  QString tune;    ///< "tiles", "fusion", ...
  QString strategy;
  QString evaluator;  ///< "GraphSAGE, measure top 10".
  quint64 trials = 0;
  std::optional<quint64> trial_budget;
  double fraction = 0;  ///< Of the budget that is spent first; NaN without one.
  double best_ns = 0;
  double baseline_ns = 0;
  bool best_is_estimate = true;  ///< Not measured: ≈.
  QString best_source;           ///< "measured (TPU v3, recorded)".
  quint64 measured = 0;
  std::optional<quint64> measured_goal;
  double elapsed_s = 0;
  bool operator==(const TuneSessionRow&) const = default;

  [[nodiscard]] bool isActive() const { return state == TuneState::kRunning; }
  /// It can be removed, and nothing else.
  [[nodiscard]] bool isDamaged() const { return state == TuneState::kDamaged; }
  [[nodiscard]] bool canPause() const { return state == TuneState::kRunning; }
  [[nodiscard]] bool canResume() const {
    return state == TuneState::kPaused || state == TuneState::kInterrupted ||
           state == TuneState::kFailed || state == TuneState::kQueued;
  }
  [[nodiscard]] bool canStop() const {
    return state != TuneState::kFinished && state != TuneState::kStopped && !isDamaged();
  }
  [[nodiscard]] bool canRemove() const { return state != TuneState::kRunning; }
};

/// All sessions of the database; rows keep their place while their numbers change.
class TuneSessionModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    kState,
    kTarget,
    kTune,
    kStrategy,
    kEvaluator,
    kProgress,
    kBest,
    kSpeedup,
    kDelta,
    kMeasured,
    kElapsed,
    kColumnCount
  };

  using QAbstractTableModel::QAbstractTableModel;

  void setSessions(std::vector<TuneSessionRow> sessions);
  /// The session whose best time the others of its target are compared with; 0: none.
  void setPinned(int64_t session);
  [[nodiscard]] int64_t pinned() const { return pinned_; }
  /// Change of the best time against the pinned session's: of the same target and the same kind of
  /// time; NaN for others.
  [[nodiscard]] double delta(const TuneSessionRow& session) const;
  /// Empty: all states.
  void setStateFilter(std::optional<TuneState> state);
  [[nodiscard]] const std::vector<TuneSessionRow>& sessions() const { return sessions_; }
  /// Null: no such row, or no such session.
  [[nodiscard]] const TuneSessionRow* sessionAt(const QModelIndex& index) const;
  [[nodiscard]] const TuneSessionRow* session(int64_t id) const;
  /// Invalid where it is filtered out.
  [[nodiscard]] QModelIndex indexOf(int64_t id) const;
  /// "2 running, 1 paused, 1 queued".
  [[nodiscard]] QString summary() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  [[nodiscard]] std::vector<size_t> shown() const;
  [[nodiscard]] QString cell(const TuneSessionRow& session, int column) const;
  [[nodiscard]] QVariant ink(const TuneSessionRow& session, int column) const;

  std::vector<TuneSessionRow> sessions_;
  std::vector<size_t> rows_;
  std::optional<TuneState> filter_;
  int64_t pinned_ = 0;
};

/// "0:03:42".
[[nodiscard]] QString formatElapsed(double seconds);

}  // namespace hloscope::ui
