#include <gtest/gtest.h>

#include "tests/teacher/typing/inferred_module.h"

// The ways in which modules are written, each with what its expressions are.
namespace tritonrl::teacher {
namespace {

using Module = InferredModule;

TEST(InferIdioms, SizesAreUnpackedAndComputedWith) {
  const Module module(module_text("", R"(b, c, h, w = x.shape
y = x.view(b, -1)
z = x.reshape(b * c, h * w)
n = x.size(1)
rest = x.shape[2:]
back = x.shape[::-1]
half = h // 2
scale = c ** -0.5
root = math.sqrt(w)
u = x.view(*x.shape[:2], half, 2, w)
v = x.flatten(2).transpose(1, 2)
return y + 0)",
                                  "x=torch.randn(2, 3, 4, 5)"));
  EXPECT_EQ(module.of("x.shape"), "(int 2, int 3, int 4, int 5)");
  EXPECT_EQ(module.of("x.view(b, -1)"), "float32[2, 60]");
  EXPECT_EQ(module.of("x.reshape(b * c, h * w)"), "float32[6, 20]");
  EXPECT_EQ(module.of("h * w"), "int 20");
  EXPECT_EQ(module.of("x.size(1)"), "int 3");
  EXPECT_EQ(module.of("x.shape[2:]"), "(int 4, int 5)");
  EXPECT_EQ(module.of("x.shape[::-1]"), "(int 5, int 4, int 3, int 2)");
  EXPECT_EQ(module.of("c ** -0.5"), "float 0.57735026918962573");
  EXPECT_EQ(module.of("math.sqrt(w)"), "float 2.2360679774997898");
  EXPECT_EQ(module.of("x.view(*x.shape[:2], half, 2, w)"), "float32[2, 3, 2, 2, 5]");
  EXPECT_EQ(module.of("x.flatten(2).transpose(1, 2)"), "float32[2, 20, 3]");
  EXPECT_TRUE(module.inferred().complete) << module.inferred().missing;
}

TEST(InferIdioms, LoopsOverLayersAndRanges) {
  const Module module(module_text(R"(self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(deep)])
self.norms = nn.ModuleList()
for i in range(deep):
    self.norms.append(nn.LayerNorm(width))
self.scales = nn.ParameterList([nn.Parameter(torch.ones(1)) for _ in range(deep)])
self.net = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, 5)))",
                                  R"(outs = []
for i, (layer, norm) in enumerate(zip(self.layers, self.norms)):
    x = norm(layer(x)) * self.scales[i]
    outs.append(x)
s = torch.stack(outs, dim=1)
total = sum(outs)
steps = [x[:, t] for t in range(x.size(1))]
joined = torch.cat(steps, dim=-1)
k = 1
while k < 10:
    k *= 3
return self.net(total), s, joined, k)"));
  EXPECT_EQ(module.of("layer(x)"), "float32[4, 6, 8]");
  EXPECT_EQ(module.of("layer"), "Linear");
  EXPECT_EQ(module.of("self.scales[i]"), "float32[1]");
  EXPECT_EQ(module.of("torch.stack(outs, dim=1)"), "float32[4, 3, 6, 8]");
  EXPECT_EQ(module.of("sum(outs)"), "float32[4, 6, 8]");
  EXPECT_EQ(module.of("torch.cat(steps, dim=-1)"), "float32[4, 48]");
  EXPECT_EQ(module.of("self.net(total)"), "float32[4, 6, 5]");
  EXPECT_EQ(module.of("x[:, t]"), "float32[4, 8]");
  EXPECT_EQ(module.of("i"), "int");
  EXPECT_EQ(module.of("k"), "int");
  EXPECT_EQ(module.of("self.net(total), s, joined, k"),
            "(float32[4, 6, 5], float32[4, 3, 6, 8], float32[4, 48], int 27)");
  EXPECT_TRUE(module.inferred().complete) << module.inferred().missing;
}

TEST(InferIdioms, TensorsAreIterated) {
  const Module module(module_text("", R"(a, b = x
rows = [row.sum(-1) for row in x]
n = len(x)
return torch.stack(rows) + a[0, 0] + b[0, 0] + n)",
                                  "x=torch.randn(2, 6, 8)"));
  EXPECT_EQ(module.of("row"), "float32[6, 8]");
  EXPECT_EQ(module.of("torch.stack(rows)"), "float32[2, 6]");
  EXPECT_EQ(module.of("a[0, 0]"), "float32[]");
  EXPECT_EQ(module.of("len(x)"), "int 2");
}

TEST(InferIdioms, SubmodulesHelpersAndBranches) {
  const Module module(R"(import torch
import torch.nn as nn

class Gate(nn.Module):

    def __init__(self, dim, bias=True):
        super(Gate, self).__init__()
        self.proj = nn.Linear(dim, 2 * dim, bias=bias)

    def forward(self, x, scale=1.0):
        u, v = self.proj(x).chunk(2, dim=-1)
        return u * torch.sigmoid(v) * scale

def split_heads(x, heads=1):
    n, d = x.shape
    y = x.view(n, heads, d // heads)
    return y[:, 0], y[:, 1]

class Model(nn.Module):

    def __init__(self, width=8, deep=3):
        super().__init__()
        self.gate = Gate(width, bias=deep > 2)
        self.act = nn.GELU() if deep > 2 else nn.ReLU()
        self.mode = 'mean' if width == 8 else 'max'
        self.drop = None

    def forward(self, x):
        x = self.gate(x, scale=0.5)
        if self.drop is not None:
            x = self.drop(x)
        if self.mode == 'mean':
            pooled = x.mean(dim=1)
        else:
            pooled = x.max(dim=1)[0]
        a, b = split_heads(pooled, heads=2)
        return self.finish(a, b=b)

    def finish(self, a, b=None, *, eps=1e-06):
        if b is None:
            return a
        return self.act(a) / (b.abs() + eps)

def get_inputs():
    return [torch.randn(4, 6, 8)]

def get_init_inputs():
    return []
)");
  EXPECT_EQ(module.of("self.proj(x)"), "float32[4, 6, 16]");
  EXPECT_EQ(module.of("torch.sigmoid(v)"), "float32[4, 6, 8]");
  EXPECT_EQ(module.of("scale"), "float 0.5");
  EXPECT_EQ(module.of("self.gate"), "module");
  EXPECT_EQ(module.of("x.mean(dim=1)"), "float32[4, 8]");
  EXPECT_EQ(module.of("x.max(dim=1)[0]"), "never");
  EXPECT_EQ(module.of("self.drop(x)"), "never");
  EXPECT_EQ(module.of("y[:, 0]"), "float32[4, 4]");
  EXPECT_EQ(module.of("self.act"), "GELU");
  EXPECT_EQ(module.of("self.act(a) / (b.abs() + eps)"), "float32[4, 4]");
  EXPECT_EQ(module.of("eps"), "float 9.9999999999999995e-07");
  EXPECT_TRUE(module.inferred().complete) << module.inferred().missing;
}

TEST(InferIdioms, ParametersBuffersAndTensorsMadeOnTheWay) {
  const Module module(module_text(R"(self.weight = nn.Parameter(torch.randn(width, 1) * 0.02)
self.register_buffer('mask', torch.tril(torch.ones(6, 6)).view(1, 6, 6))
pe = torch.zeros(16, width)
position = torch.arange(0, 16).unsqueeze(1).float()
div = torch.exp(torch.arange(0, width, 2).float() * (-math.log(10000.0) / width))
pe[:, 0::2] = torch.sin(position * div)
self.register_buffer('pe', pe.unsqueeze(0))
self.old = nn.Parameter(torch.Tensor(3, width))
nn.init.xavier_uniform_(self.old))",
                                  R"(x = x + self.pe[:, :x.size(1)]
att = x @ x.transpose(-2, -1)
att = att.masked_fill(self.mask[:, :x.size(1), :x.size(1)] == 0, float('-inf'))
h = x.new_zeros(x.size(0), 5)
o = torch.zeros_like(x)
f = torch.full((2, 3), 1.5, device=x.device, dtype=x.dtype)
i = torch.arange(x.shape[1], device=x.device)
g = x @ self.weight
p = x[..., None] + self.old[0]
q = x[:, ::2, 1:-1]
r = x[:, i]
flag = x > 0
x += 1
return torch.softmax(att, dim=-1))"));
  EXPECT_EQ(module.of("self.pe"), "float32[1, 16, 8]");
  EXPECT_EQ(module.of("self.pe[:, :x.size(1)]"), "float32[1, 6, 8]");
  EXPECT_EQ(module.of("x @ x.transpose(-2, -1)"), "float32[4, 6, 6]");
  EXPECT_EQ(module.of("self.mask[:, :x.size(1), :x.size(1)] == 0"), "bool[1, 6, 6]");
  EXPECT_EQ(module.of("x.new_zeros(x.size(0), 5)"), "float32[4, 5]");
  EXPECT_EQ(module.of("torch.full((2, 3), 1.5, device=x.device, dtype=x.dtype)"), "float32[2, 3]");
  EXPECT_EQ(module.of("torch.arange(x.shape[1], device=x.device)"), "int64[6]");
  EXPECT_EQ(module.of("x @ self.weight"), "float32[4, 6, 1]");
  EXPECT_EQ(module.of("x[..., None] + self.old[0]"), "float32[4, 6, 8, 8]");
  EXPECT_EQ(module.of("x[:, ::2, 1:-1]"), "float32[4, 3, 6]");
  EXPECT_EQ(module.of("x[:, i]"), "float32[4, 6, 8]");
  EXPECT_EQ(module.of("x > 0"), "bool[4, 6, 8]");
  EXPECT_EQ(module.of("float('-inf')"), "float -inf");
  EXPECT_TRUE(module.inferred().complete) << module.inferred().missing;
}

TEST(InferIdioms, InputsOfEveryKind) {
  const Module module(
      module_text("", R"(emb = F.one_hot(ids, 10).float()
y = torch.where(mask, x, torch.zeros_like(x))
z = pair[0] * pair[1]
w = named['weight'] * factor
return y.sum() + z.mean() + w.max() + emb.sum())",
                  "x=torch.rand(N, D), ids=torch.randint(0, 10, (N,)), mask=torch.rand(N, D) > 0.5, "
                  "pair=[torch.ones(N), torch.ones(N, 1)], named={'weight': torch.randn(D)}, factor=0.5",
                  "N, D = 4, 6\n"));
  EXPECT_EQ(module.of("ids"), "int64[4]");
  EXPECT_EQ(module.of("mask"), "bool[4, 6]");
  EXPECT_EQ(module.of("F.one_hot(ids, 10).float()"), "float32[4, 10]");
  EXPECT_EQ(module.of("torch.where(mask, x, torch.zeros_like(x))"), "float32[4, 6]");
  EXPECT_EQ(module.of("pair[0] * pair[1]"), "float32[4, 4]");
  EXPECT_EQ(module.of("named['weight'] * factor"), "float32[6]");
  EXPECT_EQ(module.of("y.sum()"), "float32[]");
  EXPECT_TRUE(module.inferred().complete) << module.inferred().missing;
}

TEST(InferIdioms, WhatChangesFromTimeToTimeIsNotToldAsConstant) {
  const Module module(module_text("self.proj = nn.ModuleList([nn.Linear(width, 2 * width), nn.Linear(2 * width, 1)])",
                                  R"(for i, layer in enumerate(self.proj):
    x = layer(x)
    y = x * (i + 1)
return y)"));
  EXPECT_EQ(module.of("i + 1"), "int");
  EXPECT_EQ(module.of("layer(x)"), "unknown");  // one size is 1 the second time: the same kernel would not do
}

TEST(InferIdioms, WhatIsNotKnownIsSaid) {
  const Module module(module_text("", "y = torch.linalg.svd(x)\nreturn torch.relu(y[0])"));
  EXPECT_FALSE(module.inferred().complete);
  EXPECT_EQ(module.inferred().missing, "line 13: torch.linalg.svd(...)");
  EXPECT_EQ(module.of("torch.relu(y[0])"), "unknown");
}

TEST(InferIdioms, ConstructorsTellTheirModulesAlone) {
  const Module module(
      module_text("self.net = nn.Sequential(nn.Linear(width, 4), nn.LeakyReLU(0.2))\nself.scale = torch.ones(2) * 3",
                  "return self.net(x) * self.scale.sum()"));
  EXPECT_EQ(module.of("nn.LeakyReLU(0.2)"), "LeakyReLU");
  EXPECT_EQ(show(*module.fact("nn.LeakyReLU(0.2)")->attribute("negative_slope")), "float 0.20000000000000001");
  EXPECT_EQ(module.of("torch.ones(2) * 3"), "never");
  const Fact* net = module.fact("self.net", 14);
  ASSERT_NE(net, nullptr);
  EXPECT_EQ(net->text, "Sequential");
  ASSERT_NE(net->attribute("1"), nullptr);
  EXPECT_EQ(net->attribute("1")->text, "LeakyReLU");
}

TEST(InferIdioms, OperatorsAreThoseOfTheLabels) {
  const std::string text = module_text("self.conv = nn.Conv1d(6, 6, 1)",
                                       "for t in range(x.size(2)):\n    x = torch.relu(x)\nreturn self.conv(x) + 1");
  const Module module(text);
  EXPECT_EQ(module.inferred().forward.operators, abstract::forward_operators(module.root(), "Model").operators);
  ASSERT_EQ(module.inferred().forward.operators.size(), 3u);
  EXPECT_TRUE(module.inferred().forward.operators[0].repeated);  // as a text without shapes says it
}

}  // namespace
}  // namespace tritonrl::teacher
