"""Source text of random PyTorch modules in KernelBook's form: real Python that parses, from a few dozen families of modules
with random names, sizes and operators. Used by make_synthetic_kernelbook.py; all text is our own."""

ACTIVATIONS = ["relu", "tanh", "sigmoid", "gelu", "silu", "elu", "softplus", "leaky_relu", "hardtanh", "selu", "mish", "relu6"]
ACTIVATION_MODULES = ["ReLU", "Tanh", "Sigmoid", "GELU", "SiLU", "ELU", "Softplus", "LeakyReLU", "Hardswish", "PReLU", "CELU"]
ADJECTIVES = (
    "Gated Deep Dense Sparse Soft Hard Global Local Cross Self Dual Simple Scaled Shared Spatial Temporal Channel Masked "
    "Learned Residual Dilated Grouped Hyper Meta Multi Fused Combined Latent Fast Light Mini Adaptive Dynamic Linear"
).split()
NOUNS = {
    "vector": "Encoder Decoder Head Critic Actor Policy Projector Classifier Predictor Mlp Mapper Regressor Net".split(),
    "image": "Block Stem Bottleneck Backbone Neck Unit Layer Stage Branch Fusion Downsampler Upsampler".split(),
    "sequence": "Attention Mixer Pooler Aggregator Transformer FeedForward Interaction Memory Alignment".split(),
    "pointwise": "Activation Norm Scale Clamp Gate Transform Normalizer Smoother Pool".split(),
    "loss": "Loss Criterion Penalty Distance Divergence Regularizer Objective Metric".split(),
}
DOCS = [
    "Applies the transform to its input.",
    "A small block; sizes are given to the constructor.",
    "See the paper's section on architecture.",
    "Args:\n        x: the input\n\n    Returns:\n        a tensor of the same dtype",
    "Used by the policy as well as by the value function.",
    "Shapes are those of the first layer; no bias in the last one.",
    "Weights start from PyTorch's defaults.",
]


class Module:
    """One class: its text is in four parts, so that a file can hold several with one set of inputs."""

    def __init__(self, kind, arguments, setup, forward, inputs, given, methods="", signature="x"):
        self.kind, self.arguments, self.setup, self.forward = kind, arguments, setup, forward
        self.inputs, self.given, self.methods, self.signature = inputs, given, methods, signature


def shape(*sizes):
    return "torch.rand([%s])" % ", ".join(str(s) for s in sizes)


def act(r):
    return "F." + r.choice(ACTIVATIONS)


def mlp(r):
    layers, given = r.randint(1, 5), {"in_features": 4 * r.randint(1, 4), "hidden": r.choice([16, 32, 64, 128, 256])}
    setup, forward = [], []
    for i in range(layers):
        source = "in_features" if i == 0 else "hidden"
        setup.append(f"self.fc{i} = nn.Linear({source}, hidden, bias={r.random() < 0.8})")
        forward.append(f"x = self.fc{i}(x)")
        if r.random() < 0.3:
            setup.append(f"self.norm{i} = nn.LayerNorm(hidden)")
            forward.append(f"x = self.norm{i}(x)")
        forward.append(f"x = {act(r)}(x)")
        if r.random() < 0.2:
            setup.append(f"self.drop{i} = nn.Dropout({r.choice([0.1, 0.2, 0.5])})")
            forward.append(f"x = self.drop{i}(x)")
    if r.random() < 0.4:
        forward.append(
            r.choice(
                [
                    "x = torch.softmax(x, dim=-1)",
                    "x = x * %.2f" % r.uniform(0.1, 3),
                    "x = F.normalize(x, dim=-1)",
                    "x = torch.tanh(x) * 2.0",
                ]
            )
        )
    return Module("vector", given, setup, forward + ["return x"], [shape(4, 4, given["in_features"])], given)


def conv_chain(r):
    channels, width, size = r.choice([3, 4, 8]), r.choice([8, 16, 32, 64]), r.choice([16, 32, 64])
    setup, forward, source = [], [], "in_channels"
    for i in range(r.randint(1, 4)):
        kernel = r.choice([1, 3, 5, 7])
        setup.append(f"self.conv{i} = nn.Conv2d({source}, width, {kernel}, padding={kernel // 2}, stride={r.choice([1, 1, 2])})")
        forward.append(f"x = self.conv{i}(x)")
        norm = r.choice(["BatchNorm2d(width)", "InstanceNorm2d(width)", "GroupNorm(4, width)", None])
        if norm:
            setup.append(f"self.norm{i} = nn.{norm}")
            forward.append(f"x = self.norm{i}(x)")
        forward.append(f"x = {act(r)}(x)")
        source = "width"
    forward.append(
        r.choice(
            [
                "return x",
                "return F.adaptive_avg_pool2d(x, 1).flatten(1)",
                "return x.mean(dim=(2, 3))",
                "return F.max_pool2d(x, 2)",
                "return F.interpolate(x, scale_factor=2, mode='nearest')",
            ]
        )
    )
    given = {"in_channels": channels, "width": width}
    return Module("image", given, setup, forward, [shape(4, channels, size, size)], given)


def residual(r):
    channels, kernel = r.choice([4, 8, 16, 32]), r.choice([3, 5])
    setup = [
        f"self.conv1 = nn.Conv2d(channels, channels, {kernel}, padding={kernel // 2})",
        f"self.conv2 = nn.Conv2d(channels, channels, {kernel}, padding={kernel // 2})",
    ]
    forward = ["identity = x", f"out = {act(r)}(self.conv1(x))", "out = self.conv2(out)"]
    if r.random() < 0.5:
        setup.append("self.bn = nn.BatchNorm2d(channels)")
        forward.append("out = self.bn(out)")
    forward += [f"out = out + identity * {r.choice([1.0, 0.1, 0.2])}", f"return {act(r)}(out)"]
    return Module("image", {"channels": channels}, setup, forward, [shape(4, channels, 16, 16)], {"channels": channels})


def squeeze(r):
    channels, reduction = r.choice([16, 32, 64]), r.choice([2, 4, 8])
    setup = ["self.fc1 = nn.Conv2d(channels, channels // reduction, 1)", "self.fc2 = nn.Conv2d(channels // reduction, channels, 1)"]
    forward = ["w = F.adaptive_avg_pool2d(x, 1)", f"w = {act(r)}(self.fc1(w))", "w = torch.sigmoid(self.fc2(w))", "return x * w"]
    given = {"channels": channels, "reduction": reduction}
    return Module("image", given, setup, forward, [shape(4, channels, 32, 32)], given)


def attention(r):
    dim, heads, length = r.choice([16, 32, 64]), r.choice([1, 2, 4]), r.choice([4, 8, 16])
    setup = ["self.heads = heads", "self.scale = (dim // heads) ** -0.5"]
    setup += [f"self.{n} = nn.Linear(dim, dim, bias={r.random() < 0.5})" for n in ("query", "key", "value", "out")]
    if r.random() < 0.5:
        setup.append(f"self.dropout = nn.Dropout({r.choice([0.0, 0.1])})")
    methods = [
        "def split(self, x):",
        "    b, n, d = x.shape",
        "    return x.view(b, n, self.heads, d // self.heads).transpose(1, 2)",
    ]
    forward = [
        "q = self.split(self.query(x))",
        "k = self.split(self.key(x))",
        "v = self.split(self.value(x))",
        "scores = torch.matmul(q, k.transpose(-2, -1)) * self.scale",
    ]
    if r.random() < 0.4:
        forward += [
            "n = x.shape[1]",
            "mask = torch.ones(n, n, device=x.device).tril().bool()",
            "scores = scores.masked_fill(~mask, -1e9)",
        ]
    forward += [
        "weights = torch.softmax(scores, dim=-1)",
        "y = torch.matmul(weights, v).transpose(1, 2).reshape(x.shape)",
        "return self.out(y)",
    ]
    if r.random() < 0.3:
        forward[-1] = "return x + self.out(y)"
    given = {"dim": dim, "heads": heads}
    return Module("sequence", given, setup, forward, [shape(4, length, dim)], given, methods)


def additive_attention(r):
    dim = r.choice([4, 8, 16])
    setup = ["self.w1 = nn.Linear(dim, dim)", "self.w2 = nn.Linear(dim, dim)", "self.v = nn.Linear(dim, 1, bias=False)"]
    forward = [
        f"energy = {r.choice(['torch.tanh', 'F.relu', 'torch.sigmoid'])}(self.w1(query) + self.w2(keys))",
        "alpha = F.softmax(self.v(energy), dim=1)",
        r.choice(["return (alpha * keys).sum(dim=1)", "context = alpha * keys\n        return context.sum(1), alpha"]),
    ]
    return Module(
        "sequence", {"dim": dim}, setup, forward, [shape(4, 4, dim), shape(4, 4, dim)], {"dim": dim}, signature="query, keys"
    )


def feed_forward(r):
    dim = r.choice([8, 16, 32])
    setup = [
        "self.norm = nn.LayerNorm(dim)",
        f"self.net = nn.Sequential(nn.Linear(dim, dim * {r.choice([2, 4])}), nn.{r.choice(ACTIVATION_MODULES)}(), nn.Linear(dim * 4, dim))",
    ]
    factor = setup[1].split("dim * ")[1][0]
    setup[1] = setup[1].replace("nn.Linear(dim * 4, dim)", f"nn.Linear(dim * {factor}, dim)")
    return Module(
        "sequence",
        {"dim": dim},
        setup,
        [r.choice(["return x + self.net(self.norm(x))", "return self.norm(x + self.net(x))"])],
        [shape(4, 8, dim)],
        {"dim": dim},
    )


def gate(r):
    dim = r.choice([4, 8, 16, 64])
    setup = ["self.value = nn.Linear(dim, dim)", "self.gate = nn.Linear(dim, dim)"]
    forward = [
        "g = torch.sigmoid(self.gate(x))",
        f"h = {act(r)}(self.value(x))",
        r.choice(["return g * h + (1 - g) * x", "return g * h", "return torch.cat([g * h, x], dim=-1)"]),
    ]
    return Module("vector", {"dim": dim}, setup, forward, [shape(4, 4, 4, dim)], {"dim": dim})


def pointwise(r):
    steps = [
        "x = x * torch.sigmoid(x * %.2f)",
        "x = x * torch.tanh(F.softplus(x)) * %.2f",
        "x = torch.clamp(x, -%.2f, 1.0)",
        "x = x + torch.sin(x) * %.2f",
        "x = 0.5 * x * (1 + torch.tanh(%.4f * (x + 0.044715 * x ** 3)))",
        "x = torch.where(x > 0, x, x.exp() * %.2f)",
        "x = x.abs().pow(%.1f)",
        "x = torch.log1p(x.abs()) * %.2f",
        "x = x / (1 + x.abs() * %.2f)",
        "x = torch.exp(-x * x * %.2f)",
        "x = F.relu(x) ** 2 - %.2f",
    ]
    forward = [step % r.uniform(0.1, 3) for step in r.sample(steps, r.randint(1, 4))] + ["return x"]
    setup = ["self.inplace = inplace"]
    return Module("pointwise", {"inplace": False}, setup, forward, [shape(4, 4, 4, 4)], {})


def norm(r):
    dim, eps = r.choice([4, 8, 16]), r.choice(["1e-5", "1e-6", "1e-12"])
    setup = ["self.weight = nn.Parameter(torch.ones(dim))", "self.bias = nn.Parameter(torch.zeros(dim))", f"self.eps = {eps}"]
    forward = r.choice(
        [
            [
                "mean = x.mean(-1, keepdim=True)",
                "std = x.std(-1, keepdim=True)",
                "return self.weight * (x - mean) / (std + self.eps) + self.bias",
            ],
            ["variance = x.pow(2).mean(-1, keepdim=True)", "return self.weight * x * torch.rsqrt(variance + self.eps)"],
            [
                "u = x.mean(-1, keepdim=True)",
                "s = (x - u).pow(2).mean(-1, keepdim=True)",
                "x = (x - u) / torch.sqrt(s + self.eps)",
                "return self.weight * x + self.bias",
            ],
            ["length = torch.norm(x, dim=-1, keepdim=True)", "return x / (length + self.eps) * self.weight"],
        ]
    )
    return Module("pointwise", {"dim": dim}, setup, forward, [shape(4, 4, 4, dim)], {"dim": dim})


def pooling(r):
    p = round(r.uniform(1.5, 4), 1)
    setup = [f"self.p = nn.Parameter(torch.ones(1) * {p})", "self.eps = eps"]
    forward = r.choice(
        [
            ["return F.avg_pool2d(x.clamp(min=self.eps).pow(self.p), x.shape[-2:]).pow(1.0 / self.p)"],
            ["a = F.adaptive_avg_pool2d(x, 1)", "m = F.adaptive_max_pool2d(x, 1)", "return torch.cat([a, m], dim=1)"],
            ["return x.flatten(2).max(dim=-1)[0] * self.p"],
            ["y = F.max_pool2d(x, 3, stride=1, padding=1)", "return y - x + self.eps"],
        ]
    )
    return Module("pointwise", {"eps": 1e-06}, setup, forward, [shape(4, 4, 8, 8)], {})


def loss(r):
    setup = ["self.smooth = smooth", f"self.gamma = {r.choice([1.0, 1.5, 2.0, 2.5])}"]
    forward = r.choice(
        [
            [
                "intersection = (prediction * target).sum()",
                "total = prediction.sum() + target.sum()",
                "return 1 - (2 * intersection + self.smooth) / (total + self.smooth)",
            ],
            [
                "bce = F.binary_cross_entropy_with_logits(prediction, target, reduction='none')",
                "p = torch.exp(-bce)",
                "return ((1 - p) ** self.gamma * bce).mean()",
            ],
            [
                "difference = (prediction - target).abs()",
                "small = difference < self.smooth",
                "return torch.where(small, 0.5 * difference ** 2, self.smooth * (difference - 0.5 * self.smooth)).mean()",
            ],
            [
                "p = F.log_softmax(prediction, dim=1)",
                "q = F.softmax(target, dim=1)",
                "return F.kl_div(p, q, reduction='batchmean') * self.gamma",
            ],
            [
                "d = F.pairwise_distance(prediction, target, keepdim=True)",
                "return torch.mean(torch.clamp(self.gamma - d, min=0.0) ** 2)",
            ],
            ["similarity = F.cosine_similarity(prediction, target, dim=1)", "return (1 - similarity).mean() * self.gamma"],
            ["difference = prediction - target", "return torch.log(torch.cosh(difference + self.smooth)).mean()"],
            ["error = torch.sqrt((prediction - target) ** 2 + self.smooth ** 2)", "return error.sum() / prediction.shape[0]"],
        ]
    )
    return Module(
        "loss",
        {"smooth": r.choice([1.0, 0.001, 0.1])},
        setup,
        forward,
        [shape(4, 4, 4, 4), shape(4, 4, 4, 4)],
        {},
        signature="prediction, target",
    )


def actor_critic(r):
    given = {"state_dim": r.choice([4, 8]), "action_dim": r.choice([2, 4]), "max_action": 4}
    width = r.choice([64, 128, 256, 400])
    setup = [
        f"self.l1 = nn.Linear(state_dim, {width})",
        f"self.l2 = nn.Linear({width}, {width // 2})",
        f"self.l3 = nn.Linear({width // 2}, action_dim)",
        "self.max_action = max_action",
    ]
    forward = [
        f"a = {act(r)}(self.l1(state))",
        f"a = {act(r)}(self.l2(a))",
        r.choice(["return self.max_action * torch.tanh(self.l3(a))", "return F.log_softmax(self.l3(a), dim=-1)"]),
    ]
    return Module("vector", given, setup, forward, [shape(4, 4, given["state_dim"])], given, signature="state")


def variational(r):
    given = {"x_dim": r.choice([4, 16]), "z_dim": r.choice([4, 8]), "h_dim": r.choice([32, 64])}
    setup = [
        "self.hidden = nn.Linear(x_dim, h_dim)",
        "self.mean = nn.Linear(h_dim, z_dim)",
        "self.log_var = nn.Linear(h_dim, z_dim)",
        "self.back = nn.Linear(z_dim, x_dim)",
    ]
    methods = ["def encode(self, x):", f"    h = {act(r)}(self.hidden(x))", "    return self.mean(h), self.log_var(h)"]
    forward = [
        "mean, log_var = self.encode(x)",
        "z = mean + torch.exp(0.5 * log_var)",
        r.choice(["return torch.sigmoid(self.back(z)), mean, log_var", "return self.back(z)"]),
    ]
    return Module("vector", given, setup, forward, [shape(4, given["x_dim"])], given, methods)


def bilinear(r):
    dim = r.choice([4, 8, 16])
    setup = [
        "self.weight = nn.Parameter(torch.empty(dim, dim))",
        f"nn.init.{r.choice(['xavier_uniform_', 'kaiming_normal_', 'orthogonal_'])}(self.weight)",
    ]
    forward = r.choice(
        [
            ["return torch.matmul(torch.matmul(a, self.weight), b.transpose(1, 2))"],
            ["return torch.bmm(a @ self.weight, b.transpose(1, 2)).softmax(dim=-1)"],
            ["d = a.unsqueeze(2) - b.unsqueeze(1)", "return torch.sqrt((d @ self.weight).pow(2).sum(-1) + 1e-8)"],
            ["return torch.einsum('bnd,de,bme->bnm', a, self.weight, b)"],
        ]
    )
    return Module("sequence", {"dim": dim}, setup, forward, [shape(4, 4, dim), shape(4, 4, dim)], {"dim": dim}, signature="a, b")


def conv1d(r):
    given = {"channels": r.choice([4, 8, 16]), "dilation": r.choice([1, 2, 4])}
    setup = [
        "self.pad = 2 * dilation",
        "self.conv = nn.Conv1d(channels, 2 * channels, 3, dilation=dilation)",
        "self.mix = nn.Conv1d(channels, channels, 1)",
    ]
    forward = [
        "y = F.pad(x, (self.pad, 0))",
        "a, b = self.conv(y).chunk(2, dim=1)",
        f"y = {act(r)}(a) * torch.sigmoid(b)",
        "return x + self.mix(y)",
    ]
    return Module("image", given, setup, forward, [shape(4, given["channels"], 64)], given)


def upsample(r):
    given = {"channels": r.choice([4, 8, 16]), "factor": 2}
    setup = ["self.conv = nn.Conv2d(channels, channels * factor ** 2, 3, padding=1)", "self.factor = factor"]
    forward = r.choice(
        [
            ["x = F.pixel_shuffle(self.conv(x), self.factor)", f"return {act(r)}(x)"],
            [
                "x = F.interpolate(x, scale_factor=self.factor, mode='bilinear', align_corners=False)",
                f"return {act(r)}(self.conv(x))",
            ],
        ]
    )
    return Module("image", given, setup, forward, [shape(4, given["channels"], 16, 16)], given)


FAMILIES = [
    mlp,
    mlp,
    conv_chain,
    conv_chain,
    residual,
    squeeze,
    attention,
    additive_attention,
    feed_forward,
    gate,
    pointwise,
    pointwise,
    norm,
    pooling,
    loss,
    loss,
    actor_critic,
    variational,
    bilinear,
    conv1d,
    upsample,
]


def class_text(r, name, module):
    arguments = "".join(
        f", {key}={value!r}" if r.random() < 0.3 or key not in module.given else f", {key}"
        for key, value in module.arguments.items()
    )
    # a parameter without a default may not follow one that has it
    if "=" in arguments:
        arguments = "".join(f", {key}={value!r}" for key, value in module.arguments.items())
    lines = [f"class {name}(nn.Module):"]
    if r.random() < 0.5:
        lines += [f'    """{r.choice(DOCS)}"""']
    lines += [
        "",
        f"    def __init__(self{arguments}):",
        f"        super({name}, self).__init__()" if r.random() < 0.6 else "        super().__init__()",
    ]
    lines += ["        " + line for line in module.setup]
    if module.methods:
        lines += [""] + ["    " + line for line in module.methods]
    lines += ["", f"    def forward(self, {module.signature}):"]
    lines += ["        " + line for line in module.forward]
    return "\n".join(lines)


def module_name(r, kind):
    name = r.choice(ADJECTIVES) + r.choice(NOUNS[kind])
    return name + str(r.randint(1, 9)) if r.random() < 0.2 else name


def python_file(r):
    """(text, name of the entry point, the module itself)"""
    main = r.choice(FAMILIES)(r)
    name = module_name(r, main.kind)
    classes = []
    while r.random() < 0.72 and len(classes) < 7:
        other = r.choice(FAMILIES)(r)
        other_name = module_name(r, other.kind)
        if other_name != name:
            classes.append(class_text(r, other_name, other))
    if r.random() < 0.25:
        classes.append(
            f"def {r.choice(['swish', 'scaled', 'squash', 'smooth'])}(x):\n    return x * torch.sigmoid(x * {r.uniform(0.5, 2):.3f})"
        )
    imports = ["import torch", "import torch.nn as nn", "import torch.nn.functional as F", "import torch.utils.data"]
    imports += [
        extra
        for extra in (
            "import math",
            "import numpy as np",
            "from torch import Tensor",
            "from typing import Optional",
            "import torch.optim",
        )
        if r.random() < 0.2
    ]
    classes.append(class_text(r, name, main))
    given = "{" + ", ".join(f"'{key}': {value!r}" for key, value in main.given.items()) + "}"
    text = "\n".join(imports) + "\n\n\n" + "\n\n\n".join(classes)
    text += (
        f"\n\n\ndef get_inputs():\n    return [{', '.join(main.inputs)}]\n\n\ndef get_init_inputs():\n    return [[], {given}]\n"
    )
    return text, name, main
