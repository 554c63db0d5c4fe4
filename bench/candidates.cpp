#include "bench/candidates.h"

#include <array>
#include <stdexcept>

namespace tritonrl::bench {
namespace {

constexpr const char* kHead = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n";
constexpr const char* kTritonHead = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

struct Function {
  const char* torch;   // of x
  const char* triton;  // of x, float32
};

constexpr std::array<Function, 10> kFunctions = {{
    {"torch.relu(x)", "tl.maximum(x, 0.0)"},
    {"torch.sigmoid(x)", "tl.sigmoid(x)"},
    {"F.silu(x)", "x * tl.sigmoid(x)"},
    {"torch.tanh(x)", "2.0 * tl.sigmoid(2.0 * x) - 1.0"},
    {"x * x", "x * x"},
    {"torch.abs(x)", "tl.abs(x)"},
    {"F.leaky_relu(x, 0.1)", "tl.where(x > 0, x, 0.1 * x)"},
    {"torch.clamp(x, -0.5, 0.5)", "tl.minimum(tl.maximum(x, -0.5), 0.5)"},
    {"torch.exp(-x)", "tl.exp(-x)"},
    {"F.gelu(x)", "0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))"},
}};

struct Pair {
  std::string task, kernel, model;  // the kernel from its `def` on, and the class
};

Pair pointwise(int index) {
  const Function& function = kFunctions[static_cast<std::size_t>(index) % kFunctions.size()];
  const std::string scale = std::to_string(1 + index % 4) + ".5";
  Pair out;
  out.task =
      std::string(kHead) +
      "\nBATCH = 4096\nFEATURES = 8192\n\n\nclass Model(nn.Module):\n    def forward(self, x):\n        x = x * " +
      scale + " - 0.25\n        return " + function.torch +
      "\n\n\ndef get_inputs():\n    return [torch.rand(BATCH, FEATURES)]\n\n\ndef get_init_inputs():\n    return []\n";
  out.kernel =
      "def NAME(x_ptr, y_ptr, n, BLOCK: tl.constexpr):\n"
      "    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)\n"
      "    x = tl.load(x_ptr + at, mask=at < n) * " +
      scale +
      " - 0.25\n"
      "    y = " +
      function.triton +
      "\n"
      "    tl.store(y_ptr + at, y, mask=at < n)\n";
  out.model =
      "class ModelNew(nn.Module):\n    def forward(self, x):\n        y = torch.empty_like(x)\n"
      "        NAME[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)\n        return y\n";
  return out;
}

Pair row(int index) {
  static constexpr std::array<std::array<const char*, 2>, 4> kRows = {{
      {"torch.softmax(x, dim=1)",
       "    e = tl.exp(x - tl.max(tl.where(inside, x, -float('inf')), axis=0))\n"
       "    e = tl.where(inside, e, 0.0)\n    y = e / tl.sum(e, axis=0)\n"},
      {"F.layer_norm(x, (FEATURES,))",
       "    mean = tl.sum(x, axis=0) / n\n    d = tl.where(inside, x - mean, 0.0)\n"
       "    y = d / tl.sqrt(tl.sum(d * d, axis=0) / n + 1e-5)\n"},
      {"x / torch.sqrt((x * x).mean(dim=1, keepdim=True) + 1e-6)",
       "    y = x / tl.sqrt(tl.sum(x * x, axis=0) / n + 1e-6)\n"},
      {"x - torch.logsumexp(x, dim=1, keepdim=True)",
       "    top = tl.max(tl.where(inside, x, -float('inf')), axis=0)\n"
       "    e = tl.where(inside, tl.exp(x - top), 0.0)\n    y = x - top - tl.log(tl.sum(e, axis=0))\n"},
  }};
  const auto& one = kRows[static_cast<std::size_t>(index) % kRows.size()];
  const std::string scale = std::to_string(1 + index % 5) + ".25";
  Pair out;
  out.task =
      std::string(kHead) +
      "\nBATCH = 8192\nFEATURES = 4096\n\n\nclass Model(nn.Module):\n    def forward(self, x):\n"
      "        x = x * " +
      scale + "\n        return " + one[0] +
      "\n\n\ndef get_inputs():\n    return [torch.rand(BATCH, FEATURES)]\n\n\ndef get_init_inputs():\n    return []\n";
  out.kernel =
      "def NAME(x_ptr, y_ptr, n, BLOCK: tl.constexpr):\n"
      "    base = tl.program_id(0).to(tl.int64) * n\n    lane = tl.arange(0, BLOCK)\n    inside = lane < n\n"
      "    x = tl.load(x_ptr + base + lane, mask=inside, other=0.0) * " +
      scale + "\n" + one[1] + "    tl.store(y_ptr + base + lane, y, mask=inside)\n";
  out.model =
      "class ModelNew(nn.Module):\n    def forward(self, x):\n        y = torch.empty_like(x)\n"
      "        NAME[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))\n        return y\n";
  return out;
}

Pair dot(int index) {
  const Function& function = kFunctions[static_cast<std::size_t>(index) % kFunctions.size()];
  Pair out;
  out.task =
      std::string(kHead) +
      "\nBATCH = 1024\nIN = 4096\nOUT = 2048\n\n\nclass Model(nn.Module):\n"
      "    def __init__(self, a, b):\n        super().__init__()\n        self.linear = nn.Linear(a, b)\n\n"
      "    def forward(self, x):\n        x = self.linear(x)\n        return " +
      std::string(function.torch) +
      "\n\n\ndef get_inputs():\n    return [torch.rand(BATCH, IN)]\n\n\ndef get_init_inputs():\n    return [IN, OUT]\n";
  out.kernel =
      "def NAME(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):\n"
      "    m = tl.program_id(0) * BM + tl.arange(0, BM)\n    n = tl.program_id(1) * BN + tl.arange(0, BN)\n"
      "    k = tl.arange(0, BK)\n    sums = tl.zeros((BM, BN), tl.float32)\n    for start in range(0, K, BK):\n"
      "        a = tl.load(x_ptr + m[:, None] * K + start + k[None, :], mask=(m[:, None] < M) & (start + k[None, :] < "
      "K), other=0.0)\n"
      "        b = tl.load(w_ptr + n[None, :] * K + start + k[:, None], mask=(n[None, :] < N) & (start + k[:, None] < "
      "K), other=0.0)\n"
      "        sums += tl.dot(a, b, input_precision='ieee')\n"
      "    x = sums + tl.load(b_ptr + n, mask=n < N, other=0.0)[None, :]\n    y = " +
      std::string(function.triton) +
      "\n"
      "    tl.store(y_ptr + m[:, None] * N + n[None, :], y, mask=(m[:, None] < M) & (n[None, :] < N))\n";
  out.model =
      "class ModelNew(nn.Module):\n    def __init__(self, a, b):\n        super().__init__()\n        self.linear = "
      "nn.Linear(a, b)\n\n"
      "    def forward(self, x):\n        M, K = x.shape\n        N = self.linear.weight.shape[0]\n"
      "        y = torch.empty((M, N), device=x.device, dtype=x.dtype)\n"
      "        NAME[(triton.cdiv(M, 64), triton.cdiv(N, 64))](x, self.linear.weight, self.linear.bias, y, M, N, K, "
      "BM=64, BN=64, BK=32)\n"
      "        return y\n";
  return out;
}

Pair convolution(int index) {
  const Function& function = kFunctions[static_cast<std::size_t>(index) % kFunctions.size()];
  Pair out;
  out.task = std::string(kHead) +
             "\nBATCH = 64\nIN = 32\nOUT = 64\nSIZE = 64\n\n\nclass Model(nn.Module):\n"
             "    def __init__(self, a, b):\n        super().__init__()\n        self.conv = nn.Conv2d(a, b, 3)\n\n"
             "    def forward(self, x):\n        x = self.conv(x)\n        return " +
             std::string(function.torch) +
             "\n\n\ndef get_inputs():\n    return [torch.rand(BATCH, IN, SIZE, SIZE)]\n\n\ndef get_init_inputs():\n    "
             "return [IN, OUT]\n";
  out.kernel =
      "def NAME(x_ptr, y_ptr, n, BLOCK: tl.constexpr):\n"
      "    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)\n"
      "    x = tl.load(x_ptr + at, mask=at < n)\n    y = " +
      std::string(function.triton) +
      "\n"
      "    tl.store(y_ptr + at, y, mask=at < n)\n";
  out.model =
      "class ModelNew(nn.Module):\n    def __init__(self, a, b):\n        super().__init__()\n        self.conv = "
      "nn.Conv2d(a, b, 3)\n\n"
      "    def forward(self, x):\n        x = self.conv(x).contiguous()\n        y = torch.empty_like(x)\n"
      "        NAME[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)\n        return y\n";
  return out;
}

Pair pair_of(const std::string& family, int index) {
  if (family == "pointwise") return pointwise(index);
  if (family == "row") return row(index);
  if (family == "dot") return dot(index);
  if (family == "convolution") return convolution(index);
  throw std::runtime_error("no family " + family);
}

std::string spoiled(const Pair& pair, int index) {
  std::string kernel = pair.kernel;
  if (index % 5 == 3) {  // another function
    const std::size_t store = kernel.rfind("    tl.store(");
    kernel.insert(store, "    y = y + 0.01\n");
  } else if (index % 5 == 4 && index % 3 == 0) {
    kernel.insert(kernel.rfind("    tl.store("), "    y = y +\n");
  } else if (index % 5 == 4 && index % 3 == 1) {
    kernel.insert(kernel.rfind("    tl.store("), "    y = tl.no_such_function(y)\n");
  }
  return kernel;
}

}  // namespace

std::vector<judge::Submission> make_candidates(const std::string& family, int count) {
  std::vector<judge::Submission> out;
  for (int i = 0; i < count; ++i) {
    const int task = i % 20;
    const Pair pair = pair_of(family, task);
    judge::Submission one;
    one.id = family + " " + std::to_string(i);
    one.name = "candidate.py";
    one.task = {.id = family + "_" + std::to_string(task) + ".py", .source = pair.task, .entry_point = {}};
    const int turn = i + i / 20;  // every task gets candidates of every kind
    std::string code = std::string(kHead) + kTritonHead + spoiled(pair, turn) + "\n\n" + pair.model;
    if (turn % 5 == 4 && turn % 3 == 2) {  // torch, and a kernel that copies
      code = replaced(pair.task, "class Model(", "class Reference(") + kTritonHead +
             "def NAME(x_ptr, y_ptr, n, BLOCK: tl.constexpr):\n    at = tl.program_id(0).to(tl.int64) * BLOCK + "
             "tl.arange(0, BLOCK)\n"
             "    tl.store(y_ptr + at, tl.load(x_ptr + at, mask=at < n), mask=at < n)\n\n\n"
             "class ModelNew(Reference):\n    def forward(self, x):\n        x = super().forward(x).contiguous()\n     "
             "   y = torch.empty_like(x)\n"
             "        NAME[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)\n        return y\n";
    }
    one.code = replaced(code, "NAME", "kernel_" + std::to_string(i));
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace tritonrl::bench
