#include "ui/graph/graph_builder.h"

#include <algorithm>
#include <cmath>

#include "core/graph/async_pairs.h"
#include "core/layout/text_width.h"
#include "ui/graph/node_painter.h"
#include "ui/graph/node_tool_tip.h"

namespace hloscope::ui {

namespace {

using hlo::InstructionId;
using hlo::Opcode;
using layout::FontFace;

constexpr float kMinKernelWidth = 150;
constexpr float kMaxKernelWidth = 250;
constexpr float kMaxOpWidth = 280;
constexpr float kMaxPillWidth = 230;
constexpr float kTextGap = 14;  ///< Between the texts at the left and at the right.
constexpr float kPlusRoom = 15;
constexpr qsizetype kLongestValue = 8;  ///< Of a constant that is shown instead of its name.

/// Fonts on screen have whole pixels, so their text may be a little wider than by the table.
float widthOf(const QString& text, float pixels, FontFace face) {
  return 1.02F * layout::text_width(text.toStdString(), std::ceil(pixels), face);
}

/// Thicker lines for larger tensors: 1.1 px up to 1 kB, 1.8 px from 100 MB.
float lineWidth(int64_t bytes) {
  const double decades = std::log10(std::max<double>(1, static_cast<double>(bytes))) - 3;
  return 1.1F + 0.7F * static_cast<float>(std::clamp(decades / 5, 0.0, 1.0));
}

}  // namespace

QString toQString(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString shapeText(const hlo::Program& program, hlo::ShapeId shape) {
  constexpr size_t kMostElements = 3;
  const hlo::Shape& s = program.shape(shape);
  if (s.is_tuple() && s.elements.size() > kMostElements) {
    return QStringLiteral("(%1, … %2)")
        .arg(shapeText(program, s.elements[0]))
        .arg(s.elements.size());
  }
  return QString::fromStdString(program.shapes().text(shape, false));
}

GraphBuilder::GraphBuilder(ReportPtr report)
    : report_(std::move(report)), program_(*report_->module.program) {
  node_of_.resize(program_.instruction_count());
}

layout::Size GraphBuilder::sizeOf(const GraphNode& node) const {
  if (node.look == GraphNode::Look::kKernel) {
    const float first = kTitleLeft + widthOf(node.title, kTitlePixels, FontFace::kBold) + kTextGap +
                        widthOf(node.right, kTitlePixels, FontFace::kRegular);
    const float second =
        kOpTitleLeft + kPlusRoom + widthOf(node.subtitle, kSubtitlePixels, FontFace::kRegular);
    const float width = std::ceil(std::max(first, second) + kNodePadding);
    return {std::clamp(width, kMinKernelWidth, kMaxKernelWidth), kKernelHeight};
  }
  const bool pill = node.isPill();
  const float right = widthOf(node.right, kShapePixels, FontFace::kMono);
  const float width = (pill ? kTitleLeft : kOpTitleLeft) +
                      widthOf(node.title, kTitlePixels, FontFace::kRegular) +
                      (right > 0 ? kTextGap + right : 0) + kNodePadding + (pill ? 4 : 0);
  return {std::min(std::ceil(width), pill ? kMaxPillWidth : kMaxOpWidth),
          pill ? kPillHeight : kOpHeight};
}

layout::NodeId GraphBuilder::add(InstructionId instruction, GraphNode node) {
  const layout::NodeId id = model_->graph.sizes.push_back(sizeOf(node));
  // Arrow, distance and padding of the pill that names this node at a cut edge.
  const float port = widthOf(node.title, kSubtitlePixels, FontFace::kRegular) + 52;
  model_->graph.port_widths.push_back(std::min(port, kMaxKernelWidth));
  model_->graph.cloneable.push_back(node.isPill());
  result_.instructions.push_back(instruction);
  const graph::KernelId kernel = report_->kernels.kernel_of[instruction];
  const bool own = kernel.valid() && report_->kernels.kernels[kernel].instruction == instruction;
  result_.kernels.push_back(own ? kernel : graph::KernelId());
  if (!node.isPill()) node_of_[instruction] = id;
  model_->nodes.push_back(std::move(node));
  return id;
}

void GraphBuilder::connect(layout::NodeId user, InstructionId reader) {
  const auto operands = program_.operands(reader);
  std::vector<InstructionId> pending(operands.rbegin(), operands.rend());
  while (!pending.empty()) {
    const InstructionId next = pending.back();
    pending.pop_back();
    visit(next, user, pending);
  }
}

void GraphBuilder::visit(InstructionId operand, layout::NodeId user,
                         std::vector<InstructionId>& pending) {
  graph::ValueSource source{operand, {}};
  while (!node_of_[source.instruction].valid() && step_to_source(program_, source)) {
  }
  if (const InstructionId start = graph::is_async_end(program_[source.instruction].opcode)
                                      ? graph::async_start_of(program_, source.instruction)
                                      : InstructionId();
      start.valid() && !node_of_[source.instruction].valid()) {
    source = {start, {}};
  }
  const layout::NodeId from = nodeOf(source);
  if (!from.valid()) {
    const auto inner = program_.operands(source.instruction);
    pending.insert(pending.end(), inner.rbegin(), inner.rend());
    return;
  }
  if (from == user) return;
  const int64_t bytes = program_.shapes().byte_size(shapeOf(source));
  edges_.push_back({from.value, user.value, lineWidth(bytes)});
}

/// Invalid for what is not shown itself: tuples, tokens.
layout::NodeId GraphBuilder::nodeOf(const graph::ValueSource& source) {
  const layout::NodeId own = node_of_[source.instruction];
  if (own.valid()) return own;
  const Opcode opcode = program_[source.instruction].opcode;
  if (opcode == Opcode::kParameter || opcode == Opcode::kConstant || alone_) return pill(source);
  return {};
}

layout::NodeId GraphBuilder::pill(const graph::ValueSource& source) {
  const auto [found, is_new] = element_nodes_.try_emplace({source.instruction, source.path});
  if (!is_new) return found->second;
  const hlo::Instruction& instruction = program_[source.instruction];
  GraphNode node;
  node.look = GraphNode::Look::kPill;
  node.op_class = hlo::info(instruction.opcode).op_class;
  node.title = toQString(instruction.name);
  for (size_t i = source.path.size(); i-- > 0;) {
    node.title += u':' + QString::number(source.path[i]);
  }
  const hlo::ShapeId shape = shapeOf(source);
  node.right = shapeText(program_, shape);
  if (instruction.literal < program_.literals().size() &&
      program_.shape(shape).dimensions.empty()) {
    const hlo::Literal& literal = program_.literals()[instruction.literal];
    const QString value = toQString(literal.data).trimmed();
    if (literal.form == hlo::Literal::Form::kText && value.size() <= kLongestValue) {
      node.title = value;
    }
  }
  found->second = add(source.instruction, std::move(node));
  return found->second;
}

hlo::ShapeId GraphBuilder::shapeOf(const graph::ValueSource& source) const {
  hlo::ShapeId shape = program_[source.instruction].shape;
  for (size_t i = source.path.size(); i-- > 0;) {
    const auto& elements = program_.shape(shape).elements;
    const auto index = static_cast<size_t>(source.path[i]);
    if (index >= elements.size()) break;
    shape = elements[index];
  }
  return shape;
}

/// One edge for each pair of nodes, as wide as its largest tensor, in the order of the graph.
void GraphBuilder::collectEdges(GraphModel& model) {
  const auto key = [](const Edge& e) { return std::pair(e.from, e.to); };
  std::ranges::sort(edges_, [&](const Edge& a, const Edge& b) {
    return key(a) != key(b) ? key(a) < key(b) : a.width > b.width;
  });
  // clang-tidy cannot read std::ranges::unique of this standard library.
  const auto rest = std::unique(edges_.begin(), edges_.end(),
                                [&](const Edge& a, const Edge& b) { return key(a) == key(b); });
  edges_.erase(rest, edges_.end());
  std::vector<std::pair<layout::NodeId, layout::NodeId>> pairs;
  pairs.reserve(edges_.size());
  for (const Edge& edge : edges_) {
    pairs.emplace_back(layout::NodeId(edge.from), layout::NodeId(edge.to));
    model.edge_width.push_back(edge.width);
  }
  model.graph.edges = Csr<layout::NodeId, layout::NodeId>::from_pairs(model.nodes.size(), pairs);
}

KernelGraph GraphBuilder::finish() {
  collectEdges(*model_);
  // The tool tip needs the report, not this builder.
  model_->tool_tip = [report = report_, instructions = result_.instructions,
                      kernels = result_.kernels](layout::NodeId node) {
    return nodeToolTip(*report, instructions[node.value], kernels[node.value]);
  };
  result_.model = std::move(model_);
  return std::move(result_);
}

}  // namespace hloscope::ui
