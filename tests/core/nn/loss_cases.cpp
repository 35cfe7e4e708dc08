#include <limits>

#include "tests/core/nn/operation_cases.h"

namespace hloscope::testing {

namespace {

using In = const std::vector<nn::Var>&;
using nn::Tape;

// Of four_segments(): the last segment has two equal targets.
template <typename T>
const std::vector<T> kTargets = {3, 1, 2, 5, 2, 2, 7};
template <typename T>
const std::vector<T> kWeights = {1, 0.5, 2, 0, 3, 1, 0.25};
// Rows 1 and 5 have no target; row 3 is 0.
template <typename T>
const std::vector<T> kSomeTargets = {3,  std::numeric_limits<T>::quiet_NaN(), 2, 0,
                                     -2, std::numeric_limits<T>::infinity(),  7};

template <typename T>
nn::RankingTargets<T> ranking(const std::vector<T>& targets) {
  return {targets, four_segments()};
}

template <typename T>
auto pairs(nn::PairLoss kind, const std::vector<T>& targets) {
  return [kind, &targets](Tape<T>& t, In in) {
    return pairwise_loss(t, scale(t, in[0], T(3)), ranking(targets), kind).loss;
  };
}

}  // namespace

template <typename T>
std::vector<OperationCase<T>> loss_cases() {
  return {
      {"hinge", {{7, 1}}, pairs(nn::PairLoss::kHinge, kTargets<T>)},
      {"logistic", {{7, 1}}, pairs(nn::PairLoss::kLogistic, kTargets<T>)},
      {"hinge_some", {{7, 1}}, pairs(nn::PairLoss::kHinge, kSomeTargets<T>)},
      {"logistic_some", {{7, 1}}, pairs(nn::PairLoss::kLogistic, kSomeTargets<T>)},
      {"list_mle",
       {{7, 1}},
       [](Tape<T>& t, In in) { return list_mle_loss(t, in[0], ranking(kTargets<T>)).loss; }},
      {"list_mle_some",
       {{7, 1}},
       [](Tape<T>& t, In in) { return list_mle_loss(t, in[0], ranking(kSomeTargets<T>)).loss; }},
      {"mse", {{7, 1}}, [](Tape<T>& t, In in) { return mse_loss<T>(t, in[0], kTargets<T>).loss; }},
      {"mse_some",
       {{7, 1}},
       [](Tape<T>& t, In in) { return mse_loss<T>(t, in[0], kSomeTargets<T>).loss; }},
      {"weighted_mse",
       {{7, 1}},
       [](Tape<T>& t, In in) {
         return weighted_mse_loss<T>(t, in[0], kTargets<T>, kWeights<T>).loss;
       }},
      {"mape",
       {{7, 1}},
       [](Tape<T>& t, In in) { return mape_loss<T>(t, in[0], kTargets<T>).loss; }},
      {"mape_some",
       {{7, 1}},
       [](Tape<T>& t, In in) { return mape_loss<T>(t, in[0], kSomeTargets<T>).loss; }},
  };
}

template std::vector<OperationCase<float>> loss_cases();
template std::vector<OperationCase<double>> loss_cases();

}  // namespace hloscope::testing
