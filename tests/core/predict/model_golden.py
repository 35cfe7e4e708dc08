"""Prints model_golden.txt: predictions, loss and gradients of four models in plain operations of
PyTorch (float64), from the formulas of the headers in core/predict. Written against PyTorch 1.13:

    python3 model_golden.py > model_golden.txt

Number i of parameter k is stream(k, i) / 2. Of each gradient the line has its product with
stream(200 + k)."""

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
OPCODES = [24, 63, 2, 70, 63, 34]
GRAPHS = [(0, 4), (4, 6)]
SAMPLES = [(0, 3), (3, 5)]
OPERANDS = [[], [0], [0, 1], [2, 0], [], [4]]
USERS = [[1, 2, 3], [2], [3], [], [5], []]
TARGETS = [1.0, 3.0, 2.0, 0.5, 0.7]
H, E, HEADS = 6, 3, 2


def stream(k, *shape):
    i = torch.arange(torch.Size(shape).numel(), dtype=torch.float64)
    return torch.sin(1 + 0.9 * k + 1.7 * i + 0.37 * i * i).reshape(shape)


NODES, KERNELS, CONFIGURATIONS = stream(50, 6, 3), stream(51, 2, 2), stream(52, 5, 2)
ANALYTICAL = stream(53, 5, 1)


class Parameters(dict):
    """Made when first asked for; the order is that of the model."""

    def make(self, name, rows, cols):
        self[name] = (stream(len(self), rows, cols) / 2).requires_grad_()

    def dense(self, name, rows, cols):
        self.make(name + ".weight", rows, cols)
        self.make(name + ".bias", 1, cols)

    def apply(self, name, x):
        return x @ self[name + ".weight"] + self[name + ".bias"]

    def normed(self, name, x):
        return F.layer_norm(x, (H,), self[name + ".gain"][0], self[name + ".shift"][0])


def mean(rows):
    return rows.mean(0) if len(rows) else torch.zeros(H)


def report(model, p, prediction, loss):
    def line(name, numbers):
        print(model + "." + name, *["%.15g" % x for x in numbers])

    line("prediction", prediction.flatten().tolist())
    line("loss", [loss.item()])
    for k, (name, gradient) in enumerate(zip(p, torch.autograd.grad(loss, list(p.values())))):
        line(name, [(gradient * stream(200 + k, *gradient.shape)).sum().item()])


def sage_lstm():
    """GraphSAGE (mean, l2, both directions), LSTM, late join, static features of the kernel."""
    p = Parameters()
    p.make("opcode.embedding", 256, E)
    p.make("input.opcode.weight", E, H)
    p.dense("input.node", 3, H)
    for layer in ("network.0", "network.1"):
        p.dense(layer + ".operand", H, H)
        p.dense(layer + ".user", H, H)
        p.dense(layer + ".update", 3 * H, H)
    p.dense("readout.lstm", H, 4 * H)
    p.make("readout.lstm.recurrent", H, 4 * H)
    p.dense("head.readout", H, H)
    p.make("head.static.weight", 2, H)
    p.make("head.configuration.weight", 2, H)
    p.dense("output", H, 1)

    w = torch.cat([p["input.opcode.weight"], p["input.node.weight"]])
    x = F.relu(torch.cat([p["opcode.embedding"][OPCODES], NODES], 1) @ w + p["input.node.bias"])
    for layer in ("network.0", "network.1"):
        heard = [F.relu(p.apply(layer + side, x)) for side in (".operand", ".user")]
        rows = [torch.cat([x[i], mean(heard[0][OPERANDS[i]]), mean(heard[1][USERS[i]])])
                for i in range(6)]
        x = F.normalize(F.relu(p.apply(layer + ".update", torch.stack(rows))), dim=1)
    out = []
    for g, (begin, end) in enumerate(GRAPHS):
        h = c = torch.zeros(1, H)
        for i in range(begin, end):
            gates = p.apply("readout.lstm", x[i:i + 1]) + h @ p["readout.lstm.recurrent"]
            a, f, z, o = gates.chunk(4, 1)
            c = torch.sigmoid(f) * c + torch.sigmoid(a) * torch.tanh(z)
            h = torch.sigmoid(o) * torch.tanh(c)
        w = torch.cat([p["head.readout.weight"], p["head.static.weight"],
                       p["head.configuration.weight"]])
        for s in range(*SAMPLES[g]):
            joined = torch.cat([h[0], KERNELS[g], CONFIGURATIONS[s]])[None]
            out.append(p.apply("output", F.relu(joined @ w + p["head.readout.bias"])))
    out = torch.cat(out)
    losses = []
    for begin, end in SAMPLES:
        pairs = [F.relu(1 - (out[i, 0] - out[j, 0])) for i in range(begin, end)
                 for j in range(begin, end) if TARGETS[i] > TARGETS[j]]
        losses.append(sum(pairs) / ((end - begin) * (end - begin - 1) / 2))
    report("sage_lstm", p, out, sum(losses) / len(losses))


def plain_parameters():
    """Of GraphSAGE without message layer, up to the first layer of the head."""
    p = Parameters()
    p.make("opcode.embedding", 256, E)
    p.make("input.opcode.weight", E, H)
    p.dense("input.node", 3, H)
    for layer in ("network.0", "network.1"):
        p.dense(layer + ".update", 2 * H, H)
    p.dense("head.readout", 3 * H, H)
    return p


def plain_network(p):
    """Mean of the operands, no l2 -> a row for each node."""
    w = torch.cat([p["input.opcode.weight"], p["input.node.weight"]])
    x = F.relu(torch.cat([p["opcode.embedding"][OPCODES], NODES], 1) @ w + p["input.node.bias"])
    for layer in ("network.0", "network.1"):
        rows = [torch.cat([x[i], mean(x[OPERANDS[i]])]) for i in range(6)]
        x = F.relu(p.apply(layer + ".update", torch.stack(rows)))
    return x


def plain_sage():
    """GraphSAGE without message layer (mean of the operands, no l2), columnwise, no configurations."""
    p = plain_parameters()
    p.dense("output", H, 1)

    x = plain_network(p)
    out = []
    for g, (begin, end) in enumerate(GRAPHS):
        rows = x[begin:end]
        kernel = torch.cat([rows.sum(0), rows.mean(0), rows.max(0).values])[None]
        y = p.apply("output", F.relu(p.apply("head.readout", kernel)))
        out += [y] * (SAMPLES[g][1] - SAMPLES[g][0])
    out = torch.cat(out)
    report("plain_sage", p, out, ((out[:, 0] - torch.tensor(TARGETS)) ** 2).mean())


def residual_sage():
    """GraphSAGE as plain_sage, configurations joined late, two hidden layers behind them, and the log
    of the analytical time added."""
    p = plain_parameters()
    p.make("head.configuration.weight", 2, H)
    p.dense("head.1", H, H)
    p.dense("output", H, 1)
    p.make("output.analytical", 1, 1)

    x = plain_network(p)
    w = torch.cat([p["head.readout.weight"], p["head.configuration.weight"]])
    out = []
    for g, (begin, end) in enumerate(GRAPHS):
        rows = x[begin:end]
        kernel = torch.cat([rows.sum(0), rows.mean(0), rows.max(0).values])
        for s in range(*SAMPLES[g]):
            joined = torch.cat([kernel, CONFIGURATIONS[s]])[None]
            y = F.relu(joined @ w + p["head.readout.bias"])
            y = p.apply("output", F.relu(p.apply("head.1", y)))
            out.append(y + ANALYTICAL[s] * p["output.analytical"])
    out = torch.cat(out)
    targets = torch.tensor(TARGETS)
    report("residual_sage", p, out, ((out[:, 0].exp() - targets.exp()).abs() / targets.exp()).mean())


def attention(p, x):
    """Two heads over operands, users and the node itself."""
    z = p.apply("network.0.neighbour", x).reshape(-1, HEADS, H // HEADS)
    own = (z * p["network.0.neighbour.attention_own"].reshape(HEADS, -1)).sum(2)
    other = (z * p["network.0.neighbour.attention_neighbour"].reshape(HEADS, -1)).sum(2)
    rows = []
    for i in range(len(x)):
        heard = [i] + OPERANDS[i] + USERS[i]
        a = F.softmax(F.leaky_relu(own[i] + other[heard], 0.2), 0)
        rows.append((a[:, :, None] * z[heard]).sum(0).flatten())
    return F.relu(torch.stack(rows))


def encoder(p, x):
    name = "readout.encoder.0."
    n = p.normed(name + "norm1", x)
    q, k, v = [p.apply(name + part, n).reshape(-1, HEADS, H // HEADS).transpose(0, 1)
               for part in ("query", "key", "value")]
    a = F.softmax(q @ k.transpose(1, 2) / (H // HEADS) ** 0.5, 2)
    x = x + p.apply(name + "out", (a @ v).transpose(0, 1).reshape(-1, H))
    wide = F.gelu(p.apply(name + "wide", p.normed(name + "norm2", x)), approximate="tanh")
    return p.normed("readout.norm", x + p.apply(name + "narrow", wide))


def gat_transformer():
    """Attention (undirected, no l2), Transformer, early join, static features of nodes."""
    p = Parameters()
    p.make("opcode.embedding", 256, E)
    p.make("input.opcode.weight", E, H)
    p.dense("input.node", 3, H)
    p.make("input.static.weight", 2, H)
    p.make("input.configuration.weight", 2, H)
    p.dense("network.0.neighbour", H, H)
    p.make("network.0.neighbour.attention_own", 1, H)
    p.make("network.0.neighbour.attention_neighbour", 1, H)
    name = "readout.encoder.0."
    p.make(name + "norm1.gain", 1, H)
    p.make(name + "norm1.shift", 1, H)
    for part in ("query", "key", "value", "out"):
        p.dense(name + part, H, H)
    p.make(name + "norm2.gain", 1, H)
    p.make(name + "norm2.shift", 1, H)
    p.dense(name + "wide", H, 2 * H)
    p.dense(name + "narrow", 2 * H, H)
    p.make("readout.norm.gain", 1, H)
    p.make("readout.norm.shift", 1, H)
    p.dense("head.readout", 3 * H, H)
    p.dense("output", H, 1)

    w = torch.cat([p["input.opcode.weight"], p["input.node.weight"], p["input.static.weight"],
                   p["input.configuration.weight"]])
    out = []
    for g, (begin, end) in enumerate(GRAPHS):
        for s in range(*SAMPLES[g]):
            rows = [torch.cat([p["opcode.embedding"][OPCODES[i]], NODES[i], KERNELS[g],
                               CONFIGURATIONS[s]]) for i in range(6)]
            x = F.relu(torch.stack(rows) @ w + p["input.node.bias"])
            x = encoder(p, attention(p, x)[begin:end])
            kernel = torch.cat([x.sum(0), x.mean(0), x.max(0).values])[None]
            out.append(p.apply("output", F.relu(p.apply("head.readout", kernel))))
    out = torch.cat(out)
    report("gat_transformer", p, out, ((out[:, 0] - torch.tensor(TARGETS)) ** 2).mean())


sage_lstm()
plain_sage()
residual_sage()
gat_transformer()
