#pragma once

#include <string_view>

#include "core/nn/adam.h"
#include "core/nn/parameters.h"
#include "core/nn/safetensors.h"

namespace hloscope::nn {

/// Appends every parameter as a tensor of its name after `prefix`, with shape [rows, columns].
void save_parameters(const ParameterSet<float>& parameters, SafeTensors& content,
                     std::string_view prefix = "");

/// Sets the values of all parameters to the tensors of their names after `prefix`; other tensors
/// are left alone. Changes nothing on an error: kInvalidInput (a tensor is missing, has another
/// type or shape, or holds a number that is not finite).
[[nodiscard]] Status load_parameters(const SafeTensors& content, ParameterSet<float>& parameters,
                                     std::string_view prefix = "");

/// Appends the state of the optimiser: the tensors "adam.first/NAME" and "adam.second/NAME" of each
/// parameter, and "adam.steps". Restored, training goes on with the same bits.
void save_adam(const Adam<float>& adam, const ParameterSet<float>& parameters,
               SafeTensors& content);

/// Errors as load_parameters.
[[nodiscard]] Status load_adam(const SafeTensors& content, const ParameterSet<float>& parameters,
                               Adam<float>& adam);

}  // namespace hloscope::nn
