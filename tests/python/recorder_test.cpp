// Task forms, what a program holds, and what comes out when the file is not in order.
#include "python/recorder.h"

#include <gtest/gtest.h>

#include <limits>

#include "program/cost.h"
#include "program/level.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::python {
namespace {

using program::AtenCall;
using program::Launch;
using program::Program;
using program::Question;
using program::Step;
using program::Structure;
using Kind = RecordOutcome::Kind;

RecordOutcome record(const RecordRequest& request) {
  return test_recorder().record(request);
}

Program recorded(const RecordRequest& request) {
  RecordOutcome outcome = record(request);
  EXPECT_EQ(to_string(outcome.kind), "recorded")
      << outcome.phase << " line " << outcome.line << ": " << outcome.message;
  return outcome.program ? *std::move(outcome.program) : Program{};
}

std::vector<std::string> ops(const std::vector<Step>& steps) {
  std::vector<std::string> out;
  for (const Step& step : steps) {
    if (const auto* call = std::get_if<AtenCall>(&step)) out.push_back(call->op.substr(6));
  }
  return out;
}

std::string task(const std::string& body, const std::string& inputs = "[torch.rand(8, 16)]",
                 const std::string& init = "[]", const std::string& name = "Model") {
  return "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nclass " + name + "(nn.Module):\n" +
         body + "\ndef get_inputs():\n    return " + inputs + "\ndef get_init_inputs():\n    return " + init + "\n";
}

TEST(TaskForms, KernelBench) {
  const Program program = recorded(
      task_request(task("    def __init__(self, n):\n        super().__init__()\n        self.fc = nn.Linear(16, n)\n"
                        "    def forward(self, x):\n        return F.relu(self.fc(x))",
                        "[torch.rand(8, 16)]", "[4]")));
  EXPECT_EQ(program.subject, "Model");
  EXPECT_EQ(ops(program.forwards.at(0).steps), (std::vector<std::string>{"t", "addmm", "relu"}));
  ASSERT_EQ(program.state.size(), 2u);
  EXPECT_EQ(program.state[0].name, "fc.weight");
  EXPECT_EQ(program.tensors[program.state[0].tensor.index].sizes, (std::vector<std::int64_t>{4, 16}));
}

TEST(TaskForms, TensorsOfDataGoWhereAnOpenDeviceSays) {
  const Program program = recorded(task_request(
      task("    def forward(self, x):\n        with torch.device('cuda'):\n            return x + torch.tensor(2.0)")));
  EXPECT_EQ(ops(program.forwards.at(0).steps).back(), "add.Tensor");
}

TEST(TaskForms, KernelBookTakesArgumentsAndKeywords) {
  const std::string source = task(
      "    def __init__(self, n, scale=1.0):\n        super().__init__()\n        self.w = "
      "nn.Parameter(torch.randn(n))\n"
      "        self.scale = scale\n    def forward(self, x):\n        return x * self.w * self.scale",
      "[torch.rand([4, 4, 4, 16])]", "[[16], {'scale': 2.0}]", "ScaledBlock");
  EXPECT_EQ(recorded(task_request(source)).subject, "ScaledBlock");
  // the candidate may be ModelNew, the entry point's name with New, or the entry point's own name
  for (const std::string name : {"ModelNew", "ScaledBlockNew", "ScaledBlock"}) {
    const std::string candidate =
        "import torch\nclass " + name +
        "(torch.nn.Module):\n    def __init__(self, n, scale=1.0):\n        super().__init__()\n"
        "        self.n = n\n    def forward(self, x):\n        return x * self.n\n";
    EXPECT_EQ(recorded(candidate_request(source, candidate)).subject, name);
  }
}

TEST(TaskForms, EntryPointIsTheOneNamedOrTheLast) {
  const std::string two =
      "import torch\nimport torch.nn as nn\nclass First(nn.Module):\n    def forward(self, x):\n        return "
      "x.sin()\n"
      "class Second(nn.Module):\n    def forward(self, x):\n        return x.cos()\n"
      "def get_inputs():\n    return [torch.rand(4)]\ndef get_init_inputs():\n    return [[], {}]\n";
  EXPECT_EQ(recorded(task_request(two)).subject, "Second");
  RecordRequest request = task_request(two);
  request.task.entry_point = "First";
  EXPECT_EQ(recorded(request).subject, "First");
}

TEST(TaskForms, ACandidateWithItsOwnInputsIsEnough) {
  const std::string forward = "(nn.Module):\n    def forward(self, x):\n        return x.sin()\n";
  const std::string inputs = "def get_inputs():\n    return [torch.rand(4)]\n";
  const std::string imports = "import torch\nimport torch.nn as nn\n";
  EXPECT_EQ(recorded(task_request(imports + "class ModelNew" + forward + inputs)).subject, "ModelNew");
  EXPECT_EQ(recorded(task_request(imports + "class Block" + forward + "class ModelNew" + forward + inputs)).subject,
            "Block");
}

TEST(TaskForms, InputsOfEveryKind) {
  const Program program = recorded(task_request(
      task("    def forward(self, x, n, flag, pair, table, nothing):\n        return x * n + pair[0] + table['b']",
           "[torch.rand(4), 3, True, [torch.rand(4), torch.zeros(4)], {'b': torch.ones(4)}, None]")));
  const Structure& inputs = program.forwards.at(0).inputs;
  ASSERT_EQ(inputs.items.size(), 6u);
  EXPECT_EQ(inputs.items[1].second.leaf, program::Value{std::int64_t{3}});
  EXPECT_EQ(inputs.items[2].second.leaf, program::Value{true});
  EXPECT_EQ(inputs.items[3].second.kind, Structure::Kind::kList);
  EXPECT_EQ(inputs.items[4].second.items.at(0).first, "b");
  EXPECT_TRUE(inputs.items[5].second.leaf.is_none());
}

TEST(TaskForms, OutputsOfEveryKind) {
  const auto outputs = [](const std::string& expression) {
    return recorded(task_request("from dataclasses import dataclass\nfrom collections import namedtuple\nimport torch\n"
                                 "P = namedtuple('P', 'a b')\n@dataclass\nclass D:\n    a: object\n    b: object\n" +
                                 task("    def forward(self, x):\n        return " + expression)))
        .forwards.at(0)
        .outputs;
  };
  EXPECT_EQ(outputs("(x, x + 1)").kind, Structure::Kind::kTuple);
  EXPECT_EQ(outputs("[x, x + 1]").kind, Structure::Kind::kList);
  EXPECT_EQ(outputs("{'a': x}").items.at(0).first, "a");
  EXPECT_EQ(outputs("P(x, 2)").type, "P");
  EXPECT_EQ(outputs("D(x, {'c': (x, None)})").items.at(1).second.items.at(0).first, "c");
  EXPECT_EQ(outputs("x.sum().item()").leaf, program::Value{1.0});  // assumed
}

TEST(Program, HoldsViewsInPlaceCallsAndAliases) {
  const Program program =
      recorded(task_request(task("    def forward(self, x):\n        y = x.clone()\n        y[:, 3:5].mul_(2)\n        "
                                 "y.t().add_(1)\n        return y")));
  const auto& steps = program.forwards.at(0).steps;
  EXPECT_EQ(ops(steps), (std::vector<std::string>{"clone", "slice.Tensor", "mul_.Tensor", "t", "add_.Tensor"}));
  const auto operand = [&](std::size_t i) {
    return program.tensors[std::get<AtenCall>(steps[i]).args[0].get_if<program::TensorRef>()->index];
  };
  EXPECT_EQ(operand(2).storage, operand(4).storage);
  EXPECT_EQ(operand(2).offset, 3);
  EXPECT_EQ(operand(2).strides, (std::vector<std::int64_t>{16, 1}));
  EXPECT_EQ(operand(4).strides, (std::vector<std::int64_t>{1, 16}));
}

TEST(Program, KeepsRecurrentAttentionNormAndDropoutWhole) {
  const Program program = recorded(task_request(
      task("    def __init__(self):\n        super().__init__()\n        self.rnn = nn.GRU(16, 16, 3, "
           "batch_first=True)\n        self.bn = nn.BatchNorm1d(8)\n"
           "    def forward(self, x):\n        y, _ = self.rnn(x)\n        y = F.dropout(self.bn(y), 0.5)\n"
           "        y = y.unsqueeze(1)\n        return F.scaled_dot_product_attention(y, y, y)",
           "[torch.rand(4, 8, 16)]")));
  const std::vector<std::string> names = ops(program.forwards.at(0).steps);
  for (const char* whole : {"gru.input", "batch_norm", "dropout", "scaled_dot_product_attention"}) {
    EXPECT_EQ(std::count(names.begin(), names.end(), whole), 1) << whole;
  }
  EXPECT_LT(names.size(), 12u);
}

TEST(Program, KnowsTheLineOfEveryCall) {
  const Program program =
      recorded(task_request("import torch\n\n\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        y = x "
                            "+ 1\n\n        return y * 2\n"
                            "def get_inputs():\n    return [torch.rand(4)]\n"));
  EXPECT_EQ(place_of(program.forwards.at(0).steps.at(0)).line, 6);
  EXPECT_EQ(place_of(program.forwards.at(0).steps.at(1)).line, 8);
  EXPECT_EQ(program.files.at(0), "task.py");
}

TEST(Program, KeepsWhatDescriptorsOfTheHostDoBeside) {
  const auto descriptor_of = [](const std::string& options) {
    const Program program = recorded(task_request(
        "import torch\nimport triton\nimport triton.language as tl\n"
        "from triton.tools.tensor_descriptor import TensorDescriptor\n"
        "@triton.jit\ndef twice(d):\n    d.store([0, 0], d.load([0, 0]) * 2)\n"
        "class Model(torch.nn.Module):\n    def forward(self, x):\n        y = x.clone()\n"
        "        twice[(1,)](TensorDescriptor.from_tensor(y, [8, 16]" +
        options + "))\n        return y\ndef get_inputs():\n    return [torch.rand(8, 16, device='cuda')]\n"));
    for (const Step& step : program.forwards.at(0).steps) {
      const auto* launch = std::get_if<Launch>(&step);
      if (launch == nullptr) continue;
      const auto* found = launch->variants.at(0).arguments.at(0).value.get_if<program::Descriptor>();
      if (found != nullptr) return *found;
    }
    ADD_FAILURE() << "no descriptor";
    return program::Descriptor{};
  };
  const program::Descriptor usual = descriptor_of("");
  EXPECT_EQ(usual.block, (std::vector<std::int64_t>{8, 16}));
  EXPECT_FALSE(usual.nan_outside || usual.rounds_to_tf32);
  const program::Descriptor padded = descriptor_of(", padding='nan'");
  EXPECT_TRUE(padded.nan_outside && !padded.rounds_to_tf32);
  const program::Descriptor rounding = descriptor_of(", round_f32_to_tf32=True");
  EXPECT_TRUE(rounding.rounds_to_tf32 && !rounding.nan_outside);
}

TEST(Program, TransposedConvolutionsCheckTheirChannels) {
  const RecordOutcome outcome = record(task_request(
      task("    def forward(self, x):\n        return torch.conv_transpose1d(x.unsqueeze(0), torch.ones(3, 2, 1, "
           "device=x.device))")));
  EXPECT_EQ(outcome.exception, "RuntimeError");
  EXPECT_NE(outcome.message.find("to have 3 channels"), std::string::npos) << outcome.message;
}

TEST(Program, DevicesFollowTorchsRules) {
  EXPECT_EQ(record(task_request(task("    def forward(self, x):\n        return x + torch.ones(16)"))).exception,
            "RuntimeError");
  recorded(task_request(task("    def forward(self, x):\n        return x + torch.ones(16, device=x.device)")));
  recorded(task_request(task("    def forward(self, x):\n        return x * torch.tensor(2.0)")));
  recorded(task_request(task("    def forward(self, x):\n        return x * (x > 0).type_as(x)")));
  recorded(task_request(
      task("    def forward(self, x):\n        return nn.functional.pad(x, (1, 1), 'circular')[:, :16] + x")));
  recorded(
      task_request(task("    def forward(self, x):\n        assert x.is_cuda and x.device.type == 'cuda' and not "
                        "x.cpu().is_cuda\n        return x.cpu().cuda()")));
}

TEST(Questions, LiteralsAreKnownParametersAreAsked) {
  const Program literal = recorded(task_request(task(
      "    def forward(self, x):\n        n = [v.item() for v in torch.linspace(0, 1, 5)]\n        return x * n[2]")));
  const auto& call = std::get<AtenCall>(literal.forwards.at(0).steps.back());
  EXPECT_EQ(call.args.at(1), program::Value{0.5});

  RecordRequest request = task_request(
      task("    def __init__(self):\n        super().__init__()\n        self.a = nn.Parameter(torch.randn(1))\n"
           "    def forward(self, x):\n        return x * self.a.item()"));
  int asked = 0;
  request.answer = [&](const Program& so_far, const Question& question) -> std::optional<program::Value> {
    ++asked;
    EXPECT_EQ(so_far.tensors.at(question.about.at(0).index).numel(), 1);
    EXPECT_EQ(so_far.forwards.size(), 1u);
    return program::Value{0.125};
  };
  const Program asking = recorded(request);
  EXPECT_EQ(asked, 1);
  const auto& multiply = std::get<AtenCall>(asking.forwards.at(0).steps.back());
  EXPECT_EQ(multiply.args.at(1), program::Value{0.125});
  const auto& question =
      std::get<Question>(*std::find_if(asking.forwards[0].steps.begin(), asking.forwards[0].steps.end(),
                                       [](const Step& s) { return std::holds_alternative<Question>(s); }));
  EXPECT_FALSE(question.assumed);
}

// Whatever the input holds: of it they take the shape and the type.
TEST(Questions, LiteralsInTensorsOfAnothersShapeAreKnown) {
  for (const char* number :
       {"x.new_full((), 0.5).item()", "torch.full_like(x[:1, :1], 0.5).item()", "x.new_ones(2).sum().item() / 4",
        "torch.zeros_like(x[0]).tolist()[1] + 0.5", "torch.tensor(0.5).item()", "torch.ones(()).item() / 2",
        "torch.tensor([1, 3]).tolist()[0] / 2", "float(torch.tensor(0.5, device=x.device))"}) {
    RecordRequest request =
        task_request(task("    def forward(self, x):\n        return x * (" + std::string(number) + ")"));
    request.answer = [&](const Program&, const Question&) -> std::optional<program::Value> {
      ADD_FAILURE() << number << " is asked for";
      return std::nullopt;
    };
    const Program known = recorded(request);
    EXPECT_EQ(std::get<AtenCall>(known.forwards.at(0).steps.back()).args.at(1), program::Value{0.5}) << number;
  }
}

TEST(Questions, NonFiniteValuesTravelBothWays) {
  const std::string source = task(
      "    def __init__(self):\n        super().__init__()\n        self.a = nn.Parameter(torch.full((1,), "
      "float('-inf')))\n"
      "    def forward(self, x):\n        return x.clamp(min=self.a.item())");
  const double infinity = std::numeric_limits<double>::infinity();
  const auto answer_of = [](const Program& program) {
    for (const Step& step : program.forwards.at(0).steps) {
      if (const auto* question = std::get_if<Question>(&step)) return question->answer;
    }
    return program::Value{};
  };
  EXPECT_EQ(answer_of(recorded(task_request(source))), program::Value{-infinity});  // assumed from the constructor
  RecordRequest request = task_request(source);
  request.answer = [&](const Program&, const Question&) { return program::Value{infinity}; };
  EXPECT_EQ(answer_of(recorded(request)), program::Value{infinity});
}

TEST(Questions, DataDependentShapesAreAsked) {
  RecordRequest request =
      task_request(task("    def forward(self, x):\n        return x[x > 0.5].sum() + (x > 2).nonzero().size(0)"));
  request.answer = [](const Program&, const Question& question) -> std::optional<program::Value> {
    EXPECT_EQ(question.kind, Question::Kind::kShape);
    EXPECT_EQ(question.op, "aten::nonzero");
    return program::Value{program::Value::List{{std::int64_t{7}}}};
  };
  const Program program = recorded(request);
  const auto& steps = program.forwards.at(0).steps;
  const auto gathered = std::find_if(steps.begin(), steps.end(), [](const Step& s) {
    const auto* call = std::get_if<AtenCall>(&s);
    return call != nullptr && call->op == "aten::index.Tensor";
  });
  ASSERT_NE(gathered, steps.end());
  EXPECT_EQ(program.tensors[std::get<AtenCall>(*gathered).result.get_if<program::TensorRef>()->index].sizes,
            (std::vector<std::int64_t>{7}));
}

TEST(Strides, CanBeOverriddenByWhatTheDeviceDoes) {
  RecordRequest request = task_request(task("    def forward(self, x):\n        return (x @ x.t()).relu()"));
  StrideOverride transposed;
  transposed.step = 1;
  transposed.strides = {{1, 8}};
  request.strides = {transposed};
  const Program program = recorded(request);
  const auto& product = std::get<AtenCall>(program.forwards.at(0).steps.at(1));
  EXPECT_EQ(product.op, "aten::mm");
  EXPECT_EQ(program.tensors[product.result.get_if<program::TensorRef>()->index].strides,
            (std::vector<std::int64_t>{1, 8}));
}

TEST(SeveralForwards, OneThatRemembersItsAnswerShowsIt) {
  RecordRequest request =
      candidate_request(kPlainTask,
                        "import torch\nclass ModelNew(torch.nn.Module):\n    kept = None\n    def forward(self, x):\n"
                        "        if self.kept is None:\n            self.kept = x + 1\n        return self.kept\n");
  request.forwards = 3;
  const Program program = recorded(request);
  ASSERT_EQ(program.forwards.size(), 3u);
  EXPECT_EQ(program.forwards[0].steps.size(), 1u);
  EXPECT_TRUE(program.forwards[1].steps.empty());
  EXPECT_EQ(program.forwards[1].outputs, program.forwards[0].outputs);
}

TEST(BadFiles, AreNamedWithTheirFix) {
  const auto expect = [](const RecordRequest& request, Kind kind, const std::string& part) {
    const RecordOutcome outcome = record(request);
    EXPECT_EQ(to_string(outcome.kind), to_string(kind)) << outcome.message;
    EXPECT_NE(outcome.message.find(part), std::string::npos) << outcome.message;
  };
  expect(task_request("import torch\n"), Kind::kBadTask, "defines no class Model");
  expect(task_request("import torch\nclass Model(torch.nn.Module):\n    pass\n"), Kind::kBadTask,
         "defines no get_inputs()");
  expect(task_request(task("    pass", "7")), Kind::kBadTask, "get_inputs() gave int");
  expect(task_request(task("    pass", "[]", "7")), Kind::kBadTask, "get_init_inputs() gave int");
  expect(candidate_request(kPlainTask, "x = 1\n"), Kind::kBadCandidate, "defines none of ModelNew, Model");
  expect(candidate_request(kPlainTask, "class ModelNew(:\n"), Kind::kRaised, "invalid syntax");
  expect(candidate_request(kPlainTask, "import no_such_module\n"), Kind::kRaised, "no_such_module");
}

// A module whose forward begins with this line.
std::string reaching(const std::string& line, const std::string& before = "") {
  return "import gc, inspect, logging, sys, traceback, collections, typing, torch\n" + before +
         "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        " + line + "\n        return x + 1\n";
}

TEST(Intrusion, ReachingForTheRecorderEndsTheRecording) {
  for (const char* line :
       {"frame = sys._getframe(1)", "frame = inspect.currentframe()", "frames = inspect.stack()",
        "objects = gc.get_objects()", "found = gc.get_referrers(x)", "frame = next(traceback.walk_stack(None))",
        "frame = logging.currentframe()", "exec('import sys; sys._getframe(1)')",
        "frames = list(map(sys._getframe, [1]))", "sys.settrace(lambda *_: None)",
        "frame = (lambda g: next(g))(f for f in [0] if False or sys._current_frames())"}) {
    const RecordOutcome outcome = record(candidate_request(kPlainTask, reaching(line)));
    EXPECT_EQ(to_string(outcome.kind), "intrusion") << line << ": " << outcome.message;
  }
  const RecordOutcome raised = record(candidate_request(
      kPlainTask, reaching("frame = caught().tb_frame.f_back",
                           "def caught():\n    try:\n        raise ValueError\n    except ValueError as error:\n"
                           "        return error.__traceback__\n")));
  EXPECT_EQ(to_string(raised.kind), "intrusion") << raised.message;
  EXPECT_EQ(raised.line, 9);
}

TEST(Intrusion, OrdinaryCodeIsLeftAlone) {
  for (const char* line : {"P = collections.namedtuple('P', 'a b')", "T = typing.TypeVar('T')",
                           "logging.getLogger('a').info('b')", "logging.warning('c')", "gc.collect()",
                           "name = inspect.signature(self.forward)", "text = traceback.format_stack()"}) {
    const RecordOutcome outcome = record(candidate_request(kPlainTask, reaching(line)));
    EXPECT_EQ(to_string(outcome.kind), "recorded") << line << ": " << outcome.message;
  }
  const RecordOutcome printed = record(
      candidate_request(kPlainTask, reaching("tell()",
                                             "def tell():\n    try:\n        raise ValueError\n    except ValueError:\n"
                                             "        traceback.print_exc()\n")));
  EXPECT_EQ(to_string(printed.kind), "recorded") << printed.message;
}

TEST(BadFiles, ExceptionsKnowTheirLine) {
  const RecordOutcome outcome = record(candidate_request(
      kPlainTask, "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x @ x\n"));
  EXPECT_EQ(outcome.kind, Kind::kRaised);
  EXPECT_EQ(outcome.phase, "forward");
  EXPECT_EQ(outcome.file, "candidate.py");
  EXPECT_EQ(outcome.line, 4);
  EXPECT_EQ(outcome.code, "return x @ x");
}

}  // namespace
}  // namespace tritonrl::python
