// TunePage shows the selected session: charts and trials.
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSaveFile>
#include <QTableView>
#include <algorithm>

#include "ui/charts/best_so_far_chart.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/tune/search_views.h"
#include "ui/pages/tune/session_form.h"
#include "ui/pages/tune/session_processes.h"
#include "ui/pages/tune/session_rows.h"
#include "ui/pages/tune/tune_curves.h"
#include "ui/pages/tune/tune_page.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

TrialCloudChart::Settings cloudSettings(const db::SessionInfo& session, const SessionFacts& facts) {
  TrialCloudChart::Settings cloud;
  const tune::StrategyKind strategy = session.settings.strategy.kind;
  cloud.kind = strategy == tune::StrategyKind::kAnnealing ? TrialCloudChart::Kind::kAnnealing
               : strategy == tune::StrategyKind::kGenetic ? TrialCloudChart::Kind::kGenetic
                                                          : TrialCloudChart::Kind::kCoverage;
  cloud.space_count = facts.space_count < 1e12 ? facts.space_count : 0;
  cloud.population = static_cast<double>(session.settings.strategy.population);
  cloud.is_hardware = session.settings.searches_hardware();
  if (session.settings.budget.trials) {
    cloud.trials_end = static_cast<double>(*session.settings.budget.trials);
  }
  if (cloud.space_count > 0) cloud.trials_end = std::min(cloud.trials_end, cloud.space_count);
  if (session.progress.phase != tune::Phase::kSearch) {
    cloud.trials_end = static_cast<double>(session.progress.trials);
  }
  cloud.baseline_ns = session.progress.baseline_ns.value_or(0);
  return cloud;
}

}  // namespace

TuneTrialModel::Meaning TunePage::meaning() const {
  TuneTrialModel::Meaning meaning;
  const db::SessionInfo* session = info(current_);
  if (session == nullptr) return meaning;
  meaning.baseline_ns = session->progress.baseline_ns.value_or(0);
  meaning.baseline_is_hardware =
      session->settings.measure.has_value() || session->settings.searches_hardware();
  meaning.hardware_is_simulated = hardwareIsSimulated(session->settings);
  meaning.space = session->settings.space;
  return meaning;
}

void TunePage::showSession() {
  // What is neither selected nor compared is forgotten.
  std::erase_if(watched_, [this](const auto& entry) {
    return entry.first != current_ &&
           std::find(compared_.begin(), compared_.end(), entry.first) == compared_.end();
  });
  if (current_ == 0) {
    trials_->setTrials(nullptr, {});
    views_->setTrials(nullptr, {});
  } else {
    const Watched& watched = watched_[current_];
    trials_->setTrials(watched.trials, meaning());
    const db::SessionInfo* session = info(current_);
    views_->setTrials(watched.trials, session != nullptr ? cloudSettings(*session, watched.facts)
                                                         : TrialCloudChart::Settings());
  }
  refreshBest();
  refreshTexts();
  refreshEmpty();
  updateCommands();
}

void TunePage::refreshTrials(size_t first_new) {
  selecting_ = true;
  trials_->refresh(first_new, meaning());
  if (trial_ >= 0) {
    const QModelIndex index = trials_->indexOf(static_cast<uint32_t>(trial_));
    if (index.isValid()) {
      // Without scrolling: the reader may be elsewhere in the table.
      trials_view_->selectionModel()->setCurrentIndex(
          index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    }
  }
  selecting_ = false;
  if (follow_->isChecked()) trials_view_->scrollToTop();
}

void TunePage::refreshCharts() {
  const db::SessionInfo* session = info(current_);
  const auto watched = watched_.find(current_);
  if (session == nullptr || watched == watched_.end()) return;
  views_->refresh(cloudSettings(*session, watched->second.facts));
  refreshBest();
}

void TunePage::refreshBest() {
  const auto x = static_cast<CurveX>(std::max(0, best_x_->currentIndex()));
  std::vector<BestSoFarChart::Curve> curves;
  std::vector<int64_t> shown{current_};
  for (int64_t session : compared_) {
    if (session != current_) shown.push_back(session);
  }
  for (int64_t id : shown) {
    const db::SessionInfo* session = info(id);
    const auto watched = watched_.find(id);
    if (session == nullptr || watched == watched_.end()) continue;
    BestSoFarChart::Curve curve = bestCurve(*watched->second.trials, x);
    const bool simulated = !curve.is_estimate && hardwareIsSimulated(session->settings);
    curve.is_estimate = curve.is_estimate || simulated;
    curve.name = QStringLiteral("%1, %2").arg(QString::fromStdString(session->name),
                                              evaluatorText(session->settings));
    curve.style = static_cast<int>(curves.size());
    if (!curve.better.empty()) curves.push_back(std::move(curve));
  }
  std::vector<BestSoFarChart::Line> lines;
  const db::SessionInfo* session = info(current_);
  const auto watched = watched_.find(current_);
  const bool has = session != nullptr && watched != watched_.end();
  const bool counts_trials = has && measured_order(*watched->second.trials).empty();
  // The default's time and those of the curve must be of one source.
  if (has && session->progress.baseline_ns && !(counts_trials && session->settings.measure)) {
    const double default_us = *session->progress.baseline_ns / 1e3;
    lines.push_back(
        {default_us, tr("default %1").arg(formatTimeUs(default_us * 1e3)), Role::kTextMuted});
  }
  if (has && watched->second.facts.best_known_ns > 0) {
    const double best_us = watched->second.facts.best_known_ns / 1e3;
    lines.push_back({best_us,
                     tr("best of all %1 recorded %2")
                         .arg(formatCount(static_cast<int64_t>(watched->second.facts.recorded)),
                              formatTimeUs(best_us * 1e3)),
                     Role::kGood});
  }
  const QString source = !has || counts_trials ? tr("predicted") : hardwareWord(session->settings);
  const QString x_titles[] = {counts_trials ? tr("trials")
                              : has && hardwareIsSimulated(session->settings)
                                  ? tr("simulations in the place of measurements")
                                  : tr("hardware measurements"),
                              tr("hardware time, s"), tr("wall time, s")};
  best_->setAxisTitles(x_titles[static_cast<size_t>(x)], tr("best %1 so far, µs").arg(source));
  const bool none = curves.empty();
  best_->setCurves(std::move(curves), std::move(lines));
  if (none) {
    best_->setEmptyText(current_ == 0 ? tr("The best time that a session has found so far stands "
                                           "here, against what it has spent")
                                      : tr("No trial of this session has a time yet"));
  } else {
    best_->setEmptyText({});
  }
}

void TunePage::refreshTexts() {
  const int busy = processes_->busySlots();
  QString context = sessions_->summary();
  if (busy > 0) {
    context += tr(" · %1 of %2 slots busy").arg(busy).arg(SessionProcesses::kSlots);
  }
  if (!context.isEmpty()) context += tr(" · ≈ is not measured");
  if (!read_only_.empty()) context = tr("read-only · %1").arg(context);
  if (!failure_text_.isEmpty()) context = tr("not read any more: %1").arg(failure_text_);
  sessions_panel_->setContext(context);
  const db::SessionInfo* session = info(current_);
  QString progress;
  const bool has_message = session != nullptr && (session->status == db::SessionStatus::kFailed ||
                                                  session->status == db::SessionStatus::kDamaged);
  if (has_message) {
    progress = QString::fromStdString(session->message);
  } else if (session != nullptr && session->progress.active_s > 0) {
    const tune::SessionState& state = session->progress;
    const double rate = static_cast<double>(state.trials) / state.active_s;
    progress = tr("%1 trials/s").arg(formatNumber(rate, rate < 10 ? 1 : 0));
    const TuneSessionRow* row = current();
    if (row != nullptr && row->isActive() && row->fraction > 0.01 && row->fraction < 1) {
      progress +=
          tr(", %1 left").arg(durationText(state.active_s / row->fraction * (1 - row->fraction)));
    }
  }
  static_cast<ElidedLabel*>(progress_note_)->setWholeText(progress);
  if (session == nullptr || !trials_->trials()) return trials_panel_->setContext({});
  const size_t all = trials_->trials()->size();
  QString text = tr("%1 of this session, %2 %3")
                     .arg(formatCount(static_cast<int64_t>(all)),
                          formatCount(static_cast<int64_t>(session->progress.measured)),
                          hardwareWord(session->settings));
  if (trials_->rowCount() != static_cast<int>(all)) {
    text = tr("%1 shown of %2").arg(formatCount(trials_->rowCount()), text);
  }
  const size_t known = trials_->trials()->config.size();
  if (known < all && no_configs_of_ == current_) {
    text += tr("; what they tried is not read");
  } else if (known < all) {
    text += tr("; %1 % of what they tried is read").arg(100 * known / all);
  }
  trials_panel_->setContext(text + tr("; Enter opens the kernel, Ctrl+Enter the tuned program"));
}

void TunePage::refreshEmpty() {
  const bool none = sessions_->sessions().empty();
  const bool hidden = !none && sessions_->rowCount() == 0;
  sessions_view_->setVisible(!none && !hidden);
  sessions_note_->setVisible(none || hidden);
  if (none && !failure_text_.isEmpty()) {
    sessions_note_->setText(tr("The results file could not be read.\n%1\nIt is tried again every "
                               "few seconds.")
                                .arg(failure_text_));
  } else if (none && file_was_there_ && !file_is_there_) {
    sessions_note_->setText(tr("The results file is gone: %1\nIts sessions are shown again when it "
                               "is back. A session that you start now makes a new one.")
                                .arg(QString::fromStdString(database_.string())));
  } else if (hidden) {
    sessions_note_->setText(tr("No session is in this state. \"All states\" shows the others."));
  } else if (none) {
    sessions_note_->setText(
        report_ ? tr("Your first session will appear here.\nChoose what to tune at the left and "
                     "press \"Start session\".")
                : tr("Your first session will appear here.\nOpen a program first, e.g. the sample "
                     "\"Eight TPU v3 kernels\" on the Start page."));
  }
  views_->setEmptyText(current_ == 0 ? tr("The trials of the selected session stand here")
                                     : QString());
  const bool no_trials = trials_->rowCount() == 0;
  trials_view_->setVisible(!no_trials);
  trials_note_->setVisible(no_trials);
  if (!no_trials) return;
  const bool any = trials_->trials() && trials_->trials()->size() > 0;
  const TuneSessionRow* session = current();
  if (any) {
    trials_note_->setText(tr("No trial matches filter and brushes."));
  } else if (session == nullptr) {
    trials_note_->setText(tr("Select a session to see its trials."));
  } else if (session->state == TuneState::kFailed) {
    trials_note_->setText(
        tr("This session failed before its first trial:\n%1").arg(session->message));
  } else if (session->state == TuneState::kDamaged) {
    trials_note_->setText(
        tr("This session is damaged: %1\n\"Remove session\" takes it away, or take "
           "it from a copy of the results file.")
            .arg(session->message));
  } else if (session->state == TuneState::kQueued) {
    trials_note_->setText(processes_->isWaiting(current_)
                              ? tr("This session waits for a free slot.")
                              : tr("This session has not been started. \"Resume\" starts it."));
  } else {
    trials_note_->setText(tr("This session has no trials yet."));
  }
}

void TunePage::applyFilter() {
  auto query = TrialQuery::parse(filter_->text().trimmed().toStdString());
  filter_->setProperty("bad", !query.has_value());
  filter_->setToolTip(
      query ? tr("Numbers: trial predicted measured speedup error changed order; "
                 "words: accepted rejected failed measured refined, or a part of the tile")
            : QString::fromStdString(query.error().format()));
  filter_->update();
  if (!query) return;
  selecting_ = true;
  trials_->setQuery(std::move(*query));
  selecting_ = false;
  selectTrial(trial_, true);
  refreshTexts();
  refreshEmpty();
}

void TunePage::selectTrial(int trial, bool from_chart) {
  trial_ = trial;
  views_->setSelectedTrial(trial);
  updateCommands();
  if (!from_chart || trial < 0) return;
  const QModelIndex index = trials_->indexOf(static_cast<uint32_t>(trial));
  selecting_ = true;
  if (index.isValid()) {
    trials_view_->setCurrentIndex(index);
    trials_view_->scrollTo(index);
  } else {
    trials_view_->clearSelection();
  }
  selecting_ = false;
}

void TunePage::openTrial(int trial, bool whole_program) {
  const db::SessionInfo* session = info(current_);
  if (trial < 0 || session == nullptr) return;
  const bool open = report_ && addressOf(*report_) == session->file_path;
  if (!whole_program && open && session->settings.space == tune::SpaceKind::kTiles) {
    Selection selection;
    selection.instruction = report_->module.program->find_instruction(session->settings.kernel);
    if (selection.instruction.valid()) {
      selection.kernel = report_->kernels.kernel_of[selection.instruction];
      emit activationRequested(nullptr, selection);
      return;
    }
  }
  const QString name = tr("%1, trial %2").arg(QString::fromStdString(session->name)).arg(trial);
  tasks_.run<Result<TunedProgram>>(
      {.label = tr("Making %1").arg(name), .key = QStringLiteral("tune.program")},
      [reader = configs_, id = current_, trial](const Progress& progress) {
        return reader->program(id, static_cast<uint64_t>(trial), progress);
      },
      this,
      [this, name](const Result<TunedProgram>& program) {
        if (!program) return fail(program.error());
        QStringList kernels;
        for (const std::string& kernel : program->changed) {
          kernels << QString::fromStdString(kernel);
        }
        const QString message =
            tr("%1: %2 of %3 differ from the default")
                .arg(name, formatCount(kernels.size()), countOf(program->kernels, tr("kernel")));
        emit programRequested(name, program->text, kernels, message);
      });
}

void TunePage::saveTuned() {
  const db::SessionInfo* session = info(current_);
  if (session == nullptr) return;
  int trial = trial_;
  if (trial < 0 && session->progress.best) trial = static_cast<int>(*session->progress.best);
  if (trial < 0) return;
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Save the program of trial %1").arg(trial),
      QString::fromStdString(session->name + ".hlo"), tr("HLO text (*.hlo *.txt)"));
  if (path.isEmpty()) return;
  tasks_.run<Result<TunedProgram>>(
      {.label = tr("Saving %1").arg(path)},
      [reader = configs_, id = current_, trial](const Progress& progress) {
        return reader->program(id, static_cast<uint64_t>(trial), progress);
      },
      this,
      [this, path](const Result<TunedProgram>& program) {
        if (!program) return fail(program.error());
        QSaveFile file(path);
        const bool saved =
            file.open(QIODevice::WriteOnly) &&
            file.write(program->text.data(), static_cast<qint64>(program->text.size())) >= 0 &&
            file.commit();
        if (saved) {
          emit messageRequested(tr("%1 saved").arg(path));
          return;
        }
        Error error;
        error.code = ErrorCode::kIo;
        error.message = tr("%1: %2").arg(path, file.errorString()).toStdString();
        fail(error);
      });
}

}  // namespace hloscope::ui
