#include "core/nn/parameter_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hloscope::nn {

namespace {

constexpr std::string_view kFirst = "adam.first/";
constexpr std::string_view kSecond = "adam.second/";
constexpr std::string_view kSteps = "adam.steps";

tl::unexpected<Error> foreign_tensor(std::string_view name, std::string_view what) {
  return fail(ErrorCode::kInvalidInput, fmt::format("tensor '{}' {}", name, what),
              "is it the file of another model?");
}

// Arrays laid out as the values of the parameters, one tensor for each.
void save_array(const ParameterSet<float>& parameters, std::span<const float> array,
                std::string_view prefix, SafeTensors& content) {
  for (const ParameterId id : parameters.ids()) {
    const size_t rows = parameters.rows(id);
    const size_t cols = parameters.cols(id);
    content.tensors.push_back(make_tensor(std::string(prefix) + parameters.name(id), {rows, cols},
                                          array.subspan(parameters.offset(id), rows * cols)));
  }
}

Result<const Tensor*> find_tensor(const SafeTensors& content, const std::string& name,
                                  ElementType type, const std::vector<uint64_t>& shape) {
  const Tensor* tensor = content.find(name);
  if (tensor == nullptr) return foreign_tensor(name, "is missing");
  if (tensor->type != type) {
    return foreign_tensor(
        name, fmt::format("is {}, but {} is needed", dtype_name(tensor->type), dtype_name(type)));
  }
  if (tensor->shape != shape) {
    return foreign_tensor(name, fmt::format("has the shape [{}], but [{}] is needed",
                                            fmt::join(tensor->shape, ","), fmt::join(shape, ",")));
  }
  return tensor;
}

Result<AlignedVector<float>> load_array(const SafeTensors& content,
                                        const ParameterSet<float>& parameters,
                                        std::string_view prefix) {
  AlignedVector<float> array(parameters.values().size(), 0.0F);
  for (const ParameterId id : parameters.ids()) {
    const std::string name = std::string(prefix) + parameters.name(id);
    HLOSCOPE_ASSIGN(const Tensor* tensor, find_tensor(content, name, ElementType::kF32,
                                                      {parameters.rows(id), parameters.cols(id)}));
    const std::vector<float> values = tensor_values<float>(*tensor);
    if (!std::ranges::all_of(values, [](float v) { return std::isfinite(v); })) {
      return foreign_tensor(name, "holds a number that is not finite");
    }
    std::ranges::copy(values, array.begin() + static_cast<std::ptrdiff_t>(parameters.offset(id)));
  }
  return array;
}

}  // namespace

void save_parameters(const ParameterSet<float>& parameters, SafeTensors& content,
                     std::string_view prefix) {
  save_array(parameters, parameters.values(), prefix, content);
}

Status load_parameters(const SafeTensors& content, ParameterSet<float>& parameters,
                       std::string_view prefix) {
  HLOSCOPE_ASSIGN(const AlignedVector<float> values, load_array(content, parameters, prefix));
  std::ranges::copy(values, parameters.values().begin());
  return {};
}

void save_adam(const Adam<float>& adam, const ParameterSet<float>& parameters,
               SafeTensors& content) {
  save_array(parameters, adam.first_moments(), kFirst, content);
  save_array(parameters, adam.second_moments(), kSecond, content);
  const auto steps = static_cast<int64_t>(adam.steps());
  content.tensors.push_back(make_tensor(std::string(kSteps), {}, std::span(&steps, 1)));
}

Status load_adam(const SafeTensors& content, const ParameterSet<float>& parameters,
                 Adam<float>& adam) {
  HLOSCOPE_ASSIGN(const AlignedVector<float> first, load_array(content, parameters, kFirst));
  HLOSCOPE_ASSIGN(const AlignedVector<float> second, load_array(content, parameters, kSecond));
  HLOSCOPE_ASSIGN(const Tensor* steps,
                  find_tensor(content, std::string(kSteps), ElementType::kI64, {}));
  const int64_t count = tensor_values<int64_t>(*steps).front();
  if (count < 0) return foreign_tensor(kSteps, "is negative");
  std::ranges::copy(first, adam.first_moments().begin());
  std::ranges::copy(second, adam.second_moments().begin());
  adam.set_steps(static_cast<uint64_t>(count));
  return {};
}

}  // namespace hloscope::nn
