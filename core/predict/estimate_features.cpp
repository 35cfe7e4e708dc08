#include "core/predict/estimate_features.h"

#include <algorithm>
#include <array>
#include <limits>

namespace hloscope::predict {

namespace {

using sim::Estimate;

double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

double busy(const Estimate& e, sim::Unit unit) {
  return e.tile.busy_ns[static_cast<size_t>(unit)];
}
double end_busy(const Estimate& e, sim::Unit unit) {
  return e.tile.end_busy_ns[static_cast<size_t>(unit)];
}

struct EstimateFeature {
  std::string_view name;
  double (*get)(const Estimate& estimate);
};

constexpr auto kFeatures = std::to_array<EstimateFeature>({
    {"time_ns", [](const Estimate& e) { return e.time_ns; }},
    {"compute_ns", [](const Estimate& e) { return e.compute_ns; }},
    {"transfer_ns", [](const Estimate& e) { return e.transfer_ns; }},
    {"read_ns", [](const Estimate& e) { return e.read.total_ns; }},
    {"write_ns", [](const Estimate& e) { return e.write.total_ns; }},
    {"first_read_ns", [](const Estimate& e) { return e.read.one_ns; }},
    {"last_write_ns", [](const Estimate& e) { return e.write.one_ns; }},
    {"read_bytes", [](const Estimate& e) { return e.read.bytes; }},
    {"write_bytes", [](const Estimate& e) { return e.write.bytes; }},
    {"reads", [](const Estimate& e) { return e.read.transfers; }},
    {"writes", [](const Estimate& e) { return e.write.transfers; }},
    {"descriptors", [](const Estimate& e) { return e.read.descriptors + e.write.descriptors; }},
    {"tiles", [](const Estimate& e) { return e.tiles; }},
    {"footprint_bytes", [](const Estimate& e) { return e.footprint_bytes; }},
    {"tile_compute_ns", [](const Estimate& e) { return share(e.compute_ns, e.tiles); }},
    {"tile_fixed_ns", [](const Estimate& e) { return e.tile.fixed_ns; }},
    {"tile_mxu_ns", [](const Estimate& e) { return busy(e, sim::Unit::kMxu); }},
    {"tile_xlu_ns", [](const Estimate& e) { return busy(e, sim::Unit::kXlu); }},
    {"tile_valu_ns", [](const Estimate& e) { return busy(e, sim::Unit::kValu); }},
    {"tile_eup_ns", [](const Estimate& e) { return busy(e, sim::Unit::kEup); }},
    {"tile_load_ns", [](const Estimate& e) { return busy(e, sim::Unit::kLoad); }},
    {"tile_store_ns", [](const Estimate& e) { return busy(e, sim::Unit::kStore); }},
    {"end_valu_ns", [](const Estimate& e) { return end_busy(e, sim::Unit::kValu); }},
    {"end_compute_ns", [](const Estimate& e) { return e.tile.end_compute_ns; }},
    {"covered", [](const Estimate& e) { return e.covered; }},
    {"compute_share",
     [](const Estimate& e) { return share(e.compute_ns, e.compute_ns + e.transfer_ns); }},
    {"exposed_share", [](const Estimate& e) { return share(e.exposed_ns, e.time_ns); }},
    {"read_share",
     [](const Estimate& e) { return share(e.read.total_ns, e.read.total_ns + e.write.total_ns); }},
    {"read_repeats", [](const Estimate& e) { return share(e.read.transfers, e.tiles); }},
    {"write_repeats", [](const Estimate& e) { return share(e.write.transfers, e.tiles); }},
});

}  // namespace

std::span<const std::string_view> estimate_feature_names() {
  static const auto names = [] {
    std::array<std::string_view, kFeatures.size()> out;
    std::ranges::transform(kFeatures, out.begin(), &EstimateFeature::name);
    return out;
  }();
  return names;
}

Hash128 estimate_table_hash() {
  Hasher hasher;
  for (const std::string_view name : estimate_feature_names()) hasher.add(name);
  return hasher.digest();
}

void append_estimate_features(const Estimate& estimate, std::vector<float>& out) {
  for (const EstimateFeature& feature : kFeatures) {
    out.push_back(static_cast<float>(feature.get(estimate)));
  }
}

void append_unknown_estimate(std::vector<float>& out) {
  out.insert(out.end(), kFeatures.size(), std::numeric_limits<float>::quiet_NaN());
}

}  // namespace hloscope::predict
