#include "app/cli/accuracy.h"

namespace hloscope::cli {

void add_origin(nlohmann::ordered_json& out, const AccuracyOptions& options,
                const sim::Machine& machine) {
  out["model"] = accuracy::name(options.model);
  out["machine"] = machine.id;
  out["machine_hash"] = machine.hash.hex();
}

}  // namespace hloscope::cli
