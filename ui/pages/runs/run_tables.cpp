#include "ui/pages/runs/run_tables.h"

#include <QCoreApplication>
#include <filesystem>
#include <limits>

#include "db/export_runs.h"
#include "db/store.h"
#include "ui/charts/series_style.h"
#include "ui/models/plain_columns.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"

namespace hloscope::ui {
namespace {

constexpr double kNoKey = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kShownHashDigits = 8;

QString tableWords(const char* text) {
  return QCoreApplication::translate("RunTables", text);
}

QString textOf(const std::string& text) {
  return QString::fromStdString(text);
}

/// Rows of the content, which they keep alive.
PlainRows<db::RunInfo> runsOf(const ContentPtr& content) {
  return {content, &content->runs};
}

template <typename Row>
PlainColumn countColumn(const char* title, const PlainRows<Row>& rows, int64_t Row::*count) {
  return numberColumn(
      tableWords(title), rows, [count](const Row& row) { return row.*count; },
      [](int64_t value) { return formatCount(value); });
}

/// The name of the file; its whole path is the tool tip.
template <typename Row>
PlainColumn fileColumn(const PlainRows<Row>& rows, auto path) {
  PlainColumn column = textColumn(tableWords("File"), rows, [path](const Row& row) {
    return std::filesystem::path(path(row)).filename().string();
  });
  column.look = [rows, path](size_t row, int role) {
    return role == Qt::ToolTipRole ? QVariant(textOf(path((*rows)[row]))) : QVariant();
  };
  return column;
}

PlainColumn sourceColumn(const PlainRows<db::RunInfo>& runs) {
  PlainColumn column = textColumn(tableWords("Source"), runs,
                                  [](const db::RunInfo& run) { return run.key.source_kind; });
  column.help = tableWords("What computed the times: never a measurement");
  column.look = [runs](size_t row, int role) -> QVariant {
    if (role != Qt::DecorationRole) return {};
    const auto source = db::time_source((*runs)[row].key.source_kind);
    return source ? QVariant(markerIcon(seriesOf(*source))) : QVariant();
  };
  return column;
}

PlainColumn stateColumn(const PlainRows<db::RunInfo>& runs) {
  PlainColumn column = textColumn(tableWords("State"), runs, [](const db::RunInfo& run) {
    return std::string(db::name(run.state));
  });
  column.look = [runs](size_t row, int role) -> QVariant {
    if (role != Qt::DecorationRole) return {};
    switch ((*runs)[row].state) {
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

PlainColumn totalColumn(const PlainRows<db::RunInfo>& runs) {
  PlainColumn column = numberColumn(
      tableWords("Total µs"), runs,
      [](const db::RunInfo& run) {
        return run.state == db::RunState::kFinished ? run.total_ns : kNoKey;
      },
      formatTimeUs);
  column.help = tableWords("Of all kernels, times their executions in one run of the program");
  return column;
}

template <typename Row>
PlainColumn timeColumn(const char* title, const PlainRows<Row>& rows, std::string Row::*time) {
  return textColumn(tableWords(title), rows,
                    [time](const Row& row) { return timeText(row.*time).toStdString(); });
}

std::string digits(const Hash128& hash) {
  return hash.hex().substr(0, kShownHashDigits);
}

}  // namespace

QString timeText(const std::string& utc) {
  return textOf(utc).replace('T', ' ').remove('Z');
}

std::string runModelText(const db::RunInfo& run) {
  const db::RunModel model = db::model_of(run);
  if (model.name.empty()) return {};
  return model.name + (model.hash.empty() ? "" : "@" + model.hash.substr(0, kShownHashDigits));
}

PlainTable runTable(const ContentPtr& content) {
  using Run = db::RunInfo;
  const PlainRows<Run> runs = runsOf(content);
  const auto number = [](int64_t value) { return QString::number(value); };
  const auto text = [&runs](const char* title, auto of) {
    return textColumn(tableWords(title), runs, of);
  };
  PlainTable table;
  table.rows = runs->size();
  table.columns = {
      numberColumn(
          tableWords("Run"), runs, [](const Run& run) { return run.id.value; }, number),
      text("Name", [](const Run& run) { return run.name; }),
      sourceColumn(runs),
      text("Program", [](const Run& run) { return run.program_name; }),
      text("Machine", [](const Run& run) { return run.key.machine_id; }),
      text("Machine file", [](const Run& run) { return digits(run.key.machine_hash); }),
      text("Model", runModelText),
      text("Fusion", [](const Run& run) { return db::fusion_of(run); }),
      countColumn("Kernels", runs, &Run::kernel_count),
      totalColumn(runs),
      stateColumn(runs),
      timeColumn("Started (UTC)", runs, &Run::started),
      fileColumn(runs, [](const Run& run) {
        return db::module_path(run.program_file, run.module_number);
      })};
  const auto help = [&table](RunColumn column, const char* text) {
    table.columns[static_cast<size_t>(column)].help = tableWords(text);
  };
  help(RunColumn::kName, "F2 names a run");
  help(RunColumn::kMachineFile, "Hash of the machine's constants: times of different ones differ");
  help(RunColumn::kFusion, "own fusion: the program is not optimised, and hloscope fused it");
  help(RunColumn::kKernels, "Distinct kernels with a time");
  fillSearch(table);
  return table;
}

PlainTable programTable(const ContentPtr& content) {
  using Program = db::ProgramInfo;
  const PlainRows<Program> programs(content, &content->programs);
  PlainColumn names = textColumn(tableWords("Program"), programs,
                                 [](const Program& program) { return db::shown_name(program); });
  names.help = tableWords("F2 gives a program another name");
  names.look = [programs](size_t row, int role) {
    return role == Qt::ToolTipRole ? QVariant(textOf((*programs)[row].name)) : QVariant();
  };
  PlainTable table;
  table.rows = programs->size();
  table.columns = {std::move(names),
                   countColumn("Instructions", programs, &Program::instruction_count),
                   countColumn("Computations", programs, &Program::computation_count),
                   countColumn("Kernels", programs, &Program::kernel_count),
                   timeColumn("First opened (UTC)", programs, &Program::first_opened),
                   timeColumn("Last opened (UTC)", programs, &Program::last_opened),
                   textColumn(tableWords("Content"), programs,
                              [](const Program& program) { return digits(program.content_hash); }),
                   fileColumn(programs, [](const Program& program) {
                     return db::module_path(program.file_path, program.module_number);
                   })};
  fillSearch(table);
  return table;
}

PlainTable measuredTable(const ContentPtr& content) {
  using Source = db::MeasuredSourceInfo;
  const PlainRows<Source> sources(content, &content->measured);
  const auto text = [&sources](const char* title, auto of) {
    return textColumn(tableWords(title), sources, of);
  };
  PlainTable table;
  table.rows = sources->size();
  table.columns = {text("Program", [](const Source& source) { return source.program_name; }),
                   text("Device", [](const Source& source) { return source.source.device; }),
                   countColumn("Kernels", sources, &Source::kernels),
                   countColumn("Runs", sources, &Source::runs),
                   countColumn("With a time", sources, &Source::timed),
                   text("Content", [](const Source& source) { return digits(source.source.hash); }),
                   fileColumn(sources, [](const Source& source) {
                     return db::module_path(source.source.file_path, source.source.module_number);
                   })};
  fillSearch(table);
  return table;
}

}  // namespace hloscope::ui
