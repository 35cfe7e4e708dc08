#include "core/accuracy/least_squares.h"

#include <cmath>

#include "tests/support/test_registry.h"

using namespace hloscope;
using accuracy::least_squares;
using accuracy::solve_spd;

namespace {

bool near_solution(double a, double b, double tolerance = 1e-9) {
  return std::abs(a - b) <= tolerance;
}

// Its only minimum is 0, at (1, 1).
std::vector<double> rosenbrock(std::span<const double> x) {
  return {10 * (x[1] - x[0] * x[0]), 1 - x[0]};
}

// y = exp(a t) b at t = 0 ... 7 with a = -0.3, b = 2, and a pull on a third unknown.
std::vector<double> decay(std::span<const double> x) {
  std::vector<double> r;
  for (int t = 0; t < 8; ++t) r.push_back(std::exp(x[0] * t) * x[1] - 2 * std::exp(-0.3 * t));
  r.push_back(0.03 * (x[2] - 5));
  return r;
}

}  // namespace

class TestLeastSquares : public QObject {
  Q_OBJECT
 private slots:
  // 4x + 2y = 2, 2x + 3y = 1; and L L' = A of a 3 x 3 matrix by hand.
  void solves_by_cholesky() {
    const auto two = solve_spd({4, 2, 2, 3}, {2, 1});
    QVERIFY(near_solution(two[0], 0.5) && near_solution(two[1], 0));
    const auto three = solve_spd({4, 12, -16, 12, 37, -43, -16, -43, 98}, {4, 12, -16});
    QVERIFY(near_solution(three[0], 1) && near_solution(three[1], 0) && near_solution(three[2], 0));
  }
  void refuses_what_is_not_positive_definite() {
    QVERIFY(solve_spd({1, 2, 2, 1}, {1, 1}).empty());
    QVERIFY(solve_spd({0, 0, 0, 0}, {1, 1}).empty());
  }
  void finds_the_end_of_a_bent_valley() {
    ThreadPool threads(1);
    const auto fit = least_squares(rosenbrock, {-1.2, 1}, threads);
    QVERIFY(fit);
    QVERIFY2(near_solution(fit->x[0], 1, 1e-2) && near_solution(fit->x[1], 1, 2e-2),
             qPrintable(QString("%1 %2").arg(fit->x[0]).arg(fit->x[1])));
    QVERIFY(fit->cost < 1e-4);
  }
  void finds_what_the_data_tell_and_keeps_the_rest() {
    ThreadPool threads(1);
    const auto fit = least_squares(decay, {-1, 1, 5}, threads);
    QVERIFY(fit);
    QVERIFY(near_solution(fit->x[0], -0.3, 1e-3));
    QVERIFY(near_solution(fit->x[1], 2, 1e-3));
    QCOMPARE(fit->x[2], 5.0);
  }
  void threads_change_nothing() {
    ThreadPool one(1);
    ThreadPool three(3);
    QCOMPARE(least_squares(decay, {-1, 1, 4}, one)->x, least_squares(decay, {-1, 1, 4}, three)->x);
  }
  void stops_when_asked() {
    ThreadPool threads(1);
    std::stop_source stop;
    stop.request_stop();
    const auto fit = least_squares(decay, {-1, 1, 5}, threads, Progress(stop.get_token()));
    QVERIFY(!fit && fit.error().code == ErrorCode::kCancelled);
  }
};

HLOSCOPE_TEST(TestLeastSquares);
#include "test_least_squares.moc"
