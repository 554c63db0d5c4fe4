// Files as they stand, against the reference in another process. On the CPU, where kernels run in Triton's interpreter
// and the host measures time; with TRITONRL_TEST_DEVICE=cuda on a GPU.
#include "python/live.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "sandbox/probe.h"
#include "tests/python/process_census.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::python {
namespace {

using Kind = LiveOutcome::Kind;

constexpr const char* kTask = R"(
import torch
class Model(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = torch.nn.Linear(width, width)
    def forward(self, x):
        return torch.relu(self.fc(x))
def get_inputs():
    return [torch.randn(8, 16)]
def get_init_inputs():
    return [16]
)";

// The right module, with `before` at the top of the file and `after` applied to the result `y`.
std::string candidate(const std::string& after, const std::string& before = "") {
  return "import os, sys, time, torch\n" + before + R"(
class ModelNew(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = torch.nn.Linear(width, width)
    def forward(self, x):
        y = (x @ self.fc.weight.t() + self.fc.bias).clamp(min=0)
)" + "        " +
         after + "\n        return y\n";
}

bool on_gpu() {
  const char* device = std::getenv("TRITONRL_TEST_DEVICE");
  return device != nullptr && std::string(device) == "cuda";
}

LiveOptions options_for_tests(std::int64_t run_ms) {
  const RecorderOptions recorder = test_recorder_options();
  LiveOptions out;
  out.interpreter = recorder.interpreter;
  out.library = recorder.library;
  out.policy = recorder.policy;
  out.policy.level = sandbox::best_level(sandbox::probe(), /*devices=*/true);
  out.device = on_gpu() ? "cuda" : "cpu";
  out.run_ms = run_ms;
  return out;
}

Live& live() {
  static Live one(options_for_tests(60'000));
  return one;
}

LiveRequest request_for(const std::string& file, const std::string& task = kTask) {
  LiveRequest out;
  out.of = {.task = {.id = "task.py", .source = task, .entry_point = {}}, .precision = "", .seed = 1234567};
  out.candidate = file;
  out.candidate_name = "mine.py";
  out.outputs = {{.dtype = program::DType::kFloat32, .sizes = {8, 16}, .atol = 1e-4, .rtol = 1e-4}};
  return out;
}

LiveOutcome outcome_of(const std::string& file) {
  return live().run(request_for(file));
}

// All turns at once; their names are kept.
DeviceTurns noted(std::vector<std::string>& turns) {
  const auto turn = [&turns](const char* name) {
    return [&turns, name](const std::function<void()>& work) {
      turns.emplace_back(name);
      work();
    };
  };
  return {.beside = turn("beside"), .alone = turn("alone")};
}

TEST(Live, AnHonestFileAgrees) {
  const LiveOutcome out = outcome_of(candidate("pass"));
  EXPECT_EQ(out.kind, Kind::kAgrees) << out.message;
  EXPECT_LT(out.max_error, 1e-5);
  EXPECT_GT(out.wall_us, 0);
  EXPECT_GT(out.reference_wall_us, 0);
  EXPECT_EQ(out.message, "");
}

TEST(Live, AKernelRunsAsItStands) {
  LiveRequest request = request_for(R"(
import torch, triton
import triton.language as tl

@triton.jit
def add_one(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + at, tl.load(x_ptr + at, mask=at < n) + 1, mask=at < n)

class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        add_one[(triton.cdiv(x.numel(), 32),)](x, y, x.numel(), BLOCK=32)
        return y
)",
                                    kPlainTask);
  const LiveOutcome out = live().run(request);
  EXPECT_EQ(out.kind, Kind::kAgrees) << out.message;
  EXPECT_EQ(out.max_error, 0);
}

TEST(Live, OtherValuesAreNamed) {
  const LiveOutcome out = outcome_of(candidate("y[2, 3] += 1"));
  EXPECT_EQ(out.kind, Kind::kDiffers);
  EXPECT_TRUE(out.message.starts_with("output 0, element 35: expected ")) << out.message;
  EXPECT_NE(out.message.find("1 elements differ"), std::string::npos) << out.message;
  EXPECT_NE(out.expected, out.got);
  EXPECT_NEAR(out.max_error, 1, 1e-3);
}

// What the file could know a recording by is not here.
TEST(Live, AFileThatIsGoodOnlyWhereItIsWatchedDiffers) {
  const LiveOutcome out = outcome_of(candidate(
      "y = y if any(m.split('.')[0] in ('recorder', 'zygote', 'channel', 'live') for m in sys.modules) else y * 0"));
  EXPECT_EQ(out.kind, Kind::kDiffers);
  EXPECT_EQ(outcome_of(candidate("assert 'tritonrl' not in repr(sys.modules) + repr(sys.meta_path)")).kind,
            Kind::kAgrees);
}

TEST(Live, NotANumberDiffers) {
  const LiveOutcome out = outcome_of(candidate("y[0, 0] = float('nan')"));
  EXPECT_EQ(out.kind, Kind::kDiffers);
  EXPECT_EQ(out.got, "nan");
}

TEST(Live, AFileThatRaisesDiffers) {
  const LiveOutcome out = outcome_of(candidate("raise ValueError('not today')"));
  EXPECT_EQ(out.kind, Kind::kDiffers);
  EXPECT_EQ(out.message, "raised ValueError in phase forward: not today (mine.py:9)");
  EXPECT_EQ(outcome_of("x = 1\n").kind, Kind::kDiffers);
  EXPECT_EQ(outcome_of("def f(:\n").kind, Kind::kDiffers);
  EXPECT_EQ(outcome_of(candidate("sys.exit(0)")).kind, Kind::kDiffers);
}

TEST(Live, AFileThatEndsItsProcessDiffers) {
  const LiveOutcome out = outcome_of(candidate("os._exit(0)"));
  EXPECT_EQ(out.kind, Kind::kDiffers);
  EXPECT_NE(out.message.find("exited with code 0"), std::string::npos) << out.message;
  const LiveOutcome killed = outcome_of(candidate("import ctypes; ctypes.string_at(0)"));
  EXPECT_EQ(killed.kind, Kind::kDiffers);
  EXPECT_NE(killed.message.find("signal"), std::string::npos) << killed.message;
}

TEST(Live, AFileThatHangsDiffersInTime) {
  const std::int64_t limit = on_gpu() ? 30'000 : 4'000;
  Live hasty(options_for_tests(limit));
  const auto begin = std::chrono::steady_clock::now();
  const LiveOutcome out = hasty.run(request_for(candidate("time.sleep(1000)")));
  EXPECT_EQ(out.kind, Kind::kDiffers);
  EXPECT_EQ(out.message, "no answer within " + std::to_string(limit) + " ms");
  // it hangs only when it is timed
  const LiveOutcome later =
      hasty.run(request_for(candidate("global calls; calls += 1; time.sleep(1000 if calls > 1 else 0)", "calls = 0")));
  EXPECT_EQ(later.kind, Kind::kDiffers);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(4 * limit + 25'000));
  EXPECT_EQ(hasty.run(request_for(candidate("pass"))).kind, Kind::kAgrees);
}

TEST(Live, OtherShapesAndTypesDiffer) {
  const LiveOutcome shape = outcome_of(candidate("y = y.t()"));
  EXPECT_EQ(shape.kind, Kind::kDiffers);
  EXPECT_EQ(shape.message, "it gives output 0 of shape [16, 8], and [8, 16] was recorded");
  const LiveOutcome type = outcome_of(candidate("y = y.double()"));
  EXPECT_EQ(type.kind, Kind::kDiffers);
  EXPECT_EQ(type.message, "it gives output 0 of type float64, and float32 was recorded");
  const LiveOutcome more = outcome_of(candidate("y = (y, y)"));
  EXPECT_EQ(more.kind, Kind::kDiffers);
  EXPECT_EQ(more.message, "it gives 2 output tensors, and 1 were recorded");
}

// Keeps a mapping of its own of every descriptor that has one.
constexpr const char* kScribble =
    "import mmap\n"
    "kept = []\n"
    "for fd in range(4, 64):\n"
    "    try: kept.append(mmap.mmap(fd, 512))\n"
    "    except (OSError, ValueError): pass\n"
    "assert kept\n"
    "def scribble():\n"
    "    for one in kept: one[:] = b'A' * 512\n"
    "calls = 0\n";

// What counts is what was left when the process had died, not what it had answered about.
TEST(Live, OutputsThatAreOverwrittenAfterTheAnswerDiffer) {
  const LiveOutcome out = outcome_of(candidate("global calls; calls += 1; calls == 2 and scribble()", kScribble));
  EXPECT_EQ(out.kind, Kind::kDiffers);
  EXPECT_EQ(out.got, "12.0784311");
}

TEST(Live, NobodyIsLeftToOverwriteOutputs) {
  const LiveOutcome out = outcome_of(candidate("pass", std::string(kScribble) + "if os.fork() == 0:\n"
                                                                                "    time.sleep(0.5)\n"
                                                                                "    while True: scribble()\n"));
  EXPECT_EQ(out.kind, Kind::kAgrees) << out.message;
}

TEST(Live, AFileThatSealsItsOutputsAgainstOthersDiffers) {
  const LiveOutcome out = outcome_of(candidate("pass",
                                               "import fcntl\n"
                                               "F_ADD_SEALS, F_SEAL_SEAL = 1033, 1\n"
                                               "sealed = 0\n"
                                               "for fd in range(3, 64):\n"
                                               "    try:\n"
                                               "        fcntl.fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL); sealed += 1\n"
                                               "    except OSError: pass\n"
                                               "assert sealed\n"));
  EXPECT_EQ(out.kind, Kind::kDiffers);
  EXPECT_EQ(out.message, "it keeps others from its outputs");
}

TEST(Live, ForgedAnswersDoNotHelp) {
  const std::string forge =
      "import json, struct\n"
      "def say(**what):\n"
      "    body = json.dumps(what).encode()\n"
      "    os.write(3, struct.pack('<I', len(body)) + body)\n";
  const LiveOutcome out =
      outcome_of(candidate("pass", forge + "say(kind='ran')\nsay(kind='timed', us=1)\ntime.sleep(9)\n"));
  EXPECT_EQ(out.kind, Kind::kDiffers);
  EXPECT_EQ(out.got, "0");
  for (const char* lie : {"say(kind='ran')", "say(kind='raised', line=1e300, file='candidate.py')", "say(kind=3)",
                          "os.write(3, b'\\x02\\x00\\x00\\x00[]')", "os.write(3, b'\\xff\\xff\\xff\\xff')"}) {
    EXPECT_EQ(outcome_of(candidate("pass", forge + lie + "\n")).kind, Kind::kDiffers) << lie;
  }
}

TEST(Live, AReferenceThatDoesNotRunIsNobodysFault) {
  const std::string task =
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        raise "
      "RuntimeError('no such GPU')\ndef get_inputs():\n    return [torch.rand(8, 16)]\n";
  const std::string file =
      "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x\n";
  for (const std::string& one : {file, std::string("raise ValueError")}) {
    const LiveOutcome out = live().run(request_for(one, task));
    EXPECT_EQ(out.kind, Kind::kUnknown);
    EXPECT_EQ(out.message,
              "the reference does not run live: raised RuntimeError in phase forward: no such GPU (task.py:4)");
  }
}

// A reference whose rounding is worse than the tolerance: what is nearer to the truth is right.
TEST(Live, AnExactResultIsHeldAgainstFloat64) {
  const std::string task =
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return (x + 1e6) - 1e6\n"
      "def get_inputs():\n    return [torch.rand(8, 16)]\n";
  const std::string file =
      "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x.clone()\n";
  const LiveOutcome out = live().run(request_for(file, task));
  EXPECT_EQ(out.kind, Kind::kAgrees) << out.message;
  EXPECT_GT(out.max_error, 1e-3);
}

TEST(Live, InputsInAnotherPrecisionAndSeveralOutputs) {
  const std::string task =
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return {'a': x * 2, 'b': "
      "[x.argmax(), "
      "x > 0.5]}\ndef get_inputs():\n    return [torch.rand(8, 16)]\n";
  const std::string file =
      "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        assert x.dtype == "
      "torch.bfloat16\n"
      "        return {'a': x + x, 'b': [x.argmax(), x > 0.5]}\n";
  LiveRequest request = request_for(file, task);
  request.of.precision = "bfloat16";
  request.outputs = {{.dtype = program::DType::kBFloat16, .sizes = {8, 16}, .atol = 1e-2, .rtol = 1e-2},
                     {.dtype = program::DType::kInt64, .sizes = {}, .atol = 0, .rtol = 0},
                     {.dtype = program::DType::kBool, .sizes = {8, 16}, .atol = 0, .rtol = 0}};
  const LiveOutcome out = live().run(request);
  EXPECT_EQ(out.kind, Kind::kAgrees) << out.message;
}

TEST(Live, TimesThatCannotBeAreTold) {
  if (on_gpu()) GTEST_SKIP() << "time is the GPU's there";
  // a clock of its own: a thousand times too fast
  const LiveOutcome out = outcome_of(
      candidate("time.sleep(0.1)", "clock = time.perf_counter\ntime.perf_counter = lambda: clock() / 1e6\n"));
  EXPECT_EQ(out.kind, Kind::kAgrees) << out.message;
  EXPECT_NE(out.message.find("far longer than it tells"), std::string::npos) << out.message;
  const LiveOutcome slow =
      outcome_of(candidate("pass", "clock = time.perf_counter\ntime.perf_counter = lambda: clock() * 1e6\n"));
  EXPECT_NE(slow.message.find("its process tells"), std::string::npos) << slow.message;
}

TEST(Live, NothingIsLeft) {
  outcome_of(candidate("pass"));
  const int descriptors = open_descriptors(), processes = lasting_descendants();
  outcome_of(candidate("pass"));
  outcome_of(candidate("os._exit(1)", "if os.fork() == 0: time.sleep(1000)\n"));
  EXPECT_EQ(open_descriptors(), descriptors);
  EXPECT_EQ(lasting_descendants(), processes);
}

class LiveLevels : public testing::TestWithParam<sandbox::Level> {};

// It starts compilers, and keeps what they make.
TEST_P(LiveLevels, CompilersRunInTheSandbox) {
  LiveOptions options = options_for_tests(60'000);
  const sandbox::Level best = options.policy.level;
  if (best == sandbox::Level::kLandlock && GetParam() == sandbox::Level::kFull)
    GTEST_SKIP() << "this machine gives no more than landlock to processes with devices";
  options.policy.level = GetParam();
  Live one(options);
  // torch.compile takes half a minute, and starts the same compiler
  if (GetParam() == best) {
    std::vector<std::string> turns;
    const CompiledTimes times = one.time_compiled(request_for("").of, noted(turns));
    EXPECT_EQ(times.failure, "");
    EXPECT_EQ(times.us.size(), 20u);
    EXPECT_EQ(turns, (std::vector<std::string>{"beside", "alone"}));
  }
  // as Triton builds what launches its kernels
  const LiveOutcome built = one.run(request_for(candidate("assert hello.__file__.startswith(os.environ['HOME'])", R"(
from triton.runtime.build import compile_module_from_src
hello = compile_module_from_src(name="hello", src="""
#include <Python.h>
static struct PyModuleDef hello = {PyModuleDef_HEAD_INIT, "hello", NULL, -1, NULL};
PyMODINIT_FUNC PyInit_hello(void) { return PyModule_Create(&hello); }
""")
)")));
  EXPECT_EQ(built.kind, Kind::kAgrees) << built.message;
}

INSTANTIATE_TEST_SUITE_P(Levels, LiveLevels, testing::Values(sandbox::Level::kFull, sandbox::Level::kLandlock),
                         [](const auto& one) { return one.param == sandbox::Level::kFull ? "full" : "landlock"; });

TEST(Live, ATaskThatCannotBeCompiledSaysWhy) {
  std::vector<std::string> turns;
  const auto failure_of = [&](const std::string& source) {
    const CompiledTimes none = live().time_compiled(
        {.task = {.id = "task.py", .source = source, .entry_point = {}}, .precision = "", .seed = 1}, noted(turns));
    EXPECT_TRUE(none.us.empty());
    return none.failure;
  };
  EXPECT_EQ(failure_of("raise ValueError('no')"), "raised ValueError in phase load task: no (task.py:1)");
  EXPECT_TRUE(turns.empty());
  EXPECT_EQ(failure_of("import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
                       "def get_inputs():\n    raise ValueError('none')\n"),
            "raised ValueError in phase get_inputs: none (task.py:6)");
  EXPECT_EQ(turns, std::vector<std::string>{"beside"});
}

}  // namespace
}  // namespace tritonrl::python
