#include <algorithm>
#include <memory>
#include <string>

#include "core/hlo/print.h"
#include "ui/pages/graph/kernel_details.h"

namespace hloscope::ui {
namespace {

/// The instruction's computations and theirs, each once, in calling order.
std::vector<hlo::ComputationId> calledBy(const hlo::Program& program,
                                         hlo::InstructionId instruction) {
  std::vector<hlo::ComputationId> found;
  const auto add = [&](hlo::InstructionId id) {
    for (hlo::ComputationId called : program.called(id)) {
      if (std::find(found.begin(), found.end(), called) == found.end()) found.push_back(called);
    }
  };
  add(instruction);
  for (size_t i = 0; i < found.size(); ++i) {
    for (hlo::InstructionId inner : program[found[i]].instructions) add(inner);
  }
  return found;
}

void addSpan(const hlo::Program& program, const hlo::SourceSpan& span,
             std::vector<HloTextView::Line>& lines) {
  const std::string_view source = program.source();
  size_t begin = span.offset;
  while (begin > 0 && source[begin - 1] != '\n') --begin;
  // Spans may reach over the end of their last line.
  const size_t last = source.find_last_not_of(" \t\r\n", span.offset + span.length - 1);
  size_t end = source.find('\n', last);
  if (end == std::string_view::npos) end = source.size();
  uint32_t number = span.line;
  while (begin <= end) {
    const size_t next = std::min(end, source.find('\n', begin));
    lines.push_back({number++, source.substr(begin, next - begin)});
    begin = next + 1;
  }
}

HloExcerpt fromSource(const hlo::ProgramPtr& program, hlo::InstructionId instruction) {
  HloExcerpt excerpt;
  excerpt.owner = program;
  addSpan(*program, (*program)[instruction].span, excerpt.lines);
  for (hlo::ComputationId id : calledBy(*program, instruction)) {
    excerpt.lines.push_back({});
    addSpan(*program, (*program)[id].span, excerpt.lines);
  }
  return excerpt;
}

void addText(const std::string& text, std::vector<std::string>& lines) {
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.size(), text.find('\n', begin));
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

/// Programs from protos have no text: it is printed. Large constants say nothing here.
HloExcerpt fromProgram(const hlo::ProgramPtr& program, hlo::InstructionId instruction) {
  hlo::PrintOptions options;
  options.large_constants = false;
  auto text = std::make_shared<std::vector<std::string>>();
  addText(hlo::print_instruction(*program, instruction, options), *text);
  for (hlo::ComputationId id : calledBy(*program, instruction)) {
    text->emplace_back();
    addText(hlo::print(*program, id, options), *text);
  }
  HloExcerpt excerpt;
  for (const std::string& line : *text) excerpt.lines.push_back({0, line});
  excerpt.owner = text;
  return excerpt;
}

}  // namespace

HloExcerpt hloExcerpt(const hlo::ProgramPtr& program, hlo::InstructionId instruction) {
  const bool has_source = (*program)[instruction].span.length > 0 && !program->source().empty();
  return has_source ? fromSource(program, instruction) : fromProgram(program, instruction);
}

}  // namespace hloscope::ui
