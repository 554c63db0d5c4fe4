// Candidates that mean harm: the right outcome each, in bounded time, and nothing left behind.
// tests/sandbox shows the same attacks getting through when the protection is switched off.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <sstream>

#include "tests/python/process_census.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::python {
namespace {

namespace fs = std::filesystem;
using Kind = RecordOutcome::Kind;

struct Attack {
  const char* name;
  const char* at_import;   // statements at the top of the candidate
  const char* in_forward;  // statements before `return x + 1`
  std::vector<Kind> outcomes;
};

// The module itself is honest; a harmless attempt is recorded like any other.
std::string candidate(const Attack& attack) {
  std::string out = "import os, sys, torch\n";
  out += attack.at_import;
  out += "\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n";
  std::istringstream lines(attack.in_forward);
  for (std::string line; std::getline(lines, line);) out += "        " + line + "\n";
  return out + "        return x + 1\n";
}

RecorderOptions hostile_options(sandbox::Level level) {
  RecorderOptions options = test_recorder_options();
  options.policy.level = level;
  options.policy.wall_ms = 2000;
  options.policy.cpu_seconds = 3;
  return options;
}

std::vector<Attack> attacks() {
  static const std::string five_megabytes = [] {
    std::string text = "table = [\n";
    while (text.size() < (5u << 20)) text += "    0.123456789, 0.987654321, 0.5, 0.25,\n";
    return text + "]\n";
  }();
  return {
      {"honest", "", "pass", {Kind::kRecorded}},
      {"hang_at_import", "while True: pass", "pass", {Kind::kTimeout}},
      {"hang_in_forward", "", "while True: pass", {Kind::kTimeout}},
      {"sleep_ignoring_signals",
       "import signal, time\nfor s in range(1, 32):\n    try: signal.signal(s, signal.SIG_IGN)\n    except (OSError, "
       "ValueError): pass\ntime.sleep(1000)",
       "pass",
       {Kind::kTimeout}},
      {"stop_itself",
       "import signal\nos.kill(os.getpid(), signal.SIGSTOP)",
       "pass",
       {Kind::kTimeout, Kind::kRaised, Kind::kRecorded}},
      {"fork_without_end", "while True: os.fork()", "pass", {Kind::kRaised}},
      {"fork_quietly", "try:\n    while True: os.fork()\nexcept OSError: pass", "pass", {Kind::kRecorded}},
      {"daemonise",
       "try:\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n            import time; "
       "time.sleep(1000)\n        os._exit(0)\nexcept OSError: pass",
       "pass",
       {Kind::kRecorded}},
      {"threads_without_end",
       "import threading, time\ntry:\n    while True: threading.Thread(target=time.sleep, args=(1000,), "
       "daemon=True).start()\nexcept RuntimeError: pass",
       "pass",
       {Kind::kCrashed, Kind::kRecorded}},
      {"allocate_100_gb", "keep = bytearray(100 << 30)", "pass", {Kind::kRaised}},
      {"allocate_in_pieces",
       "keep = []\nwhile True: keep.append(bytearray(64 << 20))",
       "pass",
       {Kind::kRaised, Kind::kCrashed, Kind::kTimeout}},
      {"real_tensor_100_gb", "", "torch.zeros(25 << 30).numpy()", {Kind::kRaised, Kind::kNotRecordable}},
      {"kill_parent",
       "import signal\nfor pid in (os.getppid(), 1, -1):\n    try: os.kill(pid, signal.SIGKILL)\n    except OSError: "
       "pass",
       "pass",
       {Kind::kRecorded, Kind::kCrashed}},
      {"write_to_every_descriptor",
       "for fd in range(1024):\n    try: os.write(fd, b'x' * 4096)\n    except OSError: pass",
       "pass",
       {Kind::kMalformed}},
      {"close_every_descriptor", "os.closerange(0, 1024)", "pass", {Kind::kCrashed, Kind::kRaised}},
      {"flood_output",
       "for _ in range(200):\n    sys.stdout.write('y' * 1000000)\n    sys.stderr.write('y' * 1000000)",
       "pass",
       {Kind::kRecorded, Kind::kTimeout}},
      {"forged_program",
       "import json, struct\nbody = json.dumps({'kind': 'program', 'program': {'format': 1}}).encode()\nos.write(3, "
       "struct.pack('<I', len(body)) + body)",
       "pass",
       {Kind::kMalformed}},
      {"forged_length", "os.write(3, b'\\xff\\xff\\xff\\xff' + b'{' * 100)\nos._exit(0)", "pass", {Kind::kMalformed}},
      {"half_a_frame", "os.write(3, b'\\x00\\x01\\x00\\x00abc')\nos._exit(0)", "pass", {Kind::kMalformed}},
      {"forged_question",
       "import json, struct\nbody = json.dumps({'kind': 'question', 'question': [], 'program': "
       "3}).encode()\nos.write(3, struct.pack('<I', len(body)) + body)",
       "pass",
       {Kind::kMalformed, Kind::kRecorded}},
      {"not_utf8",
       "import struct\nbody = b'{\"kind\": \"\\xff\\xfe\"}'\nos.write(3, struct.pack('<I', len(body)) + body)",
       "pass",
       {Kind::kMalformed}},
      {"deep_json",
       "import struct\nbody = b'[' * 1000000\nos.write(3, struct.pack('<I', len(body)) + body)",
       "pass",
       {Kind::kMalformed}},
      {"exit", "os._exit(0)", "pass", {Kind::kCrashed}},
      {"sys_exit", "sys.exit(0)", "pass", {Kind::kRaised}},
      {"segfault", "import ctypes\nctypes.string_at(0)", "pass", {Kind::kCrashed}},
      {"abort", "os.abort()", "pass", {Kind::kCrashed}},
      {"recurse",
       "sys.setrecursionlimit(10**9)\ndef f(): return f()\nf()",
       "pass",
       {Kind::kCrashed, Kind::kRaised, Kind::kTimeout}},
      {"open_socket", "import socket\nsocket.socket()", "pass", {Kind::kRaised}},
      {"exec_program", "import subprocess\nsubprocess.run(['/bin/true'])", "pass", {Kind::kRaised}},
      {"write_file_elsewhere", "open('/var/tmp/tritonrl_was_here', 'w').write('x')", "pass", {Kind::kRaised}},
      {"read_passwords", "open('/etc/shadow').read()", "pass", {Kind::kRaised}},
      {"fill_scratch",
       "with open('big', 'wb') as f:\n    while True: f.write(b'x' * (1 << 20))",
       "pass",
       {Kind::kRaised, Kind::kCrashed}},
      {"walk_proc",
       "found = []\nfor pid in os.listdir('/proc') if os.access('/proc', os.R_OK) else []:\n    if pid.isdigit() and "
       "int(pid) != os.getpid():\n        found.append(open(f'/proc/{pid}/cmdline').read())\nassert not found",
       "pass",
       {Kind::kRecorded, Kind::kRaised}},
      {"five_megabyte_file", five_megabytes.c_str(), "pass", {Kind::kRecorded, Kind::kTimeout}},
      {"patch_recorder", "import recorder.tape\nrecorder.tape.Tape._shape = None", "pass", {Kind::kRaised}},
      {"patch_json", "import json\njson.dumps = lambda *a, **k: 'nonsense'", "pass", {Kind::kMalformed}},
  };
}

class Hostile : public testing::TestWithParam<sandbox::Level> {};

TEST_P(Hostile, EveryAttackHasTheRightOutcomeAndLeavesNothing) {
  Recorder recorder(hostile_options(GetParam()));
  ASSERT_EQ(recorder.record(task_request(kPlainTask)).kind, Kind::kRecorded);
  const int descriptors = open_descriptors();
  fs::remove("/var/tmp/tritonrl_was_here");
  for (const Attack& attack : attacks()) {
    SCOPED_TRACE(attack.name);
    const auto begin = std::chrono::steady_clock::now();
    const RecordOutcome outcome = recorder.record(candidate_request(kPlainTask, candidate(attack)));
    const auto took = std::chrono::steady_clock::now() - begin;
    EXPECT_NE(std::find(attack.outcomes.begin(), attack.outcomes.end(), outcome.kind), attack.outcomes.end())
        << "outcome " << to_string(outcome.kind) << ": " << outcome.exception << " " << outcome.message << "\n"
        << outcome.log.substr(0, 500);
    EXPECT_LT(took, std::chrono::seconds(8));
    EXPECT_LE(outcome.log.size(), std::size_t{64} << 10);
    EXPECT_LT(outcome.peak_bytes, std::int64_t{6} << 30);
    // the next candidate is judged as if nothing had been
    EXPECT_EQ(recorder.record(candidate_request(kPlainTask, candidate({"", "", "pass", {}}))).kind, Kind::kRecorded);
    EXPECT_EQ(open_descriptors(), descriptors);
    EXPECT_EQ(lasting_descendants(), 1) << "processes beside the zygote";
  }
  EXPECT_FALSE(fs::exists("/var/tmp/tritonrl_was_here"));
}

INSTANTIATE_TEST_SUITE_P(Levels, Hostile, testing::Values(sandbox::Level::kFull, sandbox::Level::kLandlock),
                         [](const auto& one) { return one.param == sandbox::Level::kFull ? "full" : "landlock"; });

}  // namespace
}  // namespace tritonrl::python
