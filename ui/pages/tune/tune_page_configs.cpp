// TunePage reads what the trials of the selected session tried, after their times: for that a
// search space may have to be made, which of large programs takes long and can be cancelled.
#include "ui/pages/tune/search_views.h"
#include "ui/pages/tune/session_form.h"
#include "ui/pages/tune/tune_page.h"

namespace hloscope::ui {
namespace {

/// Of one reading: the first ones are seen soon.
constexpr uint64_t kMostConfigs = 25'000;

}  // namespace

bool TunePage::hasConfigs() const {
  const auto watched = watched_.find(current_);
  if (watched == watched_.end() || no_configs_of_ == current_) return true;
  return watched->second.trials->config.size() >= watched->second.trials->size();
}

void TunePage::readConfigs() {
  if (current_ == 0 || hasConfigs() || !configs_label_.isEmpty()) return;
  const db::SessionInfo* session = info(current_);
  if (session == nullptr) return;
  configs_label_ = tr("Reading what %1 tried").arg(QString::fromStdString(session->name));
  const TrialConfigReader::Wanted wanted{current_, generation_,
                                         watched_[current_].trials->config.size(), kMostConfigs};
  tasks_.run<Result<ConfigChunk>>(
      {.label = configs_label_, .key = QStringLiteral("tune.configs")},
      [reader = configs_, wanted](const Progress& progress) {
        return reader->configs(wanted, progress);
      },
      this,
      [this, id = current_](Result<ConfigChunk> chunk) {
        configs_label_.clear();
        if (chunk) {
          applyConfigs(std::move(*chunk));
        } else if (chunk.error().code != ErrorCode::kCancelled && info(id) != nullptr) {
          no_configs_of_ = id;
          fail(chunk.error());
        }
        readConfigs();
      });
}

void TunePage::applyConfigs(ConfigChunk chunk) {
  const auto found = watched_.find(chunk.session);
  if (chunk.generation != generation_ || found == watched_.end()) return;
  TrialColumns& trials = *found->second.trials;
  if (trials.config.size() != chunk.from) return;
  if (chunk.configs.config.empty()) no_configs_of_ = chunk.session;
  trials.append_configs(std::move(chunk.configs));
  if (chunk.session != current_) return;
  selecting_ = true;
  trials_->refreshConfigs(chunk.from);
  selecting_ = false;
  views_->refreshConfigs(hasConfigs());
  refreshTexts();
}

void TunePage::jobCancelled(const QString& label) {
  if (label == configs_label_) {
    configs_label_.clear();
    no_configs_of_ = current_;
    emit messageRequested(tr(
        "What the trials tried is not shown: select another session, then this one, to read it"));
    refreshTexts();
  }
  if (label == space_label_) {
    space_label_.clear();
    form_->setSpaceUnknown();
  }
}

}  // namespace hloscope::ui
