#include <sys/stat.h>

#include "tests/sandbox/attacks.h"

namespace tritonrl::sandbox::testing {
namespace {

class DescriptorsTest : public AttackTest {};

TEST_P(DescriptorsTest, WritingToEveryNumberReachesNobody) {
  Harness harness;
  const std::string source = R"(
for number in reversed(range(1024)):
    try:
        os.write(number, b'garbage')
    except OSError:
        pass
time.sleep(0.05)
)";
  const auto size = [&] {
    struct stat about {};
    stat(harness.precious().c_str(), &about);
    return about.st_size;
  };
  Policy policy = harness.policy(GetParam());
  Result result = harness.run(policy, source);
  EXPECT_EQ(size(), 0);
  EXPECT_TRUE(result.malformed) << describe(result);
  EXPECT_TRUE(harness.run(harness.policy(GetParam()), "say('hello')").said("hello"));

  policy.protections.descriptors = false;
  result = harness.run(policy, source);
  EXPECT_GT(size(), 0) << "the attack fails even without protection\n" << describe(result);
}

TEST_P(DescriptorsTest, AreFourAndNothingElse) {
  Harness harness;
  const Result result = harness.run(harness.policy(GetParam()), R"(
def is_open(number):
    try:
        return bool(os.fstat(number))
    except OSError:
        return False
say(str([number for number in range(4096) if is_open(number)]))
say(repr(sys.stdin.read()))
print('to the log', flush=True)
print('and this', file=sys.stderr, flush=True)
)");
  EXPECT_EQ(result.messages, (std::vector<std::string>{"[0, 1, 2, 3]", "''"})) << describe(result);
  EXPECT_EQ(result.log, "to the log\nand this\n");
}

TRITONRL_ATTACK_LEVELS(DescriptorsTest);

}  // namespace
}  // namespace tritonrl::sandbox::testing
