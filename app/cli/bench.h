#pragma once

#include <CLI/CLI.hpp>
#include <chrono>

namespace hloscope::cli {

/// Wall seconds that a call takes.
double seconds_of(const auto& function) {
  const auto begin = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// `bench time`: how long the timing models take.
void add_bench_time(CLI::App& bench, int& exit_code);
/// `bench predictor`: how fast the learned predictor predicts and learns.
void add_bench_predictor(CLI::App& bench, int& exit_code);
/// `bench tune`: how fast a search over fusions goes.
void add_bench_tune(CLI::App& bench, int& exit_code);
/// `bench signature`: one hash over what the programs read and compute.
void add_bench_signature(CLI::App& bench, int& exit_code);

}  // namespace hloscope::cli
