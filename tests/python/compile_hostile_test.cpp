// Kernels that mean harm to their compiler: the front end executes what they can reach, so each has a process of its
// own, and nothing but an outcome comes of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "tests/base/scratch_folder.h"
#include "tests/python/process_census.h"
#include "tests/python/test_compiler.h"

namespace tritonrl::python {
namespace {

namespace fs = std::filesystem;
using Kind = CompileOutcome::Kind;

struct Attack {
  const char* name;
  const char* statement;  // in the kernel; `os`, `builtins` stand for the modules, reached through Triton's own
  std::vector<Kind> outcomes;
  bool machine_code = false;
};

std::vector<Attack> attacks() {
  return {
      {"honest", "pass", {Kind::kCompiled}},
      // what never ends
      {"exec_forever", "builtins.exec('while True: pass')", {Kind::kTimeout}},
      {"unrolled_without_end", "for i in tl.static_range(1000000000): tl.store(x + i, 1.0)", {Kind::kTimeout}},
      {"constant_of_a_billion_digits", "C: tl.constexpr = 9 ** (9 ** 9)", {Kind::kTimeout, Kind::kCrashed}},
      {"sleep", "builtins.exec('import time; time.sleep(1000)')", {Kind::kTimeout}},
      {"ignore_signals",
       "builtins.exec('import signal\\nfor s in range(1, 32):\\n  try: signal.signal(s, signal.SIG_IGN)\\n  except "
       "Exception: pass\\nwhile True: pass')",
       {Kind::kTimeout}},
      // what takes too much
      {"memory_at_once", "builtins.bytearray(1 << 45)", {Kind::kCrashed}},
      {"memory_in_pieces",
       "builtins.exec('a = []\\nwhile True: a.append(bytearray(1 << 26))')",
       {Kind::kCrashed, Kind::kTimeout}},
      {"print_without_end",
       "builtins.exec('for _ in range(300): print(\"y\" * 1000000)')",
       {Kind::kCompiled, Kind::kTimeout}},
      {"fill_scratch",
       "builtins.exec('f = open(\"big\", \"wb\")\\nwhile True: f.write(b\"x\" * (1 << 20))')",
       {Kind::kError, Kind::kCrashed}},
      // what ends the process
      {"exit", "os._exit(0)", {Kind::kCrashed}},
      {"sys_exit", "builtins.exec('raise SystemExit(0)')", {Kind::kError}},
      {"abort", "os.abort()", {Kind::kCrashed}},
      {"kill_others",
       "builtins.exec('import os\\nfor p in (1, os.getppid(), -1):\\n  try: os.kill(p, 9)\\n  except OSError: pass')",
       {Kind::kCompiled, Kind::kCrashed}},
      {"segfault", "builtins.exec('import ctypes; ctypes.string_at(0)')", {Kind::kCrashed}},
      {"close_descriptors", "os.closerange(0, 1000)", {Kind::kCrashed}},
      // what reaches outside
      {"read_passwords", "builtins.open('/etc/shadow').read()", {Kind::kError}},
      {"read_root", "os.listdir('/root')", {Kind::kError}},
      {"write_elsewhere", "builtins.open('/var/tmp/tritonrl_was_here', 'w').write('x')", {Kind::kError}},
      {"socket", "builtins.exec('import socket; socket.socket()')", {Kind::kError}},
      {"fork", "os.fork()", {Kind::kError}},
      {"run_a_program", "os.system('touch /var/tmp/tritonrl_was_here')", {Kind::kCompiled, Kind::kError}},
      // the same where an assembler may run
      {"read_passwords_with_processes", "builtins.open('/etc/shadow').read()", {Kind::kError}, true},
      {"write_by_a_program", "os.system('touch /var/tmp/tritonrl_was_here')", {Kind::kCompiled, Kind::kError}, true},
      {"leave_a_process",
       "builtins.exec('import os, time\\nif os.fork() == 0:\\n  os.setsid()\\n  time.sleep(1000)')",
       {Kind::kCompiled, Kind::kError, Kind::kTimeout},
       true},
      {"fork_without_end",
       "builtins.exec('import os\\nwhile True: os.fork()')",
       {Kind::kError, Kind::kCrashed, Kind::kTimeout},
       true},
      // what forges the answer
      {"forged_compiled",
       "builtins.exec('import os, struct, json\\nb = json.dumps({\"kind\": \"compiled\", \"ir\": \"module {}\", "
       "\"figures\": {\"num_warps\": 4, \"num_ctas\": 1, \"num_stages\": 1}}).encode()\\nos.write(3, "
       "struct.pack(\"<I\", "
       "len(b)) + b)')",
       {Kind::kCompiled}},
      {"forged_figures",
       "builtins.exec('import os, struct, json\\nb = json.dumps({\"kind\": \"compiled\", \"ir\": \"module {}\", "
       "\"figures\": {\"num_warps\": 10**30, \"num_ctas\": -1, \"num_stages\": 1}}).encode()\\nos.write(3, "
       "struct.pack(\"<I\", len(b)) + b)')",
       {Kind::kMalformed}},
      {"forged_cubin",
       "builtins.exec('import os, struct, json\\nb = json.dumps({\"kind\": \"compiled\", \"ir\": \"module {}\", "
       "\"cubin\": "
       "\"AAAA\", \"figures\": {\"num_warps\": 4, \"num_ctas\": 1, \"num_stages\": 1, \"shared\": 0, \"name\": "
       "\"k\"}}).encode()\\nos.write(3, struct.pack(\"<I\", len(b)) + b)')",
       {Kind::kMalformed},
       true},
      {"forged_error",
       "builtins.exec('import os, struct, json\\nb = json.dumps({\"kind\": \"error\", \"message\": [1], \"frames\": "
       "[{\"line\": -5}, {\"line\": 10**9}, {\"line\": \"x\"}, 3], \"line\": 1 << 40}).encode()\\nos.write(3, "
       "struct.pack(\"<I\", len(b)) + b)')",
       {Kind::kMalformed}},
      {"forged_length",
       "builtins.exec('import os\\nos.write(3, b\"\\\\xff\" * 100)\\nos._exit(0)')",
       {Kind::kMalformed}},
      {"half_a_frame",
       "builtins.exec('import os\\nos.write(3, b\"\\\\x10\\\\x00\\\\x00\\\\x00ab\")\\nos._exit(0)')",
       {Kind::kMalformed}},
      {"not_utf8",
       "builtins.exec('import os, struct\\nb = b\"{\\\\x22kind\\\\x22: \\\\x22\\\\xff\\\\x22}\"\\nos.write(3, "
       "struct.pack(\"<I\", len(b)) + b)')",
       {Kind::kMalformed}},
      {"deep_json",
       "builtins.exec('import os, struct\\nb = b\"[\" * 1000000\\nos.write(3, struct.pack(\"<I\", len(b)) + b)')",
       {Kind::kMalformed}},
      {"patch_the_compiler", "builtins.exec('import channel; channel._write = None')", {Kind::kCrashed, Kind::kError}},
      {"patch_json", "builtins.exec('import json; json.dumps = lambda *a, **k: \"nonsense\"')", {Kind::kMalformed}},
  };
}

TestKernel kernel_of(const Attack& attack) {
  TestKernel kernel =
      make_kernel("def k(x):\n    " + std::string(attack.statement) + "\n    tl.store(x, 1.0)\n", {{"x", "*fp32", {}}});
  // a kernel reaches every module that Triton's own modules have imported
  kernel.kernel.imports.emplace_back("builtins", "triton.language.core:builtins");
  kernel.kernel.imports.emplace_back("os", "triton.knobs:os");
  return kernel;
}

KernelCompilerOptions hostile_options(sandbox::Level level) {
  KernelCompilerOptions options = test_compiler_options();
  options.policy.level = level;
  options.policy.wall_ms = 3000;
  options.policy.cpu_seconds = 4;
  options.policy.memory_bytes = std::int64_t{1} << 30;
  return options;
}

class CompileHostile : public testing::TestWithParam<sandbox::Level> {};

TEST_P(CompileHostile, EveryAttackHasTheRightOutcomeAndLeavesNothing) {
  const base::ScratchFolder folder;
  KernelCompilerOptions options = hostile_options(GetParam());
  options.cache = folder.path("cache");
  KernelCompiler compiler(options);
  const TestKernel honest = kernel_of({"", "pass", {}});
  const std::string expected = compiler.compile(honest.request()).kernel.ir;
  ASSERT_FALSE(expected.empty());
  const int descriptors = open_descriptors();
  fs::remove("/var/tmp/tritonrl_was_here");
  int block = 32;  // another constant each time, so that the honest kernel is compiled and not found in the cache
  for (const Attack& attack : attacks()) {
    SCOPED_TRACE(attack.name);
    const auto begin = std::chrono::steady_clock::now();
    const TestKernel kernel = kernel_of(attack);
    const CompileOutcome outcome = compiler.compile(kernel.request("h200", attack.machine_code));
    const auto took = std::chrono::steady_clock::now() - begin;
    EXPECT_NE(std::find(attack.outcomes.begin(), attack.outcomes.end(), outcome.kind), attack.outcomes.end())
        << "outcome " << to_string(outcome.kind) << ": " << outcome.exception << " " << outcome.message << "\n"
        << outcome.log.substr(0, 500);
    EXPECT_EQ(outcome.message.empty(), outcome.kind == Kind::kCompiled);
    EXPECT_LT(took, std::chrono::seconds(15));
    EXPECT_LE(outcome.log.size(), std::size_t{64} << 10);
    const bool kept = outcome.kind == Kind::kCompiled || outcome.kind == Kind::kError;
    if (!kept) {
      EXPECT_FALSE(compiler.compile(kernel.request("h200", attack.machine_code)).cached);
    }
    // the next kernel is compiled as if nothing had been
    TestKernel next = honest;
    next.variant.options = {{"num_warps", integer(4)}, {"maxnreg", integer(block++)}};
    EXPECT_EQ(compiler.compile(next.request()).kernel.ir, expected);
    EXPECT_EQ(open_descriptors(), descriptors);
    EXPECT_EQ(lasting_descendants(), 1) << "processes beside the zygote";
  }
  EXPECT_FALSE(fs::exists("/var/tmp/tritonrl_was_here"));
}

TEST(CompileLimits, MemoryAndTimeAreNamed) {
  KernelCompiler compiler(hostile_options(test_compiler_options().policy.level));
  const CompileOutcome memory = compiler.compile(kernel_of({"", "builtins.bytearray(1 << 45)", {}}).request());
  EXPECT_EQ(memory.message, "the compiler needs more than its 1024 MiB of memory");
  const CompileOutcome time = compiler.compile(kernel_of({"", "builtins.exec('while True: pass')", {}}).request());
  EXPECT_EQ(time.message, "no answer within 3000 ms");
}

// A busy machine is an excuse, so it has more than one chance to show.
TEST(CompileLimits, WhatComputesTooLongIsNotTriedAgain) {
  KernelCompilerOptions options = hostile_options(test_compiler_options().policy.level);
  options.policy.wall_ms = 1000;
  KernelCompiler compiler(options);
  std::vector<TestKernel> kernels(3, kernel_of({"", "builtins.exec('while True: pass')", {}}));
  std::vector<CompileRequest> requests;
  for (TestKernel& one : kernels) {
    one.variant.options = {{"num_warps", integer(std::int64_t{1} << requests.size())}};
    requests.push_back(one.request());
  }
  bool once = false;
  for (int chance = 0; chance < 12 && !once; ++chance) {
    const std::vector<CompileOutcome> outcomes = compiler.compile_all(requests);
    for (const CompileOutcome& one : outcomes) EXPECT_EQ(one.kind, Kind::kTimeout) << one.message;
    EXPECT_EQ(outcomes[0].message, "no answer within 1000 ms");
    once = outcomes[1].message == "not compiled: earlier ones took too long";
  }
  EXPECT_TRUE(once);
}

INSTANTIATE_TEST_SUITE_P(Levels, CompileHostile, testing::Values(sandbox::Level::kFull, sandbox::Level::kLandlock),
                         [](const auto& one) { return one.param == sandbox::Level::kFull ? "full" : "landlock"; });

}  // namespace
}  // namespace tritonrl::python
