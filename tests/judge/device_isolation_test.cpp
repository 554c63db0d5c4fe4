#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "sandbox/gpu_access.h"
#include "tests/judge/test_funnel.h"
#include "tests/paths.h"
#include "tests/python/process_census.h"

// On a GPU no candidate has an effect on the next: an honest one is judged alone, and again after each that faults,
// hangs, writes beside its tensors, takes all memory or fails an assertion there. What they do shows at the real sizes
// alone, so that it reaches the GPU: without one they pass, which the second test says.

namespace tritonrl::judge {
namespace {

namespace fs = std::filesystem;
using record::VerdictKind;

const fs::path kCases = source_path("tests/judge/adversarial");
constexpr double kMostChange = 0.05;  // of the honest candidate's time
constexpr std::int64_t kRunMs = 8'000;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

Submission submission(const std::string& name, record::Task task, const std::string& code) {
  Submission out;
  out.id = out.name = name;
  out.task = std::move(task);
  out.code = code;
  return out;
}

Submission honest() {
  record::Task task = {.id = "gelu_chain.py", .source = text_of(kCases / "tasks" / "gelu_chain.py"), .entry_point = {}};
  return submission("honest", std::move(task), text_of(kCases / "honest" / "gelu_chain_two_kernels.py"));
}

struct Disturber {
  const char* name;
  std::vector<VerdictKind> on_gpu;  // kinds that it may end in
  const char* decorator;            // of the kernel
  const char* kernel;               // lines after the ReLU; `at`, `x` and `n` are known, `extra_ptr` too
  const char* extra;                // in forward: what `extra_ptr` points to
  int features = 4096;              // of the task's square input: 64 MiB, or a GiB where memory is to become short
};

// At 16384 programs of 1024 elements the real size has a program 12345; none that is computed without a GPU has.
constexpr const char* kNothing = "extra = x";
const Disturber kDisturbers[] = {
    {"writes far out of bounds",
     {VerdictKind::kCrashed},
     "@triton.jit",
     "    far = at.to(tl.int64) * 1000003 + (1 << 40)\n"
     "    tl.store(y_ptr + far, x, mask=(at < n) & (tl.program_id(0) == 12345))\n",
     kNothing},
    {"hangs",
     {VerdictKind::kTimeout},
     "@triton.jit",
     "    waiting = (tl.program_id(0) == 12345).to(tl.int32)\n"
     "    while waiting > 0:\n"
     "        seen = tl.load(extra_ptr, volatile=True)\n"
     "        waiting = tl.where(seen == 1.0, 1, 2)\n",
     kNothing},
    {"writes beside its tensors",
     {VerdictKind::kCrashed},
     "@triton.jit",
     "    behind = n + tl.arange(0, BLOCK)\n"
     "    tl.store(y_ptr + behind, x, mask=(behind < n + 64) & (tl.program_id(0) == 12345))\n",
     kNothing},
    {"takes nearly all memory",
     {VerdictKind::kPassed, VerdictKind::kCrashed},
     "@triton.jit",
     "    tl.store(extra_ptr + at, x, mask=at < n)\n",
     "extra = self.kept = torch.empty((105, *x.shape), device=x.device)",
     16384},
    {"keeps more memory with every call",
     {VerdictKind::kPassed, VerdictKind::kCrashed},
     "@triton.jit",
     "    tl.store(extra_ptr + at, x, mask=at < n)\n",
     "extra = torch.empty((35, *x.shape), device=x.device); self.more.append(extra)",
     16384},
    {"asks for more memory than there is",
     {VerdictKind::kCrashed},
     "@triton.jit",
     "    tl.store(extra_ptr + at, x, mask=at < n)\n",
     "extra = self.kept = torch.empty((400, *x.shape), device=x.device)",
     16384},
    {"fails an assertion",
     {VerdictKind::kCrashed},
     "@triton.jit(debug=True)",
     "    tl.device_assert(tl.program_id(0) != 12345, \"not this one\")\n",
     kNothing},
};

Submission disturbing(const Disturber& one) {
  const std::string code = "import torch\nimport torch.nn as nn\nimport triton\nimport triton.language as tl\n\n\n" +
                           std::string(one.decorator) +
                           "\n"
                           "def relu_kernel(x_ptr, y_ptr, extra_ptr, n, BLOCK: tl.constexpr):\n"
                           "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                           "    x = tl.load(x_ptr + at, mask=at < n, other=0.0)\n"
                           "    tl.store(y_ptr + at, tl.maximum(x, 0.0), mask=at < n)\n" +
                           one.kernel +
                           "\n\n"
                           "class ModelNew(nn.Module):\n"
                           "    def __init__(self):\n"
                           "        super().__init__()\n"
                           "        self.more = []\n\n"
                           "    def forward(self, x):\n"
                           "        y = torch.empty_like(x)\n"
                           "        " +
                           one.extra +
                           "\n"
                           "        relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, extra, x.numel(), BLOCK=1024)\n"
                           "        return y\n";
  const std::string features = std::to_string(one.features);
  const std::string task =
      "import torch\nimport torch.nn as nn\n\n\n"
      "class Model(nn.Module):\n"
      "    def forward(self, x):\n"
      "        return torch.relu(x)\n\n\n"
      "def get_inputs():\n"
      "    return [torch.rand(" +
      features + ", " + features +
      ")]\n\n\n"
      "def get_init_inputs():\n"
      "    return []\n";
  return submission(one.name, {.id = "relu_" + features + ".py", .source = task, .entry_point = {}}, code);
}

std::string summary(const record::Verdict& verdict) {
  return std::string(to_string(verdict.kind)) + " at " + std::string(to_string(verdict.stage)) +
         (verdict.rule.empty() ? "" : " [" + verdict.rule + "]") + ": " + verdict.message.substr(0, 200);
}

// Processes that hold the GPU, whoever started them; our child processes; our open descriptors.
struct Census {
  int devices = 0, children = 0, descriptors = 0;
  bool operator==(const Census&) const = default;
};

Census census() {
  Census out;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::string name;
    std::ifstream(entry.path() / "comm") >> name;
    out.devices += name == "tritonrl-device";
  }
  out.children = python::lasting_descendants();
  out.descriptors = python::open_descriptors();
  return out;
}

// A process that holds a GPU takes a while to end; what is there after ten seconds is left over.
void expect_nothing_is_left(const Census& before) {
  Census now = census();
  for (int i = 0; i < 100 && now != before; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    now = census();
  }
  std::printf("left over: %d processes on the GPU, %d child processes, %d descriptors\n", now.devices - before.devices,
              now.children - before.children, now.descriptors - before.descriptors);
  EXPECT_EQ(now, before);
}

void judge_around(Judge& judge) {
  const record::Verdict alone = judge.judge(honest());
  ASSERT_EQ(alone.kind, VerdictKind::kPassed) << summary(alone);
  ASSERT_TRUE(alone.timing && alone.timing->measured);
  const double us = alone.timing->candidate_us;
  std::printf("%-36s %-10s %9s %9s  %s\n", "after one that", "honest", "us", "change", "the other's verdict");
  std::printf("%-36s %-10s %9.2f %9s\n", "(alone)", std::string(to_string(alone.kind)).c_str(), us, "");
  for (const Disturber& one : kDisturbers) {
    const record::Verdict other = judge.judge(disturbing(one));
    const record::Verdict again = judge.judge(honest());
    const double now = again.timing ? again.timing->candidate_us : 0;
    std::printf("%-36s %-10s %9.2f %8.2f%%  %s\n", one.name, std::string(to_string(again.kind)).c_str(), now,
                100 * (now / us - 1), summary(other).c_str());
    std::fflush(stdout);
    EXPECT_NE(std::find(one.on_gpu.begin(), one.on_gpu.end(), other.kind), one.on_gpu.end())
        << one.name << ": " << summary(other);
    EXPECT_EQ(again.kind, alone.kind) << "after one that " << one.name << ": " << summary(again);
    EXPECT_NEAR(now, us, kMostChange * us) << "after one that " << one.name;
  }
}

TEST(DeviceIsolation, NoCandidateHasAnEffectOnTheNext) {
  if (sandbox::gpu_devices().empty()) GTEST_SKIP() << "there is no NVIDIA GPU here";
  const Census before = census();
  {
    JudgeOptions options = test_judge_options();
    options.device = "cuda";
    ReplayerOptions replayer = test_replayer_options();
    replayer.device.run_ms = kRunMs;
    Funnel funnel(replayer, options);
    judge_around(funnel);
    std::printf("processes on the GPU while the judge is there: %d\n", census().devices - before.devices);
  }
  expect_nothing_is_left(before);
}

TEST(DeviceIsolation, WhatTheyDoShowsOnAGpuAlone) {
  const Census before = census();
  {
    JudgeOptions options = test_judge_options();
    options.device = "cpu";
    Funnel funnel(test_replayer_options(), options);
    for (const Disturber& one : kDisturbers) {
      const record::Verdict verdict = funnel.judge(disturbing(one));
      // what samples at the real sizes meet refuses nobody where there is a GPU
      const bool reaches =
          verdict.kind == VerdictKind::kPassed || verdict.message.starts_with("at the task's real sizes");
      EXPECT_TRUE(reaches) << one.name << ": " << summary(verdict);
    }
  }
  expect_nothing_is_left(before);
}

}  // namespace
}  // namespace tritonrl::judge
