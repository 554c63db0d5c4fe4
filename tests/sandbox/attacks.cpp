#include "tests/sandbox/attacks.h"

#include <signal.h>

#include <algorithm>
#include <filesystem>

namespace tritonrl::sandbox::testing {
namespace {

void expect_serving(Harness& harness, const Policy& policy) {
  const Result result = harness.run(policy, "say('hello')");
  EXPECT_TRUE(result.said("hello")) << describe(result);
  EXPECT_EQ(result.exit.kind, Exit::Kind::kExited) << describe(result);
}

void expect_nothing_left(Harness& harness) {
  const std::vector<pid_t> left = harness.left_over();
  EXPECT_TRUE(left.empty()) << left.size() << " processes are left";
  for (const pid_t pid : left) kill(pid, SIGKILL);
  EXPECT_EQ(harness.scratch_left(), std::vector<std::string>{});
}

}  // namespace

bool said_through(World&, const Result& result) {
  return result.said("through");
}

void run_attacks(Level level, const std::vector<Attack>& attacks) {
  Harness harness;
  const std::string folder = harness.folder() + "/world";
  std::filesystem::create_directory(folder);
  World world(folder);
  for (const Attack& attack : attacks) {
    SCOPED_TRACE(attack.name);
    Policy policy = harness.policy(level);
    if (attack.adjust) attack.adjust(policy);
    {
      const Result result = harness.run(policy, attack.source, world.json());
      EXPECT_FALSE(attack.effect(world, result)) << "the attack got through\n" << describe(result);
      EXPECT_NE(std::ranges::find(attack.ends, result.exit.kind), attack.ends.end()) << describe(result);
      expect_nothing_left(harness);
      expect_serving(harness, harness.policy(level));
    }
    for (const auto off : attack.off) policy.protections.*off = false;
    const Result result = harness.run(policy, attack.source, world.json());
    EXPECT_TRUE(attack.effect(world, result)) << "the attack fails even without protection\n" << describe(result);
    for (const pid_t pid : harness.left_over()) kill(pid, SIGKILL);
  }
}

}  // namespace tritonrl::sandbox::testing
