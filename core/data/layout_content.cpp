#include "core/data/layout_content.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <map>

#include "core/data/graph_record.h"
#include "core/hlo/read.h"

namespace hloscope::data {

namespace {

constexpr std::string_view kComment = "// configurable:";

using Name = std::pair<std::string_view, std::string_view>;  // of the computation, in it
Name name_of(const hlo::Program& program, hlo::InstructionId id) {
  return {program[program[id].computation].name, program[id].name};
}

tl::unexpected<Error> damaged() {
  return fail(ErrorCode::kInvalidInput,
              "a stored layout graph does not say which instructions are configurable",
              "make the data set again from its files");
}

}  // namespace

Result<std::string> layout_content(const hlo::Program& program,
                                   std::span<const hlo::InstructionId> configurable) {
  const std::string text = hlo::print(program, content_options());
  // The text has callees first, so positions may be others than in `program`.
  HLOSCOPE_ASSIGN(const hlo::ProgramPtr back, hlo::parse_program(text));
  std::map<Name, uint32_t> positions;
  for (const hlo::InstructionId id : back->instructions()) {
    positions.emplace(name_of(*back, id), id.value);
  }
  std::vector<uint32_t> list;
  for (const hlo::InstructionId id : configurable) {
    const auto at = positions.find(name_of(program, id));
    if (at == positions.end()) {
      return fail(ErrorCode::kInternal, fmt::format("the text of {} has no instruction {}",
                                                    program.name(), program[id].name));
    }
    list.push_back(at->second);
  }
  return fmt::format("{} {}\n{}", kComment, fmt::join(list, " "), text);
}

Result<LayoutModule> read_layout_content(const std::string& content) {
  if (!content.starts_with(kComment)) return damaged();
  LayoutModule out;
  HLOSCOPE_ASSIGN(out.program, hlo::parse_program(content, "a stored layout graph"));
  std::string_view line = std::string_view(content).substr(0, content.find('\n'));
  line.remove_prefix(kComment.size());
  while (!line.empty()) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty()) break;
    uint32_t position = 0;
    const auto [end, code] = std::from_chars(line.data(), line.data() + line.size(), position);
    if (code != std::errc() || position >= out.program->instruction_count()) return damaged();
    out.configurable.emplace_back(position);
    line.remove_prefix(static_cast<size_t>(end - line.data()));
  }
  return out;
}

}  // namespace hloscope::data
