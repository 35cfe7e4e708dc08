#pragma once

#include "core/nn/operations.h"

namespace hloscope::predict {

/// A row for every unit and every sample of the same graph, in order of samples, then of units.
/// Units are what configurations are joined to: nodes, or the graphs themselves.
struct Pairing {
  nn::Segments units;    ///< Of each graph.
  nn::Segments samples;  ///< Of each graph.
  nn::Segments rows;     ///< Of each sample: one for each unit of its graph.
};

/// The memory is the tape's.
template <typename T>
[[nodiscard]] Pairing pair(nn::Tape<T>& tape, nn::Segments units, nn::Segments samples);

/// The unit of every row. The memory is the tape's.
template <typename T>
[[nodiscard]] std::span<const uint32_t> unit_rows(nn::Tape<T>& tape, const Pairing& pairing);

/// One row for each of `count` graphs.
template <typename T>
[[nodiscard]] nn::Segments single_rows(nn::Tape<T>& tape, size_t count);

/// relu(row of the unit + row of the sample) for every row of the pairing: units [units x d],
/// samples [samples x d] -> [pairing.rows.rows() x d]. The first layer over features of both side
/// by side, whose part for the units is computed once for all samples.
template <typename T>
[[nodiscard]] nn::Var relu_of_pairs(nn::Tape<T>& tape, nn::Var units, nn::Var samples,
                                    Pairing pairing);

}  // namespace hloscope::predict
