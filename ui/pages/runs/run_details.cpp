#include "ui/pages/runs/run_details.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/analysis/kernel_times.h"
#include "core/hlo/opcode.h"
#include "db/export_runs.h"
#include "ui/models/item_roles.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/plain_columns.h"
#include "ui/pages/runs/run_tables.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

QString detailWords(const char* text) {
  return QCoreApplication::translate("RunDetails", text);
}

struct Line {
  const char* name;
  std::string (*value)(const db::RunInfo&);
};

std::string totalText(const db::RunInfo& run) {
  if (run.state != db::RunState::kFinished) return noValue().toStdString();
  return (formatTimeUs(run.total_ns) + QStringLiteral(" µs")).toStdString();
}

/// What a run was made with, in words: "own fusion, tpu_v3_fusion@7e28663d".
std::string settingsText(const db::RunInfo& run) {
  const auto settings = nlohmann::ordered_json::parse(run.key.settings, nullptr, false);
  if (!settings.is_object()) return run.key.settings;
  QStringList parts;
  if (const std::string fusion = db::fusion_of(run); !fusion.empty()) {
    parts << QString::fromStdString(fusion);
  }
  if (const std::string model = runModelText(run); !model.empty()) {
    parts << QString::fromStdString(model);
  }
  for (const auto& [key, value] : settings.items()) {
    if (key == "kernels" || key == "model" || key == "model_hash") continue;
    parts << QString::fromStdString(key + ' ' +
                                    (value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return parts.isEmpty() ? noValue().toStdString() : parts.join(QStringLiteral(", ")).toStdString();
}

/// What limits a kernel; learned models do not tell.
std::string boundText(const std::string& bound) {
  static const QString kUnknown = textOf(analysis::name(analysis::Bound::kUnknown));
  return QString::fromStdString(bound).replace(kUnknown, noValue()).toStdString();
}

constexpr char kBoundHelp[] =
    "What limits the kernel; – where it is not known: of learned models and custom-calls";

constexpr Line kLines[] = {
    {"Name", [](const db::RunInfo& run) { return run.name; }},
    {"Source", [](const db::RunInfo& run) { return run.key.source_kind; }},
    {"Program", [](const db::RunInfo& run) { return run.program_name; }},
    {"File",
     [](const db::RunInfo& run) { return db::module_path(run.program_file, run.module_number); }},
    {"Machine", [](const db::RunInfo& run) { return run.key.machine_id; }},
    {"Machine file", [](const db::RunInfo& run) { return run.key.machine_hash.hex(); }},
    {"Settings", settingsText},
    {"Made by", [](const db::RunInfo& run) { return "hloscope " + run.key.tool_version; }},
    {"State", [](const db::RunInfo& run) { return std::string(db::name(run.state)); }},
    {"Started (UTC)", [](const db::RunInfo& run) { return timeText(run.started).toStdString(); }},
    {"Finished (UTC)", [](const db::RunInfo& run) { return timeText(run.finished).toStdString(); }},
    {"Kernels", [](const db::RunInfo& run) { return formatCount(run.kernel_count).toStdString(); }},
    {"Total", totalText},
};

QString runTitle(const db::RunInfo& run) {
  const QString number = detailWords("Run %1").arg(run.id.value);
  return run.name.empty() ? number : number + " · " + QString::fromStdString(run.name);
}

/// A column of values beside the names; `differs` marks rows.
PlainColumn valueColumn(const db::RunInfo& run, const std::vector<bool>& differs) {
  PlainColumn column{.title = runTitle(run), .text = {}};
  std::vector<std::string> values;
  for (const Line& line : kLines) values.push_back(line.value(run));
  column.text = [values](size_t row) { return QString::fromStdString(values[row]); };
  column.look = [values, differs](size_t row, int role) -> QVariant {
    if (role == Qt::ToolTipRole) return QString::fromStdString(values[row]);
    if (role == Qt::FontRole && differs[row]) return boldFont();
    return {};
  };
  return column;
}

double timeOf(const std::optional<db::RunTime>& time) {
  return time ? time->time_ns : kNone;
}

hlo::OpClass classOf(const std::string& name) {
  for (int i = 0; i < hlo::kOpClassCount; ++i) {
    const auto op_class = static_cast<hlo::OpClass>(i);
    if (hlo::name(op_class) == name) return op_class;
  }
  return hlo::OpClass::kElementwise;
}

/// Texts that are whole in their tool tips.
PlainColumn textual(const QString& title, const RunKernels& kernels, auto text) {
  PlainColumn column = textColumn(title, kernels, text);
  column.look = [cell = column.text](size_t row, int role) {
    return role == Qt::ToolTipRole ? QVariant(cell(row)) : QVariant();
  };
  return column;
}

PlainColumn nameColumn(const RunKernels& kernels) {
  PlainColumn column = textual(detailWords("Kernel"), kernels, [](const db::RunKernel& kernel) {
    return kernel.instruction_name.empty() ? kernel.label : kernel.instruction_name;
  });
  column.look = [kernels](size_t row, int role) -> QVariant {
    const db::RunKernel& kernel = (*kernels)[row];
    if (role == kOpClassRole) return static_cast<int>(classOf(kernel.op_class));
    if (role == kLabelRole && !kernel.instruction_name.empty()) {
      return QString::fromStdString(kernel.label);
    }
    if (role != Qt::ToolTipRole) return {};
    const QString where = kernel.instruction_name.empty()
                              ? detailWords("the program was shown with other kernels since")
                              : QString::fromStdString(kernel.instruction_name);
    return QString::fromStdString(kernel.label) + '\n' + where;
  };
  return column;
}

PlainColumn executionsColumn(const RunKernels& kernels) {
  PlainColumn column = numberColumn(
      detailWords("Executions"), kernels,
      [](const db::RunKernel& kernel) { return kernel.executions > 0 ? kernel.executions : kNone; },
      [](double executions) { return formatNumber(executions, 0); });
  column.help = detailWords("In one run of the program, over all places of the kernel");
  return column;
}

/// Learned models and compilers tell no parts.
double partOf(const db::RunKernel& kernel, double db::RunTime::*part) {
  if (!kernel.first || (kernel.first->compute_ns == 0 && kernel.first->memory_ns == 0)) {
    return kNone;
  }
  return (*kernel.first).*part;
}

void addSingle(PlainTable& table, const RunKernels& kernels) {
  const auto weight = [](const db::RunKernel& kernel) {
    return kernel.executions > 0 ? timeOf(kernel.first) * kernel.executions : kNone;
  };
  table.columns.push_back(numberColumn(
      detailWords("Time µs"), kernels,
      [](const db::RunKernel& kernel) { return timeOf(kernel.first); }, formatTimeUs));
  table.columns.push_back(
      numberColumn(detailWords("× executions µs"), kernels, weight, formatTimeUs));
  table.columns.push_back(numberColumn(
      detailWords("Compute µs"), kernels,
      [](const db::RunKernel& kernel) { return partOf(kernel, &db::RunTime::compute_ns); },
      formatTimeUs));
  table.columns.push_back(numberColumn(
      detailWords("Memory µs"), kernels,
      [](const db::RunKernel& kernel) { return partOf(kernel, &db::RunTime::memory_ns); },
      formatTimeUs));
  table.columns.push_back(
      textual(detailWords("Bound by"), kernels, [](const db::RunKernel& kernel) {
        return kernel.first ? boundText(kernel.first->bound) : std::string();
      }));
  table.columns.back().help = detailWords(kBoundHelp);
  table.columns.push_back(textual(detailWords("Tile"), kernels, [](const db::RunKernel& kernel) {
    return kernel.first ? kernel.first->tile : std::string();
  }));
}

double ratioOf(const db::RunKernel& kernel) {
  return timeOf(kernel.second) / timeOf(kernel.first);
}

double differenceOf(const db::RunKernel& kernel) {
  if (!(kernel.executions > 0)) return kNone;
  return (timeOf(kernel.second) - timeOf(kernel.first)) * kernel.executions;
}

QString signedUs(double time_ns) {
  return (time_ns > 0 ? QStringLiteral("+") : QString()) + formatTimeUs(time_ns);
}

/// "memory", or "memory → compute" where the runs differ.
std::string both(const db::RunKernel& kernel, std::string db::RunTime::*part) {
  const std::string a = kernel.first ? (*kernel.first).*part : std::string();
  const std::string b = kernel.second ? (*kernel.second).*part : std::string();
  if (a == b || !kernel.second) return a;
  return kernel.first ? a + " → " + b : b;
}

void addPair(PlainTable& table, const RunPair& runs, const RunKernels& kernels) {
  const QString time = detailWords("%1 µs");
  table.columns.push_back(numberColumn(
      time.arg(runTitle(runs.a)), kernels,
      [](const db::RunKernel& kernel) { return timeOf(kernel.first); }, formatTimeUs));
  table.columns.push_back(numberColumn(
      time.arg(runTitle(*runs.b)), kernels,
      [](const db::RunKernel& kernel) { return timeOf(kernel.second); }, formatTimeUs));
  PlainColumn ratio = numberColumn(detailWords("Ratio"), kernels, ratioOf,
                                   [](double value) { return formatNumber(value, 3); });
  ratio.help = detailWords("Second run by first run");
  ratio.look = [kernels](size_t row, int role) {
    return role == kValueRole ? QVariant(ratioOf((*kernels)[row]) - 1) : QVariant();
  };
  table.columns.push_back(std::move(ratio));
  PlainColumn difference =
      numberColumn(detailWords("Δ × executions µs"), kernels, differenceOf, signedUs);
  difference.help =
      detailWords("What the kernel adds to one run of the program; sorted by its size");
  for (double& key : difference.keys) key = std::abs(key);
  table.columns.push_back(std::move(difference));
  table.columns.push_back(textual(
      detailWords("Bound by"), kernels,
      [](const db::RunKernel& kernel) { return boundText(both(kernel, &db::RunTime::bound)); }));
  table.columns.back().help = detailWords(kBoundHelp);
  table.columns.push_back(textual(detailWords("Tile"), kernels, [](const db::RunKernel& kernel) {
    return both(kernel, &db::RunTime::tile);
  }));
}

}  // namespace

PlainTable propertyTable(const RunPair& runs) {
  PlainTable table;
  table.rows = std::size(kLines);
  std::vector<bool> differs(table.rows, false);
  for (size_t i = 0; i < table.rows && runs.b; ++i) {
    differs[i] = kLines[i].value(runs.a) != kLines[i].value(*runs.b);
  }
  PlainColumn names{.title = detailWords("Property"), .text = {}};
  names.text = [differs](size_t row) {
    return detailWords(kLines[row].name) + (differs[row] ? QStringLiteral(" ≠") : QString());
  };
  table.columns.push_back(std::move(names));
  table.columns.push_back(valueColumn(runs.a, differs));
  if (runs.b) table.columns.push_back(valueColumn(*runs.b, differs));
  table.search.resize(table.rows);
  return table;
}

int weightColumn(const RunPair& runs) {
  return runs.b ? kRatioColumn + 1 : 3;
}

PlainTable kernelTable(const RunPair& runs, const RunKernels& kernels) {
  PlainTable table;
  table.rows = kernels->size();
  table.columns.push_back(nameColumn(kernels));
  table.columns.push_back(executionsColumn(kernels));
  if (runs.b) {
    addPair(table, runs, kernels);
  } else {
    addSingle(table, kernels);
  }
  for (const db::RunKernel& kernel : *kernels) {
    table.search.push_back(
        lowerCase(kernel.instruction_name + '\n' + kernel.label + '\n' + kernel.op_class));
  }
  return table;
}

QString totalsText(const RunPair& runs, const std::vector<db::RunKernel>& kernels) {
  const QString count = countOf(kernels.size(), detailWords("kernel"));
  if (!runs.b) return detailWords("%1, total %2 µs").arg(count, formatTimeUs(runs.a.total_ns));
  const double ratio = runs.b->total_ns / runs.a.total_ns;
  const auto shared = std::count_if(kernels.begin(), kernels.end(), [](const auto& kernel) {
    return kernel.first && kernel.second;
  });
  return detailWords("%1, %2 in both; total %3 µs → %4 µs, ratio %5 (%6)")
      .arg(count, formatCount(shared), formatTimeUs(runs.a.total_ns),
           formatTimeUs(runs.b->total_ns), formatNumber(ratio, 3), formatSignedPercent(ratio - 1));
}

}  // namespace hloscope::ui
