"""Gradient-boosted trees on pooled features, as a control of the learned models.

    features_dump tiles.hloscope random tiles.npz
    lightgbm_control.py tiles.npz [--estimates off|features|residual] [--rounds 400] [--threads 1]

The trees are given what ridge regression is given (core/predict/pooled_features.h: mean and maximum
over the nodes, counts of opcodes, the number of nodes, static features), of task tile also the
features of the tile, and with --estimates the terms of the analytical model; `residual` also starts
from its time. Task tile: squared error of log(time), centred over the tiles of a kernel. Task
fusion: absolute error of log(time). The number of rounds is the one that is best on the validation
part, by tau or by MAPE, as trainings of the product choose their step; what is printed is of the
test part, in the definitions of core/predict/metrics.h. The row of the analytical model must be
that of `hloscope-cli evaluate`: it checks those definitions.

Needs NumPy, SciPy and LightGBM.
"""

import argparse
import time

import lightgbm
import numpy as np
from scipy.stats import kendalltau

TRAIN, VALID, TEST = 0, 1, 2
LEAST_TILES = 10
LARGE_NS = 5000
ROUNDS_BETWEEN = 25  # evaluations on the validation part
PARAMETERS = {"learning_rate": 0.05, "num_leaves": 63, "min_data_in_leaf": 20, "max_bin": 127,
              "feature_fraction": 0.5, "bagging_fraction": 0.8, "bagging_freq": 1, "seed": 1,
              "deterministic": True, "force_row_wise": True, "verbose": -1}


class Data:
    def __init__(self, path):
        arrays = np.load(path)
        self.is_tile, self.tile_width = arrays["task_and_tile_width"]
        self.is_tile = self.is_tile == 0
        self.pooled = arrays["pooled"]
        self.configurations = arrays["configurations"]
        self.kernel = arrays["kernel"]
        self.part = arrays["part"]
        self.time_ns = arrays["time_ns"]
        self.analytical_ns = arrays["analytical_ns"]
        self.seen = list(zip(arrays["seen_kernel"], arrays["seen_program"],
                             arrays["seen_executions"]))
        self.count = np.bincount(self.kernel, minlength=len(self.part))
        self.begin = np.concatenate([[0], self.count.cumsum()])

    def rows(self, part):
        return np.flatnonzero(self.part[self.kernel] == part)

    def features(self, rows, with_estimates):
        pooled = self.pooled[:, self.pooled.std(axis=0) > 0][self.kernel[rows]]
        width = None if with_estimates else self.tile_width
        return np.hstack([pooled, self.configurations[rows, :width]])

    def centred(self, values):
        sums = np.bincount(self.kernel, values, minlength=len(self.part))
        return values - (sums / np.maximum(self.count, 1))[self.kernel]

    def targets(self, start):
        log_times = np.log(np.maximum(self.time_ns, 1e-3)) - start
        return self.centred(log_times) if self.is_tile else log_times


def mean_ape(regrets):
    """Of (program, regret, best): sum of regrets over sum of best times, mean over programs."""
    programs = {}
    for program, regret, best in regrets:
        sums = programs.setdefault(program, [0.0, 0.0])
        sums[0] += regret
        sums[1] += best
    return np.mean([regret / best for regret, best in programs.values() if best > 0])


def ranking_metrics(data, scores, part=TEST):
    taus, slowdowns, chosen = [], {1: [], 5: [], 10: []}, {}
    for kernel in np.flatnonzero(data.part == part):
        rows = slice(data.begin[kernel], data.begin[kernel + 1])
        times = data.time_ns[rows]
        ordered = times[np.argsort(scores[rows], kind="stable")]
        chosen[kernel] = (ordered[0] - times.min(), times.min())
        if len(times) < LEAST_TILES:
            continue
        taus.append(kendalltau(scores[rows], times).statistic)
        for k, values in slowdowns.items():
            values.append(ordered[:k].min() / times.min() - 1)
    out = {"tau": np.nanmean(taus)}
    out.update({f"top {k} %": 100 * np.mean(values) for k, values in slowdowns.items()})
    out["tile APE %"] = 100 * mean_ape(
        (program, *chosen[kernel]) for kernel, program, _ in data.seen if kernel in chosen)
    return out


def time_metrics(data, scores, part=TEST):
    rows = data.rows(part)
    times, predicted = data.time_ns[rows], np.exp(scores[rows])
    errors = np.abs(predicted - times) / times
    sums = {}
    for kernel, program, executions in data.seen:
        if data.part[kernel] == part:
            row = data.begin[kernel]
            sum_ = sums.setdefault(program, np.zeros(2))
            sum_ += executions * np.array([np.exp(scores[row]), data.time_ns[row]])
    programs = [abs(p - t) / t for p, t in sums.values() if t > 0]
    return {"MAPE %": 100 * errors.mean(), "median APE %": 100 * np.median(errors),
            "tau": kendalltau(predicted, times).statistic,
            "MAPE >= 5 us %": 100 * errors[times >= LARGE_NS].mean(),
            "program %": 100 * np.mean(programs)}


def boosted(data, estimates, rounds, threads):
    """Scores of all rows: log(time), of task tile up to a number for each kernel."""
    start = np.log(data.analytical_ns) if estimates == "residual" else np.zeros(len(data.kernel))
    targets = data.targets(start)
    parameters = dict(PARAMETERS, objective="regression" if data.is_tile else "regression_l1",
                      num_threads=threads)
    train, valid, test = (data.rows(part) for part in (TRAIN, VALID, TEST))
    with_estimates = estimates != "off"
    known = lightgbm.Dataset(data.features(train, with_estimates), targets[train])
    trees = lightgbm.train(parameters, known, rounds)
    scores = np.full(len(data.kernel), np.nan)

    def predict(part_rows, features, last):
        scores[part_rows] = start[part_rows] + trees.predict(features, num_iteration=last)
        return scores

    best = rounds
    if len(valid):
        features = data.features(valid, with_estimates)
        tried = range(ROUNDS_BETWEEN, rounds + 1, ROUNDS_BETWEEN)
        best = max(tried, key=lambda last: validation(data, predict(valid, features, last)),
                   default=rounds)
    return predict(test, data.features(test, with_estimates), best), best


def validation(data, scores):
    """Larger is better."""
    if data.is_tile:
        return ranking_metrics(data, scores, VALID)["tau"]
    return -time_metrics(data, scores, VALID)["MAPE %"]


def print_row(name, metrics):
    print(f"{name:32}" + "".join(f"  {key} {value:.4f}" for key, value in metrics.items()),
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", help="an .npz file of features_dump")
    parser.add_argument("--estimates", nargs="+", default=["off"],
                        choices=["off", "features", "residual"])
    parser.add_argument("--rounds", type=int, default=400)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    data = Data(arguments.rows)
    measure = ranking_metrics if data.is_tile else time_metrics
    print_row("analytical", measure(data, np.log(data.analytical_ns)))
    for estimates in arguments.estimates:
        begin = time.monotonic()
        scores, trees = boosted(data, estimates, arguments.rounds, arguments.threads)
        print_row(f"LightGBM, estimates {estimates}", measure(data, scores))
        print(f"    {trees} rounds, {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
