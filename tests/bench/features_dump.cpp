// The rows that lightgbm_control.py learns from, as arrays of an .npz file.
// features_dump FILE SPLIT OUTPUT.npz

#include <fmt/format.h>

#include <cmath>

#include "core/data/npz.h"
#include "core/predict/batching.h"
#include "core/predict/pooled_features.h"
#include "db/load_examples.h"

namespace {

using namespace hloscope;

/// The arrays, row by row. A row of a kernel or of a configuration, or a program a kernel is in.
struct Rows {
  std::vector<float> pooled, configurations;  // Features, normalised.
  std::vector<uint8_t> parts;                 // Of each kernel: data::Part.
  std::vector<int32_t> kernels;               // Of each configuration: position of its kernel.
  std::vector<double> times_ns, analytical_ns;
  std::vector<int32_t> seen_kernels, seen_programs;  // Programs of the kernel's own part.
  std::vector<double> seen_executions;
};

data::Array doubles(std::span<const double> values) {
  return {data::ElementType::kFloat64,
          {values.size()},
          std::string(reinterpret_cast<const char*>(values.data()), values.size_bytes())};
}

// Task tile: all configurations. Task fusion: the default one.
std::vector<uint32_t> samples_of(const predict::ExampleSet& set, const predict::Example& example) {
  if (!set.is_ranked()) return {example.default_sample};
  std::vector<uint32_t> out(example.samples());
  for (uint32_t i = 0; i < out.size(); ++i) out[i] = i;
  return out;
}

void add_programs(const predict::ExampleSet& set, uint32_t at, Rows& out) {
  for (const predict::SeenIn& seen : set.examples[at].seen_in) {
    if (set.program_parts[seen.program] != set.examples[at].part) continue;
    out.seen_kernels.push_back(static_cast<int32_t>(at));
    out.seen_programs.push_back(static_cast<int32_t>(seen.program));
    out.seen_executions.push_back(seen.default_executions);
  }
}

void add_kernel(const predict::ExampleSet& set, const predict::Batcher& batcher, uint32_t at,
                Rows& out) {
  const predict::Example& example = set.examples[at];
  const std::vector<predict::Chosen> chosen{{at, samples_of(set, example)}};
  const predict::Batch<float> batch = batcher.batch(chosen);
  const nn::Matrix<double> pooled = predict::pooled_features(batch);
  for (const double value : pooled.reshaped<Eigen::RowMajor>()) {
    out.pooled.push_back(static_cast<float>(value));
  }
  out.configurations.insert(out.configurations.end(), batch.configurations.data(),
                            batch.configurations.data() + batch.configurations.size());
  out.parts.push_back(static_cast<uint8_t>(example.part));
  for (const uint32_t sample : chosen[0].samples) {
    out.kernels.push_back(static_cast<int32_t>(at));
    out.times_ns.push_back(example.times_ns[sample]);
    // Not from the rounded logarithms of batches, which make ties of estimates that are not equal.
    const double estimate_ns =
        example.analytical_ns.empty() ? std::nan("") : example.analytical_ns[sample];
    out.analytical_ns.push_back(estimate_ns > 0 ? estimate_ns : 1);
  }
  add_programs(set, at, out);
}

std::vector<data::NamedArray> arrays(const Rows& rows, const predict::ExampleSet& set,
                                     size_t tile_width) {
  const auto task = static_cast<uint8_t>(set.info.task);
  const size_t kernels = rows.parts.size();
  const size_t samples = rows.kernels.size();
  const std::vector<int64_t> about{task, static_cast<int64_t>(tile_width)};
  return {
      {"task_and_tile_width", data::array_of({2}, std::span(about))},
      {"pooled", data::array_of({kernels, rows.pooled.size() / std::max<size_t>(kernels, 1)},
                                std::span(rows.pooled))},
      {"configurations",
       data::array_of({samples, rows.configurations.size() / std::max<size_t>(samples, 1)},
                      std::span(rows.configurations))},
      {"part", data::array_of({kernels}, std::span(rows.parts))},
      {"kernel", data::array_of({samples}, std::span(rows.kernels))},
      {"time_ns", doubles(rows.times_ns)},
      {"analytical_ns", doubles(rows.analytical_ns)},
      {"seen_kernel", data::array_of({rows.seen_kernels.size()}, std::span(rows.seen_kernels))},
      {"seen_program", data::array_of({rows.seen_programs.size()}, std::span(rows.seen_programs))},
      {"seen_executions", doubles(rows.seen_executions)}};
}

Status run(const std::string& path, const std::string& split, const std::string& output) {
  HLOSCOPE_ASSIGN(db::Database database, db::Database::open(path, db::OpenMode::kReadOnly));
  HLOSCOPE_ASSIGN(const sim::Machine machine, sim::find_machine("tpu_v3"));
  db::LoadOptions options;
  options.split = split;
  options.machine = &machine;
  ThreadPool pool(1);
  HLOSCOPE_ASSIGN(const predict::ExampleSet set,
                  db::load_examples(db::DataSets(database), options, pool));
  const auto training = set.of(data::Part::kTrain);
  predict::Normaliser normaliser = predict::fit_normaliser(set, training);
  if (set.has_estimates()) predict::fit_estimates(set, training, normaliser);
  const predict::Batcher batcher(set, normaliser);
  Rows rows;
  for (uint32_t at = 0; at < set.examples.size(); ++at) add_kernel(set, batcher, at, rows);
  fmt::print("{}: {} kernels, {} rows\n", set.label(), rows.parts.size(), rows.kernels.size());
  return data::write_npz(output, arrays(rows, set, normaliser.configuration.columns.size()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: features_dump FILE SPLIT OUTPUT.npz\n");
    return 2;
  }
  const auto status = run(argv[1], argv[2], argv[3]);
  if (!status) fmt::print(stderr, "{}\n", status.error().format());
  return status ? 0 : 1;
}
