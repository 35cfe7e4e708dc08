"""Speed of the learned predictor beside JAX and PyTorch: the same network, sizes of kernels and batches.

    predictor_peers.py --cli hloscope-cli [--python PYTHON]... [--rounds 3] [--prefix "taskset -c 0"]

Each engine runs in processes of its own with one thread, round by round in turns, so that other
load of the machine meets all of them; the best rate of all rounds and batch sizes counts. An engine
runs with the first of the Python interpreters that has it (this one is always asked); where none
has, it is left out. Python needs NumPy. Of all three the time is that of a step on a batch that is
there already.

The network: 140 node features and an opcode embedding of 64 -> 128, 3 times relu([h, mean of h over
operands] W), maximum, mean and sum of each column -> 128 -> 1; MSE and Adam. hloscope adds biases,
gradient clipping and weight decay, as its trainings have them.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import time

BATCHES = (8, 16, 32, 64, 128)
NODE_FEATURES, OPCODES, EMBEDDING, HIDDEN, LAYERS = 140, 121, 64, 128, 3


def draw_batch(kernels):
    """Kernels of 20 to 60 nodes, 40 in the mean, with 1 or 2 operands for each node but the first."""
    import numpy as np
    rng = np.random.default_rng(kernels)
    sizes = 20 + (2 * np.arange(kernels) + 1) * 41 // (2 * kernels)
    rng.shuffle(sizes)
    begins = np.concatenate([[0], sizes.cumsum()])
    producers, consumers = [], []
    for begin, size in zip(begins, sizes):
        for node in range(1, size):
            for operand in sorted(set(rng.integers(0, node, rng.integers(1, 3)))):
                producers.append(begin + operand)
                consumers.append(begin + node)
    nodes = begins[-1]
    return {"x": rng.standard_normal((nodes, NODE_FEATURES)).astype(np.float32),
            "opcode": rng.integers(0, OPCODES, nodes),
            "producer": np.array(producers), "consumer": np.array(consumers),
            "kernel": np.repeat(np.arange(kernels), sizes), "sizes": sizes,
            "y": rng.standard_normal(kernels).astype(np.float32)}


def weights():
    import numpy as np
    rng = np.random.default_rng(0)

    def draw(rows, cols):
        return (rng.standard_normal((rows, cols)) / np.sqrt(rows)).astype(np.float32)

    return {"embedding": draw(OPCODES, EMBEDDING),
            "input": draw(NODE_FEATURES + EMBEDDING, HIDDEN),
            "layers": [draw(2 * HIDDEN, HIDDEN) for _ in range(LAYERS)],
            "readout": draw(3 * HIDDEN, HIDDEN), "output": draw(HIDDEN, 1)}


def best_rate(kernels, step, seconds):
    step()
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        step()
        best = min(best, time.perf_counter() - begin)
    return kernels / best


def jax_steps(kernels):
    import jax
    import jax.numpy as jnp
    data = draw_batch(kernels)
    sizes = data.pop("sizes")[:, None].astype("float32")
    data = {name: jnp.asarray(value) for name, value in data.items()}
    params = jax.tree.map(jnp.asarray, weights())

    def add_up(rows, to, count):
        return jax.ops.segment_sum(rows, to, count, indices_are_sorted=True)

    def forward(p, d):
        h = jax.nn.relu(jnp.concatenate([d["x"], p["embedding"][d["opcode"]]], 1) @ p["input"])
        count = h.shape[0]
        degree = jnp.maximum(add_up(jnp.ones(d["producer"].shape[0]), d["consumer"], count), 1)
        for w in p["layers"]:
            mean = add_up(h[d["producer"]], d["consumer"], count) / degree[:, None]
            h = jax.nn.relu(jnp.concatenate([h, mean], 1) @ w)
        total = add_up(h, d["kernel"], kernels)
        most = jax.ops.segment_max(h, d["kernel"], kernels, indices_are_sorted=True)
        joined = jnp.concatenate([most, total / sizes, total], 1)
        return (jax.nn.relu(joined @ p["readout"]) @ p["output"])[:, 0]

    def loss(p, d):
        return jnp.mean((forward(p, d) - d["y"]) ** 2)

    @jax.jit
    def train(p, m, v, d):
        g = jax.grad(loss)(p, d)
        m = jax.tree.map(lambda a, b: .9 * a + .1 * b, m, g)
        v = jax.tree.map(lambda a, b: .999 * a + .001 * b * b, v, g)
        p = jax.tree.map(lambda a, b, c: a - 1e-3 * b / (jnp.sqrt(c) + 1e-8), p, m, v)
        return p, m, v

    predict = jax.jit(forward)
    zeros = jax.tree.map(jnp.zeros_like, params)
    state = [params, zeros, zeros]

    def step():
        state[:] = train(*state, data)
        jax.block_until_ready(state[0])

    return lambda: jax.block_until_ready(predict(params, data)), step


def torch_steps(kernels):
    import torch
    torch.set_num_threads(1)
    data = {name: torch.as_tensor(value) for name, value in draw_batch(kernels).items()}
    own = weights()
    layers = [torch.tensor(w, requires_grad=True) for w in own.pop("layers")]
    p = {name: torch.tensor(value, requires_grad=True) for name, value in own.items()}
    optimiser = torch.optim.Adam(list(p.values()) + layers, lr=1e-3, foreach=True)
    nodes = len(data["x"])
    degree = torch.bincount(data["consumer"], minlength=nodes).clamp(min=1)[:, None].float()
    sizes = data["sizes"].float()[:, None]
    # The nodes of each kernel as a row of places, for the maximum; the last one is empty.
    ends = data["sizes"].cumsum(0)
    places = torch.arange(int(data["sizes"].max()))[None] + (ends - data["sizes"])[:, None]
    places = torch.where(places < ends[:, None], places, torch.tensor(nodes))

    def forward():
        embedded = p["embedding"].index_select(0, data["opcode"])
        h = torch.relu(torch.cat([data["x"], embedded], 1) @ p["input"])
        for w in layers:
            heard = h.index_select(0, data["producer"])
            mean = torch.zeros_like(h).index_add(0, data["consumer"], heard) / degree
            h = torch.relu(torch.cat([h, mean], 1) @ w)
        total = torch.zeros(kernels, HIDDEN).index_add(0, data["kernel"], h)
        padded = torch.cat([h, torch.zeros(1, HIDDEN)]).index_select(0, places.flatten())
        most = padded.view(kernels, -1, HIDDEN).amax(1)  # relu leaves nothing below 0
        joined = torch.cat([most, total / sizes, total], 1)
        return (torch.relu(joined @ p["readout"]) @ p["output"])[:, 0]

    def predict():
        with torch.no_grad():
            forward()

    def step():
        optimiser.zero_grad(set_to_none=True)
        ((forward() - data["y"]) ** 2).mean().backward()
        optimiser.step()

    return predict, step


def measure_here(engine, seconds):
    steps = {"jax": jax_steps, "torch": torch_steps}[engine]
    out = []
    for kernels in BATCHES:
        predict, train = steps(kernels)
        out.append({"batch": kernels, "forward_kernels_per_s": best_rate(kernels, predict, seconds),
                    "train_kernels_per_s": best_rate(kernels, train, seconds)})
    print(json.dumps(out))


def one_thread(engine):
    env = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    if engine == "jax":
        env["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
        env["JAX_PLATFORMS"] = "cpu"
    return env


def commands(options):
    found = {"hloscope": [options.cli, "bench", "predictor", "--json"]}
    for engine in ("jax", "torch"):
        for python in [sys.executable] + options.python:
            if subprocess.run([python, "-c", "import numpy, " + engine],
                              stderr=subprocess.DEVNULL).returncode == 0:
                found[engine] = [python, __file__, "--engine", engine,
                                 "--seconds", str(options.seconds)]
                break
        else:
            print(f"{engine} is left out: no Python interpreter has it", file=sys.stderr)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default="hloscope-cli")
    parser.add_argument("--python", action="append", default=[], help="further interpreters")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure of a peer")
    parser.add_argument("--prefix", default="", help="put before each command")
    parser.add_argument("--engine", choices=("jax", "torch"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        return measure_here(options.engine, options.seconds)
    best = {}
    for _ in range(options.rounds):
        for engine, command in commands(options).items():
            text = subprocess.run(shlex.split(options.prefix) + command, env=one_thread(engine),
                                  check=True, capture_output=True, text=True).stdout
            rows = json.loads(text)
            for row in rows["batches"] if engine == "hloscope" else rows:
                for what in ("forward", "train"):
                    found = (row[what + "_kernels_per_s"], row["batch"])
                    best[engine, what] = max(best.get((engine, what), (0, 0)), found)
    for what in ("forward", "train"):
        for engine in sorted({e for e, _ in best}):
            rate, batch = best[engine, what]
            print(f"{what:8} {engine:9} {rate:8.0f} kernels/s (batch {batch})")
        peers = [rate for (e, w), (rate, _) in best.items() if w == what and e != "hloscope"]
        if peers:
            print(f"{what:8} hloscope / faster peer: {best['hloscope', what][0] / max(peers):.2f}")


if __name__ == "__main__":
    main()
