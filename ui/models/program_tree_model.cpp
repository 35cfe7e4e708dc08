#include "ui/models/program_tree_model.h"

#include <QFileInfo>
#include <algorithm>
#include <numeric>

#include "ui/models/item_roles.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/models/program_text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

/// "measured" or "simulated": what the times of a module are.
QString sourceText(const analysis::KernelTable& table) {
  return textOf(analysis::info(table.share_source()).name);
}

}  // namespace

void ProgramTreeModel::setModules(std::vector<TablePtr> modules) {
  beginResetModel();
  modules_ = std::move(modules);
  outlines_.clear();
  for (const TablePtr& table : modules_) {
    outlines_.push_back(outlineOf(table->report()));
    std::vector<uint32_t> rows(table->row_count());
    std::iota(rows.begin(), rows.end(), 0U);
    outlines_.back().time_ns = computationTime(*table, rows);
  }
  rebuild();
  endResetModel();
}

void ProgramTreeModel::setQuery(analysis::KernelQuery query) {
  beginResetModel();
  query_ = std::move(query);
  rebuild();
  endResetModel();
}

void ProgramTreeModel::setCurrentModule(int module) {
  const int old = std::exchange(current_, module);
  for (int changed : {old, module}) {
    const QModelIndex row = indexOfModule(changed);
    if (row.isValid()) emit dataChanged(row, row, {Qt::FontRole});
  }
}

ProgramTreeModel::Outline ProgramTreeModel::outlineOf(const analysis::ModuleReport& report) {
  const hlo::Program& program = *report.module.program;
  Outline outline;
  outline.kernels.resize(program.computation_count());
  const auto& kernels = report.kernels.kernels;
  for (uint32_t k = 0; k < kernels.size(); ++k) {
    outline.kernels[kernels[graph::KernelId(k)].computation.value].push_back(k);
  }
  std::vector<bool> seen(program.computation_count());
  std::vector<hlo::ComputationId> open{program.entry()};
  while (!open.empty()) {
    const hlo::ComputationId id = open.back();
    open.pop_back();
    if (seen[id.value]) continue;
    seen[id.value] = true;
    const bool scheduled =
        report.kernels.computations.contains(id) && report.kernels.computations[id].is_scheduled;
    if (scheduled || id == program.entry()) outline.computations.push_back(id);
    const size_t first = open.size();
    for (hlo::InstructionId instruction : program[id].instructions) {
      const auto called = program.called(instruction);
      open.insert(open.end(), called.begin(), called.end());
    }
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
  }
  return outline;
}

void ProgramTreeModel::rebuild() {
  nodes_.clear();
  addFilesAndModules();
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].kind == NodeKind::kModule) addComputations(n);
    if (nodes_[n].kind == NodeKind::kComputation) addKernels(n);
  }
}

uint32_t ProgramTreeModel::addChild(uint32_t parent, Node node) {
  const auto at = static_cast<uint32_t>(nodes_.size());
  Node& above = nodes_[parent];
  if (above.child_count == 0) above.first_child = at;
  node.parent = parent;
  node.row = above.child_count++;
  nodes_.push_back(node);
  return at;
}

void ProgramTreeModel::addFilesAndModules() {
  for (size_t m = 0; m < modules_.size(); ++m) {
    const auto same_file = [this](size_t a, size_t b) {
      return modules_[a]->report().file_path == modules_[b]->report().file_path;
    };
    if (m > 0 && same_file(m, m - 1)) continue;
    Node file;
    file.module = static_cast<int>(m);
    file.row = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back(file);
  }
  root_count_ = static_cast<uint32_t>(nodes_.size());
  for (uint32_t f = 0; f < root_count_; ++f) {
    const int end = f + 1 < root_count_ ? nodes_[f + 1].module : static_cast<int>(modules_.size());
    for (int m = nodes_[f].module; m < end; ++m) {
      addChild(f, {NodeKind::kModule, m, 0, kNoNode, 0, 0, 0});
    }
  }
}

void ProgramTreeModel::addComputations(uint32_t module_node) {
  const int module = nodes_[module_node].module;
  for (hlo::ComputationId id : outlines_[static_cast<size_t>(module)].computations) {
    if (isFiltered() && shownKernels(module, id).empty()) continue;
    addChild(module_node, {NodeKind::kComputation, module, id.value, kNoNode, 0, 0, 0});
  }
}

void ProgramTreeModel::addKernels(uint32_t computation_node) {
  const int module = nodes_[computation_node].module;
  const hlo::ComputationId id(nodes_[computation_node].id);
  for (uint32_t kernel : shownKernels(module, id)) {
    addChild(computation_node, {NodeKind::kKernel, module, kernel, kNoNode, 0, 0, 0});
  }
}

std::vector<uint32_t> ProgramTreeModel::shownKernels(int module, hlo::ComputationId id) const {
  const std::vector<uint32_t>& all = outlines_[static_cast<size_t>(module)].kernels[id.value];
  if (!isFiltered()) return all;
  const analysis::KernelTable& table = *modules_[static_cast<size_t>(module)];
  analysis::KernelFacts computation;
  computation.name = (*table.report().module.program)[id].name;
  if (!query_.has_keys() && query_.matches(computation)) return all;
  std::vector<uint32_t> shown;
  for (uint32_t kernel : all) {
    if (table.matches(query_, kernel)) shown.push_back(kernel);
  }
  return shown;
}

ProgramTreeModel::Place ProgramTreeModel::placeAt(const QModelIndex& index) const {
  const Node& node = nodes_[static_cast<uint32_t>(index.internalId())];
  Place place;
  place.kind = node.kind;
  place.module = node.module;
  if (node.kind == NodeKind::kComputation) place.computation = hlo::ComputationId(node.id);
  if (node.kind == NodeKind::kKernel) {
    place.kernel = graph::KernelId(node.id);
    place.computation = hlo::ComputationId(nodes_[node.parent].id);
  }
  return place;
}

uint32_t ProgramTreeModel::moduleNode(int module) const {
  for (uint32_t f = 0; f < root_count_; ++f) {
    for (uint32_t c = 0; c < nodes_[f].child_count; ++c) {
      if (nodes_[nodes_[f].first_child + c].module == module) return nodes_[f].first_child + c;
    }
  }
  return kNoNode;
}

uint32_t ProgramTreeModel::findChild(uint32_t parent, uint32_t id) const {
  if (parent == kNoNode) return kNoNode;
  const Node& node = nodes_[parent];
  for (uint32_t c = 0; c < node.child_count; ++c) {
    if (nodes_[node.first_child + c].id == id) return node.first_child + c;
  }
  return kNoNode;
}

QModelIndex ProgramTreeModel::indexOfNode(uint32_t node, int column) const {
  if (node == kNoNode) return {};
  return createIndex(static_cast<int>(nodes_[node].row), column, static_cast<quintptr>(node));
}

QModelIndex ProgramTreeModel::indexOfModule(int module) const {
  return indexOfNode(moduleNode(module));
}

QModelIndex ProgramTreeModel::indexOfComputation(int module, hlo::ComputationId id) const {
  return indexOfNode(findChild(moduleNode(module), id.value));
}

QModelIndex ProgramTreeModel::indexOfKernel(int module, graph::KernelId kernel) const {
  if (module < 0 || static_cast<size_t>(module) >= modules_.size()) return {};
  const auto& kernels = modules_[static_cast<size_t>(module)]->report().kernels.kernels;
  if (!kernels.contains(kernel)) return {};
  const uint32_t computation = findChild(moduleNode(module), kernels[kernel].computation.value);
  return indexOfNode(findChild(computation, kernel.value));
}

QModelIndex ProgramTreeModel::index(int row, int column, const QModelIndex& parent) const {
  if (row < 0 || column < 0 || column >= columnCount() || row >= rowCount(parent)) return {};
  if (!parent.isValid()) return indexOfNode(static_cast<uint32_t>(row), column);
  const Node& above = nodes_[static_cast<uint32_t>(parent.internalId())];
  return indexOfNode(above.first_child + static_cast<uint32_t>(row), column);
}

QModelIndex ProgramTreeModel::parent(const QModelIndex& child) const {
  if (!child.isValid()) return {};
  return indexOfNode(nodes_[static_cast<uint32_t>(child.internalId())].parent);
}

int ProgramTreeModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(root_count_);
  if (parent.column() > 0) return 0;
  return static_cast<int>(nodes_[static_cast<uint32_t>(parent.internalId())].child_count);
}

int ProgramTreeModel::columnCount(const QModelIndex& /*parent*/) const {
  return 2;
}

QString ProgramTreeModel::nameOf(const Node& node) const {
  const analysis::KernelTable& table = *modules_[static_cast<size_t>(node.module)];
  switch (node.kind) {
    case NodeKind::kFile:
      return QFileInfo(QString::fromStdString(table.report().file_path)).fileName();
    case NodeKind::kModule:
      return textOf(table.report().module.program->name());
    case NodeKind::kComputation:
      return computationTitle(table.report(), hlo::ComputationId(node.id));
    case NodeKind::kKernel:
      return textOf(table.name(node.id));
  }
  return {};
}

bool ProgramTreeModel::hasOneSource() const {
  return std::all_of(modules_.begin(), modules_.end(), [this](const TablePtr& table) {
    return table->share_source() == modules_.front()->share_source();
  });
}

QString ProgramTreeModel::timeTitle() const {
  if (modules_.empty()) return {};
  if (!hasOneSource()) return QStringLiteral("measured or simulated µs");
  return sourceText(*modules_.front()) + QStringLiteral(" µs");
}

QString ProgramTreeModel::noteOf(const Node& node) const {
  const analysis::KernelTable& table = *modules_[static_cast<size_t>(node.module)];
  if (node.kind == NodeKind::kKernel) return textOf(table.label(node.id));
  if (node.kind == NodeKind::kComputation) {
    return executionsNote(table.report(), hlo::ComputationId(node.id));
  }
  if (node.kind == NodeKind::kFile && node.child_count > 1) {
    return countOf(node.child_count, QStringLiteral("module"));
  }
  if (node.kind == NodeKind::kModule) {
    // Measured and estimated times stand in one column: each module says which are its own.
    if (!hasOneSource()) return sourceText(table);
    return countOf(table.row_count(), QStringLiteral("kernel"));
  }
  return {};
}

QString ProgramTreeModel::toolTipOf(const Node& node) const {
  const analysis::KernelTable& table = *modules_[static_cast<size_t>(node.module)];
  const bool is_file = node.kind == NodeKind::kFile;
  QStringList parts{is_file ? QString::fromStdString(table.report().file_path) : nameOf(node)};
  if (node.kind == NodeKind::kModule) {
    parts += countOf(table.row_count(), QStringLiteral("kernel"));
  } else if (!noteOf(node).isEmpty()) {
    parts += noteOf(node);
  }
  if (!is_file) parts += sourceText(table) + ' ' + figureOf(node);
  if (node.kind == NodeKind::kKernel) parts.back() += QStringLiteral(" µs");
  return parts.join(QStringLiteral(" · "));
}

QString ProgramTreeModel::figureOf(const Node& node) const {
  const analysis::KernelTable& table = *modules_[static_cast<size_t>(node.module)];
  const analysis::ModuleReport& report = table.report();
  switch (node.kind) {
    case NodeKind::kFile:
      return {};
    case NodeKind::kModule:
      return formatTime(outlines_[static_cast<size_t>(node.module)].time_ns);
    case NodeKind::kComputation:
      return formatTime(
          computationTime(table, outlines_[static_cast<size_t>(node.module)].kernels[node.id]));
    case NodeKind::kKernel: {
      const auto time = time_ns(report, table.share_source(), graph::KernelId(node.id));
      return time ? formatTimeUs(*time) : noValue();
    }
  }
  return {};
}

QVariant ProgramTreeModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Node& node = nodes_[static_cast<uint32_t>(index.internalId())];
  switch (role) {
    case Qt::DisplayRole:
      return index.column() == 0 ? nameOf(node) : figureOf(node);
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ForegroundRole:
      if (index.column() == 1) return theme().role(Role::kTextMuted);
      return {};
    case Qt::ToolTipRole:
      return toolTipOf(node);
    case Qt::DecorationRole:
      if (index.column() != 0 || node.kind == NodeKind::kKernel) return {};
      if (node.kind == NodeKind::kComputation) return {};
      return icon(node.kind == NodeKind::kFile ? Icon::kFolder : Icon::kFile);
    case Qt::FontRole:
      if (node.kind == NodeKind::kModule && node.module == current_) return boldFont();
      return {};
    case kLabelRole:
      return noteOf(node);
    case kOpClassRole:
      if (node.kind != NodeKind::kKernel) return {};
      return static_cast<int>(modules_[static_cast<size_t>(node.module)]->kernel(node.id).op_class);
    default:
      return {};
  }
}

QVariant ProgramTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == 0 ? QStringLiteral("Name") : QStringLiteral("Time");
}

}  // namespace hloscope::ui
