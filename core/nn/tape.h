#pragma once

#include <cassert>
#include <initializer_list>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/index.h"
#include "core/nn/arena.h"
#include "core/nn/gemm.h"
#include "core/nn/matrix.h"
#include "core/nn/parameters.h"

namespace hloscope::nn {

struct VarTag;
/// A matrix on a tape; valid until the tape's reset().
using Var = Index<VarTag>;

/// Reverse-mode differentiation over matrices. Operations (operations.h, losses.h) compute their
/// result at once and note how gradients flow back; backward() goes over the notes in reverse.
/// One tape serves one thread. A step is: reset(), inputs, operations, backward(loss). All memory
/// comes from an arena that is kept from step to step. T is float, or double to check gradients.
template <typename T>
class Tape {
 public:
  /// Refers to the parameters, which must outlive the tape and keep their shapes.
  explicit Tape(const ParameterSet<T>& parameters);

  /// Forgets all matrices and notes, and keeps the memory.
  void reset();
  /// Off: nothing is noted for backward(), for predictions. On by default.
  void set_recording(bool on) { recording_ = on; }

  /// A matrix without gradient, to be filled through writable().
  [[nodiscard]] Var input(size_t rows, size_t cols);
  /// A matrix without gradient that lies elsewhere and must outlive the step.
  [[nodiscard]] Var constant(const T* data, size_t rows, size_t cols);
  /// A parameter; asked for twice in a step it is the same Var.
  [[nodiscard]] Var parameter(ParameterId id);

  [[nodiscard]] size_t rows(Var v) const { return slot(v).rows; }
  [[nodiscard]] size_t cols(Var v) const { return slot(v).cols; }
  [[nodiscard]] ConstMatrixMap<T> value(Var v) const;
  /// The value of an input or of the result of an operation, to be filled.
  [[nodiscard]] MatrixMap<T> writable(Var v);

  /// Computes gradients() of `seed` times the 1 x 1 matrix `loss`. Once between two reset().
  void backward(Var loss, T seed = T(1));
  /// Gradients of all parameters, laid out as ParameterSet::values(); 0 for those not used.
  [[nodiscard]] std::span<const T> gradients() const { return gradients_; }
  [[nodiscard]] size_t capacity_bytes() const { return arena_.capacity_bytes(); }

  // The rest is for operations.

  /// The result of an operation, not initialised.
  [[nodiscard]] Var output(size_t rows, size_t cols, std::span<const Var> inputs);
  [[nodiscard]] Var output(size_t rows, size_t cols, std::initializer_list<Var> inputs) {
    return output(rows, cols, std::span(inputs.begin(), inputs.size()));
  }
  /// True where a gradient is wanted: what only serves backward() is kept then.
  [[nodiscard]] bool needs_gradient(Var v) const { return slot(v).needs_gradient; }
  /// Notes `step(tape)`, called in backward() if the loss depends on `result`.
  template <typename Step>
  void on_backward(Var result, Step step);
  /// Memory until reset(), not initialised.
  template <typename U>
  [[nodiscard]] std::span<U> scratch(size_t n) {
    return arena_.allocate<U>(n);
  }
  [[nodiscard]] MatrixMap<T> scratch_matrix(size_t rows, size_t cols) {
    return map(scratch<T>(rows * cols).data(), rows, cols);
  }
  /// In backward(): the whole gradient of a result. Its operation may overwrite it.
  [[nodiscard]] MatrixMap<T> gradient(Var v);
  /// In backward(): makes room for the gradient of an input. True if nothing was added to it so
  /// far; then it is not initialised, and all of it has to be set.
  bool open_gradient(Var v);
  /// In backward(): the gradient of an input so far, to be added to.
  [[nodiscard]] MatrixMap<T> gradient_sum(Var v);
  /// In backward(): adds an array expression to the gradient of an input, where one is wanted.
  template <typename Expression>
  void add_gradient(Var v, const Expression& expression);
  /// In backward(): adds a product to the gradient of an input, where one is wanted.
  void add_product(Var v, const Factor<T>& a, const Factor<T>& b);

 private:
  struct Slot {
    T* value = nullptr;
    T* gradient = nullptr;  // null until something is added to it
    T* place = nullptr;     // where the gradient will lie; null: anywhere
    size_t rows = 0;
    size_t cols = 0;
    bool needs_gradient = false;
  };
  struct Step {
    Var result;
    const void* closure = nullptr;
    void (*call)(const void* closure, Tape& tape) = nullptr;
  };
  static MatrixMap<T> map(T* data, size_t rows, size_t cols) {
    return {data, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cols)};
  }
  [[nodiscard]] const Slot& slot(Var v) const { return slots_[v.value]; }
  Var add_slot(Slot slot);
  /// Where gradients of parameters go, and afterwards: 0 for those that have none.
  void place_parameter_gradients();
  void clear_unused_gradients();

  const ParameterSet<T>& parameters_;
  Arena arena_;
  std::vector<Slot> slots_;
  std::vector<Step> steps_;
  std::vector<Var> parameter_vars_;
  AlignedVector<T> gradients_;
  bool recording_ = true;
};

template <typename T>
template <typename Closure>
void Tape<T>::on_backward(Var result, Closure step) {
  static_assert(std::is_trivially_destructible_v<Closure>, "it is dropped with the arena");
  if (!needs_gradient(result)) return;
  const Closure* kept = new (arena_.allocate<Closure>(1).data()) Closure(step);
  const auto call = [](const void* closure, Tape& tape) {
    (*static_cast<const Closure*>(closure))(tape);
  };
  steps_.push_back({result, kept, call});
}

template <typename T>
template <typename Expression>
void Tape<T>::add_gradient(Var v, const Expression& expression) {
  if (!needs_gradient(v)) return;
  const bool fresh = open_gradient(v);
  if (fresh) {
    gradient(v).array() = expression;
  } else {
    gradient(v).array() += expression;
  }
}

extern template class Tape<float>;
extern template class Tape<double>;

}  // namespace hloscope::nn
