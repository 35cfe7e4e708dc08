#include <fmt/format.h>

#include <cstring>
#include <thread>

#include "core/base/rng.h"
#include "core/nn/aligned.h"
#include "core/nn/gemm.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

struct Sizes {
  size_t rows, depth, cols;
};

// Shapes of layers, of single rows and columns, of attention heads, and odd ones.
constexpr Sizes kSizes[] = {{1200, 256, 128}, {41, 32, 41}, {1, 128, 512}, {1200, 128, 1},
                            {256, 1200, 128}, {7, 5, 3},    {1, 1000, 1},  {333, 77, 129}};

/// A matrix of numbers from -0.5 to 0.5 that starts `offset` numbers behind an aligned address.
template <typename T>
nn::Factor<T> numbers(nn::AlignedVector<T>& memory, size_t offset, size_t rows, size_t cols) {
  memory.assign(rows * cols + offset, T(0));
  Rng rng(rows * 10000 + cols);
  for (size_t i = 0; i < rows * cols; ++i) memory[offset + i] = static_cast<T>(rng.uniform() - 0.5);
  return {memory.data() + offset, rows, cols, cols, false};
}

/// a b, both from numbers(); transposed ones are stored the other way round.
template <typename T>
std::vector<T> product(Sizes sizes, bool a_transposed, bool b_transposed, size_t offset) {
  nn::AlignedVector<T> a_memory;
  nn::AlignedVector<T> b_memory;
  nn::AlignedVector<T> out(sizes.rows * sizes.cols + offset);
  const auto a = a_transposed ? numbers(a_memory, offset, sizes.depth, sizes.rows).t()
                              : numbers(a_memory, offset, sizes.rows, sizes.depth);
  const auto b = b_transposed ? numbers(b_memory, 3 * offset, sizes.cols, sizes.depth).t()
                              : numbers(b_memory, 3 * offset, sizes.depth, sizes.cols);
  nn::gemm<T>(a, b, T(0), {out.data() + offset, sizes.rows, sizes.cols, sizes.cols});
  return {out.begin() + static_cast<std::ptrdiff_t>(offset), out.end()};
}

template <typename Body>
void for_each_product(Body body) {
  for (const Sizes sizes : kSizes) {
    for (const bool a : {false, true}) {
      for (const bool b : {false, true}) body(sizes, a, b);
    }
  }
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}  // namespace

class TestGemm : public QObject {
  Q_OBJECT
 private slots:
  // Sums of `depth` products of at most 1/4: each addition rounds by 2^-24 of a partial sum, which
  // for random signs is about sqrt(depth) / 12.
  void floats_are_near_doubles() {
    for_each_product([](Sizes sizes, bool a, bool b) {
      const auto single = product<float>(sizes, a, b, 0);
      const auto exact = product<double>(sizes, a, b, 0);
      const double allowed = 0x1p-24 * static_cast<double>(sizes.depth + 2);
      for (size_t i = 0; i < exact.size(); ++i) {
        QVERIFY(std::abs(static_cast<double>(single[i]) - exact[i]) <= allowed);
      }
    });
  }

  void doubles_are_sums_of_products() {
    nn::AlignedVector<double> a_memory;
    nn::AlignedVector<double> b_memory;
    const double* a = numbers(a_memory, 0, 7, 5).data;
    const double* b = numbers(b_memory, 0, 3, 5).data;
    const auto found = product<double>({7, 5, 3}, false, true, 0);
    for (size_t r = 0; r < 7; ++r) {
      for (size_t c = 0; c < 3; ++c) {
        double sum = 0;
        for (size_t k = 0; k < 5; ++k) sum += a[r * 5 + k] * b[c * 5 + k];
        QVERIFY(std::abs(found[r * 3 + c] - sum) < 1e-15);
      }
    }
  }

  void bits_do_not_depend_on_addresses() {
    for_each_product([](Sizes sizes, bool a, bool b) {
      const auto expected = product<float>(sizes, a, b, 0);
      for (const size_t offset : {1, 3, 8, 16, 47}) {
        QVERIFY(same_bits(product<float>(sizes, a, b, offset), expected));
      }
    });
  }

  void bits_do_not_depend_on_threads() {
    std::vector<std::vector<float>> expected;
    const auto run = [](std::vector<std::vector<float>>& out) {
      for_each_product(
          [&](Sizes sizes, bool a, bool b) { out.push_back(product<float>(sizes, a, b, 0)); });
    };
    run(expected);
    std::vector<std::vector<float>> found[2];
    {
      const std::jthread first([&] { run(found[0]); });
      const std::jthread second([&] { run(found[1]); });
    }
    for (const auto& results : found) {
      QCOMPARE(results.size(), expected.size());
      for (size_t i = 0; i < expected.size(); ++i) QVERIFY(same_bits(results[i], expected[i]));
    }
  }

  void beta_scales_what_was_there() {
    const std::vector<float> a = {1, 2, 3, 4};
    const std::vector<float> b = {5, 6};
    std::vector<float> out = {10, 20};
    nn::gemm<float>({a.data(), 2, 2, 2, false}, {b.data(), 2, 1, 1, false}, 1.0F,
                    {out.data(), 2, 1, 1});
    QCOMPARE(out, (std::vector<float>{10 + 17, 20 + 39}));
    // Not a number in memory that is only written.
    out = {std::nanf(""), std::nanf("")};
    nn::gemm<float>({a.data(), 2, 2, 2, false}, {b.data(), 2, 1, 1, false}, 0.0F,
                    {out.data(), 2, 1, 1});
    QCOMPARE(out, (std::vector<float>{17, 39}));
  }

  void parts_of_matrices() {
    // Columns 1 and 2 of a 2 x 4 matrix, times column 0 of a 2 x 2 one, into column 1 of another.
    const std::vector<float> a = {9, 1, 2, 9, 9, 3, 4, 9};
    const std::vector<float> b = {5, 9, 6, 9};
    std::vector<float> out = {7, 7, 7, 7};
    nn::gemm<float>({a.data() + 1, 2, 2, 4, false}, {b.data(), 2, 1, 2, false}, 0.0F,
                    {out.data() + 1, 2, 1, 2});
    QCOMPARE(out, (std::vector<float>{7, 17, 7, 39}));
  }

  void nothing_to_sum_is_zero() {
    std::vector<float> out = {1, 2};
    nn::gemm<float>({nullptr, 2, 0, 0, false}, {nullptr, 0, 1, 1, false}, 0.0F,
                    {out.data(), 2, 1, 1});
    QCOMPARE(out, (std::vector<float>{0, 0}));
  }
};

HLOSCOPE_TEST(TestGemm);
#include "test_gemm.moc"
