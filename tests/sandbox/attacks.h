#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/sandbox/harness.h"
#include "tests/sandbox/world.h"

namespace tritonrl::sandbox::testing {

// Names of switches of Protections.
using Switches = std::vector<bool Protections::*>;

struct Attack {
  std::string name;
  std::string source;  // Python
  // The protections that all must be off for it to succeed.
  Switches off;
  // Whether the attack had its effect. Undoes it.
  std::function<bool(World&, const Result&)> effect;
  // Changes the policy of both runs, where the attack needs it.
  std::function<void(Policy&)> adjust = nullptr;
  // How a protected run may end.
  std::vector<Exit::Kind> ends = {Exit::Kind::kExited};
};

// It said "through".
bool said_through(World& world, const Result& result);

// Runs each attack twice: under the whole policy, where nothing may come of it, and with the protections in question
// switched off, where it must succeed, or the first run has shown nothing. Between them the zygote must still serve.
void run_attacks(Level level, const std::vector<Attack>& attacks);

// A fixture over the levels that protect.
class AttackTest : public ::testing::TestWithParam<Level> {
 protected:
  void SetUp() override {
    if (!can(GetParam())) GTEST_SKIP() << "this kernel does not give level " << to_string(GetParam());
  }
};

#define TRITONRL_ATTACK_LEVELS(Suite)                                                  \
  INSTANTIATE_TEST_SUITE_P(, Suite, ::testing::Values(Level::kFull, Level::kLandlock), \
                           [](const auto& level) { return to_string(level.param); })

}  // namespace tritonrl::sandbox::testing
