"""Prints torch_golden.txt: values and gradients of PyTorch (float64) for the cases of
operation_cases.h, and the steps of its optimisers (float32). Written against PyTorch 1.13:

    python3 torch_golden.py > torch_golden.txt

Each line is a name and numbers: NAME.out is the result, NAME.k the gradient of input k of
sum(result * stream(100))."""

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
SEGMENTS = [(0, 3), (3, 3), (3, 4), (4, 7)]
NEIGHBOURS = [[1, 4], [], [0], [2, 2, 4], [3]]
TARGETS = [3.0, 1, 2, 5, 2, 2, 7]
WEIGHTS = [1, 0.5, 2, 0, 3, 1, 0.25]


def stream(k, n):
    i = torch.arange(n, dtype=torch.float64)
    return torch.sin(1 + 0.9 * k + 1.7 * i + 0.37 * i * i)


def line(name, numbers):
    print(name, *["%.15g" % x for x in numbers.detach().flatten().tolist()])


def case(name, shapes, build):
    inputs = [stream(k, r * c).reshape(r, c).requires_grad_() for k, (r, c) in enumerate(shapes)]
    out = build(*inputs)
    line(name + ".out", out)
    gradients = torch.autograd.grad((out.flatten() * stream(100, out.numel())).sum(), inputs)
    for k, gradient in enumerate(gradients):
        line("%s.%d" % (name, k), gradient)


def groups(x, reduce):
    """reduce(rows) of each segment, 0 for the empty one."""
    zero = torch.zeros(x.shape[1])
    return torch.stack([reduce(x[b:e]) if e > b else zero for b, e in SEGMENTS])


def neighbours(x, reduce):
    zero = torch.zeros(x.shape[1])
    return torch.stack([reduce(x[n]) if n else zero for n in NEIGHBOURS])


def each_segment(x, f):
    return torch.cat([f(x[b:e]) for b, e in SEGMENTS if e > b])


REDUCE = {"sum": lambda r: r.sum(0), "mean": lambda r: r.mean(0), "max": lambda r: r.max(0).values}
case("matmul", [(4, 3), (3, 5)], torch.matmul)
case("linear", [(4, 3), (3, 5), (1, 5)], lambda x, w, b: F.linear(x, w.T, b[0]))
case("linear_relu", [(6, 3), (3, 5), (1, 5)], lambda x, w, b: F.relu(F.linear(x, w.T, b[0])))
case("gather_rows", [(5, 3)], lambda x: F.embedding(torch.tensor([0, 4, 4, 2, 0, 1]), x))
case("broadcast_rows", [(4, 3)],
     lambda x: x.repeat_interleave(torch.tensor([e - b for b, e in SEGMENTS]), 0))
case("last_rows", [(7, 3)], lambda x: groups(x, lambda r: r[-1]))
for kind, f in REDUCE.items():
    case("segment_" + kind, [(7, 3)], lambda x: groups(x, f))
    case("neighbour_" + kind, [(5, 3)], lambda x: neighbours(x, f))

case("relu", [(4, 5)], F.relu)
case("leaky_relu", [(4, 5)], lambda x: F.leaky_relu(x, 0.2))
case("tanh", [(4, 5)], lambda x: torch.tanh(4 * x))
case("sigmoid", [(4, 5)], lambda x: torch.sigmoid(4 * x))
case("exp", [(4, 5)], torch.exp)
case("gelu", [(4, 5)], lambda x: F.gelu(4 * x, approximate="tanh"))
case("concat", [(3, 2), (3, 1), (3, 4)], lambda *x: torch.cat(x, 1))
case("l2_normalise", [(4, 3)], lambda x: F.normalize(x, dim=1))
case("layer_norm", [(4, 5), (1, 5), (1, 5)], lambda x, g, b: F.layer_norm(x, (5,), g[0], b[0]))
case("instance_norm", [(7, 3)], lambda x: each_segment(
    x, lambda r: F.batch_norm(r, None, None, training=True) if len(r) > 1 else 0 * r))
case("segment_softmax", [(7, 2)], lambda x: each_segment(x, lambda r: F.softmax(r, 0)))


def weighted(x, w):
    rows, e = [], 0
    for n in NEIGHBOURS:
        parts = [(x[j].reshape(2, -1) * w[e + i][:, None]).flatten() for i, j in enumerate(n)]
        rows.append(sum(parts) if parts else torch.zeros(x.shape[1]))
        e += len(n)
    return torch.stack(rows)


def sage(x, w, b, w2, b2):
    mean = neighbours(F.relu(x @ w + b), REDUCE["mean"])
    return F.normalize(F.relu(torch.cat([x, mean], 1) @ w2 + b2), dim=1)


def gat(x, w, source, target):
    h = x @ w
    scores = lambda a: (h * a).reshape(-1, 2, 3).sum(2)
    weights = [F.softmax(F.leaky_relu(scores(source)[n] + scores(target)[i], 0.2), 0)
               for i, n in enumerate(NEIGHBOURS) if n]
    return weighted(h, torch.cat(weights))


def lstm(x, w, b, r):
    def run(rows):
        h, c, out = torch.zeros(1, r.shape[0]), torch.zeros(1, r.shape[0]), []
        for row in rows:
            h, c = torch.lstm_cell(row[None], (h, c), w.T, r.T, b[0], torch.zeros(b.shape[1]))
            out.append(h)
        return torch.cat(out)
    return each_segment(x, run)


def attention(heads):
    """By torch.nn.MultiheadAttention whose projections are the identity."""
    def run(q, k, v):
        d = q.shape[1]
        net = torch.nn.MultiheadAttention(d, heads, bias=False)
        names = {"in_proj_weight": torch.eye(d).repeat(3, 1), "out_proj.weight": torch.eye(d)}
        part = lambda b, e: torch.nn.utils.stateless.functional_call(
            net, names, (q[b:e], k[b:e], v[b:e]))[0]
        return torch.cat([part(b, e) for b, e in SEGMENTS if e > b])
    return run


case("head_scores", [(5, 6), (1, 6)], lambda x, a: (x * a).reshape(5, 2, 3).sum(2))
case("weighted_neighbour_sum", [(5, 6), (7, 2)], weighted)
case("sage", [(5, 3), (3, 4), (1, 4), (7, 6), (1, 6)], sage)
case("gat", [(5, 3), (3, 6), (1, 6), (1, 6)], gat)
case("lstm", [(7, 2), (2, 12), (1, 12), (3, 12)], lstm)
case("attention", [(7, 6)] * 3, attention(2))
case("self_attention", [(7, 6)], lambda x: attention(3)(x, x, x))


def ranking(loss_of_segment):
    """Mean over the segments with at least two rows."""
    def run(p):
        parts = [loss_of_segment(p[b:e, 0], torch.tensor(TARGETS[b:e]))
                 for b, e in SEGMENTS if e - b > 1]
        return sum(parts) / len(parts)
    return run


def pairs(kind):
    def loss(s, y):
        i, j = torch.nonzero(y[:, None] > y[None, :], as_tuple=True)
        n = len(y)
        if kind == "hinge":
            one = torch.ones(len(i))
            return F.margin_ranking_loss(s[i], s[j], one, margin=1, reduction="sum") / (n * (n - 1) / 2)
        return F.soft_margin_loss(s[i] - s[j], torch.ones(len(i)), reduction="sum") / (n * (n - 1) / 2)
    return ranking(lambda s, y: loss(3 * s, y))


def list_mle(s, y):
    score = -s[torch.sort(y, stable=True).indices]
    later = torch.logcumsumexp(score.flip(0), 0).flip(0)
    return (later - score).mean()


y = torch.tensor(TARGETS)[:, None]
w = torch.tensor(WEIGHTS)[:, None]
case("hinge", [(7, 1)], pairs("hinge"))
case("logistic", [(7, 1)], pairs("logistic"))
case("list_mle", [(7, 1)], ranking(list_mle))
case("mse", [(7, 1)], lambda p: F.mse_loss(p, y))
case("weighted_mse", [(7, 1)], lambda p: (w * (p - y) ** 2).sum() / w.sum())
case("mape", [(7, 1)], lambda p: ((p - y) / y).abs().mean())


def optimise(name, make):
    """Five steps from stream(0) with the gradients stream(1), stream(2), ..."""
    p = stream(0, 6).float().requires_grad_()
    optimiser = make([p])
    for step in range(5):
        p.grad = stream(step + 1, 6).float()
        optimiser.step()
        line("%s.step%d" % (name, step), p)


optimise("adam", lambda p: torch.optim.Adam(p, lr=0.01, weight_decay=0.1))
optimise("adamw", lambda p: torch.optim.AdamW(p, lr=0.02, betas=(0.8, 0.95), weight_decay=0.3))
p = torch.zeros(6, requires_grad=True)
p.grad = stream(1, 6)
norm = torch.nn.utils.clip_grad_norm_([p], 0.5)
line("clip.norm", norm)
line("clip.gradients", p.grad)
