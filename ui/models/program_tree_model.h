#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <vector>

#include "core/analysis/kernel_query.h"
#include "core/analysis/kernel_table.h"
#include "core/graph/kernels.h"

namespace hloscope::ui {

/// Open files as a tree: file, modules, computations that hold kernels (entry first, then in the
/// order they are called), kernels. Flat nodes with children in one block each; no objects per row.
class ProgramTreeModel : public QAbstractItemModel {
  Q_OBJECT
 public:
  using TablePtr = std::shared_ptr<const analysis::KernelTable>;
  enum class NodeKind : uint8_t { kFile, kModule, kComputation, kKernel };
  /// What a row stands for. Unused parts are invalid (or -1).
  struct Place {
    NodeKind kind = NodeKind::kFile;
    int module = -1;  ///< Position in modules(); of a file: its first one.
    hlo::ComputationId computation;
    graph::KernelId kernel;
  };

  using QAbstractItemModel::QAbstractItemModel;

  /// One table per module, modules of a file next to each other.
  void setModules(std::vector<TablePtr> modules);
  [[nodiscard]] const std::vector<TablePtr>& modules() const { return modules_; }
  /// Shows only kernels that match, with their parents; words match names of computations too.
  void setQuery(analysis::KernelQuery query);
  /// Shown in demi-bold; -1: none.
  void setCurrentModule(int module);
  /// What the times in the second column are, e.g. "simulated µs".
  [[nodiscard]] QString timeTitle() const;
  [[nodiscard]] bool isFiltered() const { return !query_.is_empty(); }

  /// Only for a valid index.
  [[nodiscard]] Place placeAt(const QModelIndex& index) const;
  /// Invalid when the row is not shown.
  [[nodiscard]] QModelIndex indexOfModule(int module) const;
  [[nodiscard]] QModelIndex indexOfComputation(int module, hlo::ComputationId computation) const;
  [[nodiscard]] QModelIndex indexOfKernel(int module, graph::KernelId kernel) const;

  [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
  using QObject::parent;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  static constexpr uint32_t kNoNode = ~0U;
  struct Node {
    NodeKind kind = NodeKind::kFile;
    int module = -1;
    uint32_t id = 0;  ///< ComputationId or KernelId by kind.
    uint32_t parent = kNoNode;
    uint32_t row = 0;
    uint32_t first_child = 0;
    uint32_t child_count = 0;
  };

  void rebuild();
  void addFilesAndModules();
  void addComputations(uint32_t module_node);
  void addKernels(uint32_t computation_node);
  uint32_t addChild(uint32_t parent, Node node);
  [[nodiscard]] QModelIndex indexOfNode(uint32_t node, int column = 0) const;
  [[nodiscard]] uint32_t findChild(uint32_t parent, uint32_t id) const;
  [[nodiscard]] uint32_t moduleNode(int module) const;
  [[nodiscard]] std::vector<uint32_t> shownKernels(int module, hlo::ComputationId id) const;
  [[nodiscard]] QString nameOf(const Node& node) const;
  [[nodiscard]] QString noteOf(const Node& node) const;
  [[nodiscard]] QString toolTipOf(const Node& node) const;
  [[nodiscard]] bool hasOneSource() const;
  [[nodiscard]] QString figureOf(const Node& node) const;

  std::vector<TablePtr> modules_;
  /// By module: kernels of each scheduled computation, in calling order.
  struct Outline {
    std::vector<hlo::ComputationId> computations;
    std::vector<std::vector<uint32_t>> kernels;
    double time_ns = 0;  ///< Of the whole module.
  };
  [[nodiscard]] static Outline outlineOf(const analysis::ModuleReport& report);
  std::vector<Outline> outlines_;
  analysis::KernelQuery query_;
  std::vector<Node> nodes_;
  uint32_t root_count_ = 0;
  int current_ = -1;
};

}  // namespace hloscope::ui
