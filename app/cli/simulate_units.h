#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/report.h"
#include "core/sim/simulate.h"
#include "core/sim/time_parts.h"

namespace hloscope::cli {

/// What the units of a machine do in one run of a program, and what is waited for.
struct UnitTimes {
  std::array<double, sim::kUnitCount> busy_ns{};
  sim::TimeParts parts_ns{};               ///< They add up to the program's time.
  std::vector<sim::TimeParts> kernels_ns;  ///< One execution, by position in KernelList::distinct.
};
/// `executions` by KernelId.
[[nodiscard]] UnitTimes unit_times(const analysis::ModuleReport& report,
                                   std::span<const double> executions);

/// {"MXU": 1e6, ...}, without parts that take no time.
[[nodiscard]] nlohmann::ordered_json time_parts_json(const sim::TimeParts& parts_ns);
[[nodiscard]] nlohmann::ordered_json busy_json(const UnitTimes& times);
/// Limits of the machine and kernels without a place below them.
[[nodiscard]] nlohmann::ordered_json roofline_json(const analysis::ModuleReport& report);
/// Of one kernel "compute_ns" and "memory_ns"; "flops_per_byte" and "flops_per_s" by its simulated
/// time, null without FLOPs.
void add_work_and_limits(nlohmann::ordered_json& kernel, const analysis::ModuleReport& report,
                         graph::KernelId id);

/// Units with their busy times, parts of the time, limits of the machine.
[[nodiscard]] std::string units_text(const analysis::ModuleReport& report, const UnitTimes& times,
                                     double total_ns);

}  // namespace hloscope::cli
