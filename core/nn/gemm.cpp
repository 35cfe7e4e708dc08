#include "core/nn/gemm.h"

#include <dnnl.h>
#include <fmt/format.h>

#include <cassert>
#include <new>

// Of the OpenMP library. Its header comes with each compiler, and clang-tidy does not find GCC's.
extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int threads);
}

namespace hloscope::nn {

namespace {

/// oneDNN is built with OpenMP here and asks it for the number of threads in each call. We split
/// work between our own threads (data_parallel.h), so each product must stay on its own. The number
/// set here is that of the calling thread only: OpenMP keeps it per thread that is not its own, so
/// nothing of the host program changes, and it is put back.
class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) {
    if (before_ != 1) omp_set_num_threads(1);
  }
  ~OneThread() {
    if (before_ != 1) omp_set_num_threads(before_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

// Depth and result are at least 1 x 1 here. Its bits depend on shapes, strides and transpositions,
// not on addresses: tests/core/nn/test_gemm.cpp tries many.
void product(const Factor<float>& a, const Factor<float>& b, float beta, const Target<float>& out) {
  const OneThread one_thread;
  const auto size = [](size_t n) { return static_cast<dnnl_dim_t>(n); };
  const size_t depth = a.transposed ? a.rows : a.cols;
  const dnnl_status_t status =
      dnnl_sgemm(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', size(out.rows), size(out.cols),
                 size(depth), 1.0F, a.data, size(a.stride), b.data, size(b.stride), beta, out.data,
                 size(out.stride));
  if (status == dnnl_out_of_memory) throw std::bad_alloc();
  assert(status == dnnl_success);
}

using Stride = Eigen::OuterStride<>;
using ConstDoubles = Eigen::Map<const Matrix<double>, 0, Stride>;

void product(const Factor<double>& a, const Factor<double>& b, double beta,
             const Target<double>& out) {
  const ConstDoubles left(a.data, a.rows, a.cols, Stride(a.stride));
  const ConstDoubles right(b.data, b.rows, b.cols, Stride(b.stride));
  Eigen::Map<Matrix<double>, 0, Stride> result(out.data, out.rows, out.cols, Stride(out.stride));
  if (beta == 0.0) {
    result.setZero();
  } else {
    result *= beta;
  }
  if (a.transposed && b.transposed) {
    result.noalias() += left.transpose() * right.transpose();
  } else if (a.transposed) {
    result.noalias() += left.transpose() * right;
  } else if (b.transposed) {
    result.noalias() += left * right.transpose();
  } else {
    result.noalias() += left * right;
  }
}

}  // namespace

std::string gemm_backend() {
  const dnnl_version_t* version = dnnl_version();
  return fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch);
}

template <typename T>
void gemm(const Factor<T>& a, const Factor<T>& b, T beta, const Target<T>& out) {
  const size_t depth = a.transposed ? a.rows : a.cols;
  assert((a.transposed ? a.cols : a.rows) == out.rows);
  assert((b.transposed ? b.rows : b.cols) == out.cols);
  assert((b.transposed ? b.cols : b.rows) == depth);
  if (out.rows == 0 || out.cols == 0) return;
  if (depth > 0) {
    product(a, b, beta, out);
    return;
  }
  Eigen::Map<Matrix<T>, 0, Stride> result(out.data, out.rows, out.cols, Stride(out.stride));
  if (beta == T(0)) {
    result.setZero();
  } else {
    result *= beta;
  }
}

template void gemm(const Factor<float>&, const Factor<float>&, float, const Target<float>&);
template void gemm(const Factor<double>&, const Factor<double>&, double, const Target<double>&);

}  // namespace hloscope::nn
