#include "abstract/forward_operators.h"

#include <gtest/gtest.h>

#include "tests/abstract/read_module.h"

namespace tritonrl::abstract {
namespace {

struct Case {
  const char* name;
  const char* constructor;
  const char* forward;
  const char* expected;
};

std::ostream& operator<<(std::ostream& out, const Case& example) {
  return out << example.name;
}

class Forward : public testing::TestWithParam<Case> {};

TEST_P(Forward, IsRead) {
  const Case& example = GetParam();
  EXPECT_EQ(computing(model(example.constructor, example.forward)), example.expected);
}

const Case kSpellings[] = {
    {"one_name_for_three_spellings", "self.a = nn.ReLU()", "return torch.relu(F.relu(self.a(x))).relu().relu_()",
     "relu relu relu relu relu"},
    {"layers_in_the_order_of_calls", "self.c = nn.Conv2d(3, 8, 3)\nself.b = nn.BatchNorm2d(8)",
     "return F.relu(self.b(self.c(x)))", "conv2d batch_norm relu"},
    {"unused_layers_do_not_count", "self.c = nn.Conv2d(3, 8, 3)\nself.l = nn.Linear(8, 8)", "return self.c(x)",
     "conv2d"},
    {"signs", "", "return ((x + 1) * 2 - x / 3) ** 2 @ -x", "add mul div sub pow neg matmul"},
    {"comparisons", "", "return (x > 0) & ~(x == 1)", "gt eq bitwise_not bitwise_and"},
    {"assignment_in_place", "", "x += 1\nx *= y\nreturn x", "add mul"},
    {"sizes_are_no_tensors", "self.w = width * 2",
     "b, c = x.shape\nn = b * c // 2 + x.size(0) - self.w\nreturn x.view(n, -1)", ""},
    {"parameters_are_tensors", "self.w = nn.Parameter(torch.ones(8))", "return x * self.w", "mul"},
    {"buffers_are_tensors", "self.register_buffer('mask', torch.ones(8))", "return self.mask - 1", "sub"},
    {"views_and_copies_do_not_count", "self.f = nn.Flatten()",
     "return self.f(x.permute(0, 1).contiguous().float()[:, 0].unsqueeze(1).T)", ""},
    {"index_by_data", "", "return x[x > 0]", "gt index"},
    {"index_by_place", "", "return x[:, 0, None]", ""},
    {"write_by_data", "", "x[y] = 0\nx[torch.argmax(x)] = 1\nreturn x", "argmax index_put"},
    {"methods_with_arguments", "", "return x.mean(dim=1, keepdim=True).clamp(min=0.0).softmax(-1)",
     "mean clamp softmax"},
    {"names_of_results", "", "return torch.max(x, 1).values + x.topk(3)[0]", "max topk add"},
    {"results_that_are_tuples", "self.r = nn.LSTM(8, 8)", "out, (h, c) = self.r(x)\nreturn h + c", "lstm add"},
    {"linalg_fft_special", "", "return torch.linalg.inv(torch.fft.rfft(torch.special.expit(x)).abs())",
     "sigmoid rfft abs inverse"},
    {"transposed_unfold", "self.u = nn.Unfold(3)", "return self.u(x.unfold(1, 2, 2))", "unfold"},
    {"python_sum_of_tensors", "", "return sum([x, x, x])", "add add"},
    {"unknown_functions_are_named", "", "return mystery(x) + self.other(x)", "?mystery ?other add"},
    {"numbers_of_the_math_module", "", "import math\nreturn x * math.sqrt(2.0 * math.pi)", "mul"},
    {"losses", "self.l = nn.CrossEntropyLoss()", "return self.l(x, x) + F.mse_loss(x, x)",
     "cross_entropy mse_loss add"},
};
INSTANTIATE_TEST_SUITE_P(Spellings, Forward, testing::ValuesIn(kSpellings),
                         [](const auto& tested) { return std::string(tested.param.name); });

const Case kStructure[] = {
    {"sequential", "self.s = nn.Sequential(nn.Linear(8, 8), nn.GELU(), nn.Sequential(nn.Dropout(), nn.Identity()))",
     "return self.s(x)", "linear gelu dropout"},
    {"sequential_of_a_list",
     "layers = [nn.Linear(8, 8)]\nlayers += [nn.ReLU()]\nlayers.append(nn.Tanh())\n"
     "self.s = nn.Sequential(*layers)",
     "return self.s(x)", "linear relu tanh"},
    {"sequential_of_names",
     "from collections import OrderedDict\n"
     "self.s = nn.Sequential(OrderedDict([('a', nn.Linear(8, 8)), ('b', nn.ReLU())]))",
     "return self.s.b(self.s(x))", "linear relu relu"},
    {"module_list_unrolled", "self.l = nn.ModuleList([nn.Linear(8, 8) for _ in range(n)])",
     "for i, layer in enumerate(self.l):\n    x = layer(x)\n    if i < 2:\n        x = F.relu(x)\nreturn x",
     "linear relu linear relu linear"},
    {"module_list_by_index", "self.l = nn.ModuleList()\nfor i in range(2):\n    self.l.append(nn.Linear(8, 8))",
     "return self.l[1](self.l[0](x))", "linear linear"},
    {"module_list_in_part", "self.l = nn.ModuleList([nn.ReLU(), nn.Tanh(), nn.Sigmoid()])",
     "for f in self.l[1:]:\n    x = f(x)\nreturn x", "tanh sigmoid"},
    {"module_dict", "self.d = nn.ModuleDict({'a': nn.ReLU(), 'b': nn.Tanh()})", "return self.d['b'](x)", "tanh"},
    {"module_dict_in_full", "self.d = nn.ModuleDict({'a': nn.ReLU(), 'b': nn.Tanh()})",
     "for name, f in self.d.items():\n    x = f(x)\nreturn x", "relu tanh"},
    {"names_that_are_made",
     "for i in range(2):\n    setattr(self, f'fc{i}', nn.Linear(8, 8))\n"
     "    self.add_module('act' + str(i), nn.ReLU())",
     "for i in range(2):\n    x = getattr(self, 'act%d' % i)(getattr(self, 'fc{}'.format(i))(x))\nreturn x",
     "linear relu linear relu"},
    {"functions_as_attributes", "self.f = F.gelu\nself.g = torch.tanh\nself.h = lambda t: t * 2",
     "return self.h(self.g(self.f(x)))", "gelu tanh mul"},
    {"classes_as_arguments",
     "def make(act=nn.ReLU):\n    return nn.Sequential(nn.Linear(8, 8), act())\n"
     "self.a = make(nn.SiLU)\nself.b = make()",
     "return self.b(self.a(x))", "linear silu linear relu"},
    {"partial", "from functools import partial\nmake = partial(nn.LayerNorm, eps=1e-6)\nself.n = make(8)",
     "return self.n(x)", "layer_norm"},
    {"encoder_by_layers", "self.e = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2), num_layers=2)",
     "return self.e(x)", "transformer_encoder_layer transformer_encoder_layer"},
    {"dict_of_activations", "self.f = {'relu': nn.ReLU(), 'elu': nn.ELU()}['elu']", "return self.f(x)", "elu"},
    {"wrapped_layers", "self.c = nn.utils.weight_norm(nn.Conv1d(8, 8, 3))", "return self.c(x)", "conv1d"},
    {"checkpoint", "self.c = nn.Linear(8, 8)",
     "from torch.utils.checkpoint import checkpoint\nreturn checkpoint(self.c, x)", "linear"},
    {"whole_networks", "import torchvision.models as models\nself.r = models.resnet18()", "return self.r(x)", "resnet"},
};
INSTANTIATE_TEST_SUITE_P(Structure, Forward, testing::ValuesIn(kStructure),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(ForwardOperators, ClassesOfTheTextByTheirOwnForward) {
  EXPECT_EQ(computing(R"(
from torch import nn
from torch.nn import Linear
class Base(nn.Module):
    def __init__(self, width, act):
        super(Base, self).__init__()
        self.fc = Linear(width, width)
        self.act = act
    def forward(self, x):
        return self.finish(self.act(self.fc(x)))
    def finish(self, x):
        return x
class Block(Base):
    def __init__(self, width):
        super().__init__(width, nn.Tanh())
    def finish(self, x):
        return x + 1
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(*[Block(4) for i in range(2)])
    def forward(self, x):
        return self.blocks(x)
)"),
            "linear tanh add linear tanh add");
}

TEST(ForwardOperators, SubclassesOfLayers) {
  EXPECT_EQ(computing(R"(
import torch.nn as nn
class ConvBNReLU(nn.Sequential):
    def __init__(self, a, b):
        super().__init__(nn.Conv2d(a, b, 3), nn.BatchNorm2d(b), nn.ReLU6())
class Plain(nn.Conv2d):
    def __init__(self, a):
        super().__init__(a, a, 1)
class Scaled(nn.Linear):
    def forward(self, x):
        return super().forward(x) * self.weight.mean()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = ConvBNReLU(3, 8), Plain(8), Scaled(8, 8)
    def forward(self, x):
        return self.c(self.b(self.a(x)))
)"),
            "conv2d batch_norm relu6 conv2d linear mean mul");
}

TEST(ForwardOperators, AutogradFunctionsAndFunctionsOfTheText) {
  EXPECT_EQ(computing(R"(
import torch
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g):
        return g
def swish(x):
    return x * torch.sigmoid(x)
class Model(torch.nn.Module):
    @property
    def scale(self):
        return torch.exp(self.s)
    def __init__(self):
        super().__init__()
        self.s = torch.nn.Parameter(torch.zeros(1))
    def forward(self, x):
        return swish(Square.apply(x)) / self.scale
)"),
            "mul sigmoid mul exp div");
}

TEST(ForwardOperators, ArgumentsOfTheTaskDecide) {
  const char* const source = R"(
import torch, torch.nn as nn
class Model(nn.Module):
    def __init__(self, sizes, act=None):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:])])
        self.act = act
    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x)
        if self.act is not None:
            x = torch.relu(x)
        if mask is not None:
            x = x * mask
        return x
)";
  EXPECT_EQ(computing(std::string(source) + "def get_inputs():\n    return [torch.rand(4, 8)]\n"
                                            "def get_init_inputs():\n    return [[8, 8, 8, 4]]\n"),
            "linear linear linear");
  const ForwardOperators keywords =
      read_module(std::string(source) +
                  "def get_inputs():\n    return [torch.rand(4, 8), torch.rand(4, 4)]\n"
                  "def get_init_inputs():\n    return [[], {'sizes': [8, 4], 'act': 'relu'}]\n");
  EXPECT_EQ(computing(keywords), "linear relu mul");
  EXPECT_TRUE(keywords.has_inputs && keywords.has_init_inputs);
  EXPECT_EQ(keywords.entry_point, "Model");
  EXPECT_EQ(computing(source), "linear*") << "without arguments the number of layers is unknown";
}

TEST(ForwardOperators, EntryPoint) {
  const char* const source = R"(
import torch.nn as nn
class A(nn.Module):
    def forward(self, x):
        return x.relu()
class B(nn.Module):
    def forward(self, x):
        return x.tanh()
class Config:
    width = 3
)";
  EXPECT_EQ(read_module(source).entry_point, "B");
  EXPECT_EQ(computing(source, "A"), "relu");
  EXPECT_EQ(read_module(source, "Missing").entry_point, "");
  EXPECT_EQ(read_module("x = 1\n").entry_point, "");
  EXPECT_FALSE(read_module(source).has_inputs);
}

TEST(ForwardOperators, LinesAndViewsAreTold) {
  const ForwardOperators forward = read_module(
      "import torch\nclass M(torch.nn.Module):\n  def forward(self, x):\n"
      "    return torch.relu(\n        x.view(3))\n");
  EXPECT_EQ(forward.operators,
            (std::vector<ForwardOperator>{{"view", program::OperatorKind::kView, true, false, 5},
                                          {"relu", program::OperatorKind::kPointwise, true, false, 4}}));
}

}  // namespace
}  // namespace tritonrl::abstract
