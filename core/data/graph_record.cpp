#include "core/data/graph_record.h"

#include "core/analysis/report.h"

namespace hloscope::data {

hlo::PrintOptions content_options() {
  hlo::PrintOptions options;
  options.metadata = false;
  options.backend_config = false;
  options.percent = false;
  options.large_constants = false;
  return options;
}

GraphRecord graph_record(const hlo::Program& program, const graph::Kernel& kernel,
                         const hlo::Program& alone) {
  GraphRecord out;
  out.hash = kernel.hash;
  out.label = analysis::kernel_label(program, kernel);
  out.op_class = hlo::name(kernel.op_class);
  out.node_count =
      static_cast<int64_t>(kernel.body.valid() ? program[kernel.body].instructions.size()
                                               : alone[alone.entry()].instructions.size());
  out.content = hlo::print(alone, content_options());
  return out;
}

}  // namespace hloscope::data
