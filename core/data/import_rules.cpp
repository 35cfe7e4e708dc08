#include "core/data/import_rules.h"

#include <fmt/format.h>

#include "core/data/graph_record.h"
#include "core/data/program_list.h"
#include "core/hlo/address.h"

namespace hloscope::data {

SourceProgram source_of(const hlo::Program& program, const std::string& path, size_t number,
                        bool is_only) {
  SourceProgram out;
  out.hash = program_hash(program);
  out.name = is_only ? name_of_file(path) : std::string(program.name());
  out.family = family_of(out.name);
  out.file_path = is_only ? path : fmt::format("{}#{}", path, number);
  out.instruction_count = static_cast<int64_t>(program.instruction_count());
  return out;
}

Result<std::vector<AddressedModule>> read_modules(const std::string& address_text,
                                                  std::vector<Error>& warnings,
                                                  const Progress& progress) {
  const hlo::FileAddress address = hlo::parse_address(address_text);
  HLOSCOPE_ASSIGN(const hlo::File file, hlo::read_file(address.path, {}, progress));
  HLOSCOPE_TRY(hlo::check_address(address, file.modules.size()));
  warnings.insert(warnings.end(), file.warnings.begin(), file.warnings.end());
  std::vector<AddressedModule> out;
  for (size_t i = 0; i < file.modules.size(); ++i) {
    if (address.module && *address.module != i + 1) continue;
    const hlo::ProgramPtr& program = file.modules[i].program;
    out.push_back({program, source_of(*program, address.path, i + 1, file.modules.size() == 1)});
  }
  return out;
}

Result<GraphRecord> kernel_record(const hlo::Program& program, const graph::Kernel& kernel) {
  HLOSCOPE_ASSIGN(const hlo::ProgramPtr alone, graph::extract(program, kernel.instruction));
  return graph_record(program, kernel, *alone);
}

}  // namespace hloscope::data
