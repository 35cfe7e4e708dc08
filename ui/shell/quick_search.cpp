#include "ui/shell/quick_search.h"

#include <QFileInfo>
#include <algorithm>
#include <string>
#include <utility>

#include "ui/models/kernel_cell_text.h"

namespace hloscope::ui {

namespace {

constexpr int kNoMatch = -1;

struct Ranked {
  int rank;
  QuickHit hit;
};

std::vector<QuickHit> best(std::vector<Ranked> ranked, size_t limit) {
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
  std::vector<QuickHit> hits;
  for (Ranked& entry : ranked) {
    if (hits.size() == limit) break;
    hits.push_back(std::move(entry.hit));
  }
  return hits;
}

void addModules(const std::vector<ReportPtr>& reports, const QString& needle,
                std::vector<Ranked>& out) {
  for (const ReportPtr& report : reports) {
    const QString name = textOf(report->module.program->name());
    const QString file = QFileInfo(QString::fromStdString(report->file_path)).fileName();
    const int in_name = matchRank(name, needle);
    const int rank = in_name == kNoMatch ? matchRank(file, needle) : in_name;
    if (rank == kNoMatch) continue;
    QuickHit hit;
    hit.title = name;
    hit.detail = reports.size() > 1
                     ? QObject::tr("module %1 of %2").arg(report->module_number).arg(file)
                     : QObject::tr("module of %1").arg(file);
    hit.report = report;
    out.push_back({rank, std::move(hit)});
  }
}

/// A kernel, or an instruction that is none. Texts are made for the best ones only.
struct Candidate {
  int rank;
  graph::KernelId kernel;
  hlo::InstructionId instruction;
  bool is_kernel;
};

std::vector<Candidate> matching(const analysis::ModuleReport& report, const QString& needle) {
  const hlo::Program& program = *report.module.program;
  std::vector<Candidate> found;
  const auto& kernels = report.kernels.kernels;
  for (uint32_t i = 0; i < kernels.size(); ++i) {
    const hlo::InstructionId id = kernels[graph::KernelId(i)].instruction;
    const int rank = matchRank(textOf(program[id].name), needle);
    if (rank != kNoMatch) found.push_back({rank, graph::KernelId(i), id, true});
  }
  if (needle.isEmpty()) return found;
  for (const hlo::InstructionId id : program.instructions()) {
    const graph::KernelId kernel = report.kernels.kernel_of[id];
    if (kernel.valid() && kernels[kernel].instruction == id) continue;
    const int rank = matchRank(textOf(program[id].name), needle);
    if (rank != kNoMatch) found.push_back({rank, kernel, id, false});
  }
  return found;
}

Ranked hitOf(const ReportPtr& report, const Candidate& candidate) {
  const hlo::Program& program = *report->module.program;
  const hlo::Instruction& instruction = program[candidate.instruction];
  QuickHit hit;
  hit.title = textOf(instruction.name);
  hit.detail =
      candidate.is_kernel
          ? textOf(analysis::kernel_label(program, report->kernels.kernels[candidate.kernel]))
          : QObject::tr("in %1").arg(textOf(program[instruction.computation].name));
  hit.report = report;
  hit.selection = {candidate.kernel, candidate.instruction};
  return {candidate.rank, std::move(hit)};
}

}  // namespace

int matchRank(QStringView name, QStringView needle) {
  if (needle.isEmpty()) return 0;
  const qsizetype at = name.indexOf(needle, 0, Qt::CaseInsensitive);
  if (at < 0) return kNoMatch;
  if (at == 0 && name.size() == needle.size()) return 0;
  // Shorter names first: the needle is a larger part of them.
  const int length = static_cast<int>(std::min<qsizetype>(name.size(), 999));
  return (at == 0 ? 1000 : 2000) + length;
}

std::vector<QuickHit> findCommands(const Commands& commands, const QString& needle) {
  const QStringList words = needle.split(' ', Qt::SkipEmptyParts);
  std::vector<Ranked> ranked;
  for (const Commands::Entry& entry : commands.all()) {
    if (!entry.action->isEnabled()) continue;
    const QString title = QString(entry.action->text()).remove('&');
    const QString whole = entry.group + ": " + title;
    int rank = 0;
    for (const QString& word : words) {
      const int in_title = matchRank(title, word);
      const int here = in_title == kNoMatch ? matchRank(whole, word) : in_title;
      rank = here == kNoMatch || rank == kNoMatch ? kNoMatch : rank + here;
    }
    if (rank == kNoMatch) continue;
    QuickHit hit;
    hit.title = title;
    hit.detail = entry.group;
    hit.shortcut = entry.action->shortcut().toString(QKeySequence::NativeText);
    hit.action = entry.action;
    ranked.push_back({rank, std::move(hit)});
  }
  return best(std::move(ranked), commands.all().size());
}

std::vector<QuickHit> findPlaces(const std::vector<ReportPtr>& reports, const ReportPtr& current,
                                 const QString& needle, size_t limit) {
  std::vector<Ranked> ranked;
  if (current) {
    std::vector<Candidate> found = matching(*current, needle);
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
    if (found.size() > limit) found.resize(limit);
    for (const Candidate& candidate : found) ranked.push_back(hitOf(current, candidate));
  }
  if (reports.size() > 1) addModules(reports, needle, ranked);
  return best(std::move(ranked), limit);
}

}  // namespace hloscope::ui
