#include "ui/pages/runs/run_tables.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <limits>

#include "db/export_runs.h"
#include "db/store.h"
#include "ui/charts/series_style.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"

namespace hloscope::ui {
namespace {

constexpr double kNoKey = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kShownHashDigits = 8;

QString words(const char* text) {
  return QCoreApplication::translate("RunTables", text);
}

QString textOf(const std::string& text) {
  return QString::fromStdString(text);
}

/// Texts of a row, and what they are sorted by.
template <typename Row>
PlainColumn textColumn(const char* title, const std::vector<Row>& rows, auto text) {
  std::vector<std::string> texts;
  texts.reserve(rows.size());
  for (const Row& row : rows) texts.push_back(text(row));
  PlainColumn column{.title = words(title), .text = {}};
  column.keys = textKeys(texts);
  column.text = [texts = std::move(texts)](size_t row) { return textOf(texts[row]); };
  return column;
}

template <typename Row>
PlainColumn numberColumn(const char* title, const std::vector<Row>& rows, auto number, auto text) {
  PlainColumn column{.title = words(title), .is_number = true, .text = {}};
  column.keys.reserve(rows.size());
  for (const Row& row : rows) column.keys.push_back(number(row));
  column.text = std::move(text);
  return column;
}

/// The name of the file; its whole path is the tool tip.
template <typename Row>
PlainColumn fileColumn(const char* title, const std::vector<Row>& rows, auto path) {
  PlainColumn column = textColumn(title, rows, [&path](const Row& row) {
    return std::filesystem::path(path(row)).filename().string();
  });
  std::vector<std::string> paths;
  paths.reserve(rows.size());
  for (const Row& row : rows) paths.push_back(path(row));
  column.look = [paths = std::move(paths)](size_t row, int role) {
    return role == Qt::ToolTipRole ? QVariant(textOf(paths[row])) : QVariant();
  };
  return column;
}

std::string modelText(const db::RunInfo& run) {
  const db::RunModel model = db::model_of(run);
  if (model.name.empty()) return {};
  return model.name + (model.hash.empty() ? "" : "@" + model.hash.substr(0, kShownHashDigits));
}

PlainColumn sourceColumn(const ContentPtr& content) {
  PlainColumn column = textColumn("Source", content->runs,
                                  [](const db::RunInfo& run) { return run.key.source_kind; });
  column.help = words("What computed the times: never a measurement");
  column.look = [content](size_t row, int role) -> QVariant {
    if (role != Qt::DecorationRole) return {};
    const auto source = db::time_source(content->runs[row].key.source_kind);
    return source ? QVariant(markerIcon(seriesOf(*source))) : QVariant();
  };
  return column;
}

PlainColumn stateColumn(const ContentPtr& content) {
  PlainColumn column = textColumn("State", content->runs, [](const db::RunInfo& run) {
    return std::string(db::name(run.state));
  });
  column.look = [content](size_t row, int role) -> QVariant {
    if (role != Qt::DecorationRole) return {};
    switch (content->runs[row].state) {
      case db::RunState::kFinished:
        return icon(Icon::kCheck, Role::kGood);
      case db::RunState::kRunning:
        return icon(Icon::kPlay, Role::kAccent);
      case db::RunState::kFailed:
        break;
    }
    return icon(Icon::kError, Role::kBad);
  };
  return column;
}

PlainColumn totalColumn(const ContentPtr& content) {
  const auto total = [](const db::RunInfo& run) {
    return run.state == db::RunState::kFinished ? run.total_ns : kNoKey;
  };
  PlainColumn column = numberColumn("Total µs", content->runs, total, [content, total](size_t row) {
    return formatTimeUs(total(content->runs[row]));
  });
  column.help = words("Of all kernels, times their executions in one run of the program");
  return column;
}

template <typename Row>
PlainColumn timeColumn(const char* title, const std::vector<Row>& rows, auto time) {
  return textColumn(title, rows,
                    [&time](const Row& row) { return timeText(time(row)).toStdString(); });
}

std::vector<std::string> searchTexts(const PlainTable& table) {
  std::vector<std::string> out(table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    for (const PlainColumn& column : table.columns) {
      if (column.is_number) continue;
      out[row] += lowerCase(column.text(row).toStdString()) + '\n';
    }
  }
  return out;
}

std::string runFile(const db::RunInfo& run) {
  return db::module_path(run.program_file, run.module_number);
}

PlainColumn runNumbers(const ContentPtr& content) {
  return numberColumn(
      "Run", content->runs,
      [](const db::RunInfo& run) { return static_cast<double>(run.id.value); },
      [content](size_t row) { return QString::number(content->runs[row].id.value); });
}

PlainColumn kernelCounts(const ContentPtr& content) {
  PlainColumn column = numberColumn(
      "Kernels", content->runs,
      [](const db::RunInfo& run) { return static_cast<double>(run.kernel_count); },
      [content](size_t row) { return formatCount(content->runs[row].kernel_count); });
  column.help = words("Distinct kernels with a time");
  return column;
}

template <typename Row>
PlainColumn countColumn(const char* title, const ContentPtr& content,
                        std::vector<Row> RunsContent::*rows, int64_t Row::*count) {
  return numberColumn(
      title, (*content).*rows, [count](const Row& row) { return static_cast<double>(row.*count); },
      [content, rows, count](size_t row) { return formatCount(((*content).*rows)[row].*count); });
}

}  // namespace

QString timeText(const std::string& utc) {
  return textOf(utc).replace('T', ' ').remove('Z');
}

PlainTable runTable(const ContentPtr& content) {
  const std::vector<db::RunInfo>& runs = content->runs;
  using Run = db::RunInfo;
  PlainTable table;
  table.rows = runs.size();
  table.columns = {runNumbers(content),
                   sourceColumn(content),
                   textColumn("Program", runs, [](const Run& run) { return run.program_name; }),
                   textColumn("Machine", runs, [](const Run& run) { return run.key.machine_id; }),
                   textColumn("Machine file", runs,
                              [](const Run& run) {
                                return run.key.machine_hash.hex().substr(0, kShownHashDigits);
                              }),
                   textColumn("Model", runs, modelText),
                   textColumn("Fusion", runs, [](const Run& run) { return db::fusion_of(run); }),
                   kernelCounts(content),
                   totalColumn(content),
                   stateColumn(content),
                   timeColumn("Started (UTC)", runs, [](const Run& run) { return run.started; }),
                   fileColumn("File", runs, runFile)};
  table.columns[static_cast<size_t>(RunColumn::kMachineFile)].help =
      words("Hash of the machine's constants: times of different ones differ");
  table.columns[static_cast<size_t>(RunColumn::kFusion)].help =
      words("own fusion: the program is not optimised, and hloscope fused it");
  table.search = searchTexts(table);
  return table;
}

PlainTable programTable(const ContentPtr& content) {
  using Program = db::ProgramInfo;
  const std::vector<Program>& programs = content->programs;
  PlainTable table;
  table.rows = programs.size();
  table.columns = {
      textColumn("Program", programs, [](const Program& program) { return program.name; }),
      countColumn("Instructions", content, &RunsContent::programs, &Program::instruction_count),
      countColumn("Computations", content, &RunsContent::programs, &Program::computation_count),
      countColumn("Kernels", content, &RunsContent::programs, &Program::kernel_count),
      timeColumn("First opened (UTC)", programs,
                 [](const Program& program) { return program.first_opened; }),
      timeColumn("Last opened (UTC)", programs,
                 [](const Program& program) { return program.last_opened; }),
      textColumn("Content", programs,
                 [](const Program& program) {
                   return program.content_hash.hex().substr(0, kShownHashDigits);
                 }),
      fileColumn("File", programs, [](const Program& program) {
        return db::module_path(program.file_path, program.module_number);
      })};
  table.search = searchTexts(table);
  return table;
}

PlainTable measuredTable(const ContentPtr& content) {
  using Source = db::MeasuredSourceInfo;
  const std::vector<Source>& sources = content->measured;
  PlainTable table;
  table.rows = sources.size();
  table.columns = {
      textColumn("Program", sources, [](const Source& source) { return source.program_name; }),
      textColumn("Device", sources, [](const Source& source) { return source.source.device; }),
      countColumn("Kernels", content, &RunsContent::measured, &Source::kernels),
      countColumn("Runs", content, &RunsContent::measured, &Source::runs),
      countColumn("With a time", content, &RunsContent::measured, &Source::timed),
      textColumn("Content", sources,
                 [](const Source& source) {
                   return source.source.hash.hex().substr(0, kShownHashDigits);
                 }),
      fileColumn("File", sources, [](const Source& source) {
        return db::module_path(source.source.file_path, source.source.module_number);
      })};
  table.search = searchTexts(table);
  return table;
}

}  // namespace hloscope::ui
