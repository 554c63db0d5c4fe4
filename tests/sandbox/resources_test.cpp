#include <sys/resource.h>

#include "tests/sandbox/attacks.h"

namespace tritonrl::sandbox::testing {
namespace {

using P = Protections;
const std::vector<Exit::Kind> kStopped{Exit::Kind::kExited, Exit::Kind::kSignaled};

std::vector<Attack> attacks() {
  return {
      {"threads without end",
       R"(
threading.stack_size(256 << 10)
made = 0
try:
    for _ in range(400):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        made += 1
    time.sleep(0.2)
    say('through')
except RuntimeError:
    say('blocked')
)",
       {&P::limits},
       said_through,
       nullptr,
       kStopped},
      {"a hundred gigabytes",
       R"(
held = []
try:
    for _ in range(100):
        held.append(mmap.mmap(-1, 1 << 30))
    say('through')
except (OSError, MemoryError):
    say('blocked')
)",
       {&P::limits},
       said_through},
      {"many files",
       R"(
try:
    for number in range(2000):
        open('f%d' % number, 'w').close()
    time.sleep(0.2)
    say('through')
except OSError:
    say('blocked')
)",
       {&P::namespaces, &P::limits},
       said_through,
       nullptr,
       kStopped},
      {"one long file",
       R"(
try:
    with open('f', 'wb') as file:
        for _ in range(64):
            file.write(bytes(1 << 20)); file.flush()
    say('through')
except OSError:
    say('blocked')
)",
       {&P::namespaces, &P::limits},
       said_through,
       nullptr,
       kStopped},
      {"many long files",
       R"(
try:
    for number in range(32):
        with open('f%d' % number, 'wb') as file:
            file.write(bytes(1 << 20))
    time.sleep(0.2)
    say('through')
except OSError:
    say('blocked')
)",
       {&P::namespaces, &P::limits},
       said_through,
       nullptr,
       kStopped},
      {"long files without a name",
       R"(
held = []
try:
    for number in range(32):
        held.append(open('f', 'w+b'))
        os.unlink('f')
        held[-1].write(bytes(4 << 20)); held[-1].flush()
    time.sleep(0.2)
    say('through')
except OSError:
    say('blocked')
)",
       {&P::namespaces, &P::limits},
       said_through,
       nullptr,
       kStopped},
      {"long files that are only mapped",
       R"(
held = []
try:
    for number in range(32):
        with open('f', 'w+b') as file:
            file.write(bytes(4 << 20)); file.flush()
            held.append(mmap.mmap(file.fileno(), 4096))
        os.unlink('f')
    time.sleep(0.2)
    say('through')
except OSError:
    say('blocked')
)",
       {&P::namespaces, &P::limits},
       said_through,
       nullptr,
       kStopped},
      {"files in folders that cannot be listed",
       R"(
try:
    os.mkdir('closed', 0o300)
    for number in range(32):
        with open('closed/f%d' % number, 'wb') as file:
            file.write(bytes(1 << 20))
    time.sleep(0.2)
    say('through')
except OSError:
    say('blocked')
)",
       {&P::namespaces, &P::limits},
       said_through,
       nullptr,
       kStopped},
  };
}

class ResourcesTest : public AttackTest {};

TEST_P(ResourcesTest, AreBounded) {
  run_attacks(GetParam(), attacks());
}

TEST_P(ResourcesTest, MemoryOfManyProcessesIsBounded) {
  Harness harness;
  Policy policy = harness.policy(GetParam());
  policy.processes = true;
  policy.memory_bytes = std::int64_t{256} << 20;
  const std::string source = R"(
for _ in range(8):
    if os.fork() == 0:
        held = bytearray(b'x') * (100 << 20)
        time.sleep(60)
time.sleep(1)
say('through')
)";
  const Result result = harness.run(policy, source);
  EXPECT_FALSE(result.said("through")) << describe(result);
  EXPECT_EQ(result.exit.kind, Exit::Kind::kSignaled) << describe(result);
  EXPECT_NE(result.exit.message.find("bytes of memory"), std::string::npos) << describe(result);
  EXPECT_TRUE(harness.left_over().empty());
}

TEST_P(ResourcesTest, MemoryOfOneProcessIsBounded) {
  Harness harness;
  Policy policy = harness.policy(GetParam());
  policy.memory_bytes = std::int64_t{128} << 20;
  const Result result = harness.run(policy, "attempt(lambda: len(bytearray(b'x') * (1 << 30)))");
  EXPECT_TRUE(result.said("MemoryError")) << describe(result);
  EXPECT_LT(result.exit.peak_bytes, std::int64_t{256} << 20);
  EXPECT_GT(result.exit.peak_bytes, std::int64_t{1} << 20);
}

TEST_P(ResourcesTest, AFloodOfOutputCostsNoMemory) {
  Harness harness;
  const auto before = [] {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
  };
  const auto peak = before();
  Policy policy = harness.policy(GetParam());
  policy.wall_ms = 500;
  const Result result = harness.run(policy, R"(
block = b'y' * (1 << 20)
while True:
    os.write(1, block)
)");
  EXPECT_EQ(result.exit.kind, Exit::Kind::kTimedOut) << describe(result);
  EXPECT_EQ(result.log, std::string(std::size_t{64} << 10, 'y'));
  EXPECT_LT(before() - peak, 4 << 10) << "kilobytes";
}

TEST_P(ResourcesTest, AFloodOfMessagesCostsNoMemory) {
  Harness harness;
  Policy policy = harness.policy(GetParam());
  policy.wall_ms = 300;
  Job job = harness.start(policy, "while True:\n    say('z' * 1000)\n");
  std::int64_t count = 0;
  while (job.receive()) ++count;
  EXPECT_GT(count, 100);
  EXPECT_EQ(job.finish().kind, Exit::Kind::kTimedOut);
}

TEST_P(ResourcesTest, ADeepScratchIsRemoved) {
  Harness harness;
  Policy policy = harness.policy(GetParam());
  policy.scratch_files = 100'000;
  const Result result = harness.run(policy, R"(
for _ in range(3000):
    os.mkdir('d' * 20, 0o300)
    os.chdir('d' * 20)
say('done')
)");
  EXPECT_EQ(harness.scratch_left(), std::vector<std::string>{}) << describe(result);
}

TRITONRL_ATTACK_LEVELS(ResourcesTest);

}  // namespace
}  // namespace tritonrl::sandbox::testing
