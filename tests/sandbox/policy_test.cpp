#include "sandbox/policy.h"

#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "base/json.h"
#include "sandbox/exit.h"

namespace tritonrl::sandbox {
namespace {

std::string error_of(const std::string& text) {
  try {
    policy_from_json(text);
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Policy, SurvivesTheJourney) {
  Policy policy;
  policy.level = Level::kLandlock;
  policy.protections.seccomp = false;
  policy.memory_bytes = 123;
  policy.processes = true;
  policy.readable = {"/a b", "/\"c\""};
  policy.devices = {"/dev/a", "/dev/b"};
  policy.scratch = "/var/tmp";
  const Policy again = policy_from_json(to_json(policy));
  EXPECT_EQ(to_json(again), to_json(policy));
  EXPECT_EQ(again.level, Level::kLandlock);
  EXPECT_FALSE(again.protections.seccomp);
  EXPECT_EQ(again.readable, policy.readable);
  EXPECT_EQ(again.devices, policy.devices);
}

TEST(Policy, NamesTheBadField) {
  const base::Json good = base::Json::parse(to_json(Policy{}));
  for (const auto& [name, value] : good.items()) {
    base::Json missing = good;
    missing.erase(name);
    EXPECT_NE(error_of(missing.dump()).find(name), std::string::npos) << name;
    base::Json wrong = good;
    wrong[name] = nullptr;
    EXPECT_NE(error_of(wrong.dump()).find(name), std::string::npos) << name;
  }
  base::Json negative = good;
  negative["threads"] = -1;
  EXPECT_NE(error_of(negative.dump()).find("threads"), std::string::npos);
  EXPECT_NE(error_of("[]"), "");
  EXPECT_NE(error_of("{"), "");
}

TEST(Policy, RefusesBrokenTextWithoutCrashing) {
  const std::string good = to_json(Policy{});
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string text = good;
    for (int k = 0; k < 3; ++k) text[random() % text.size()] = static_cast<char>(random());
    error_of(text.substr(0, random() % (text.size() + 1)));
  }
}

TEST(Exit, SurvivesTheJourney) {
  const Exit exit{.kind = Exit::Kind::kTimedOut, .code = 9, .message = "late", .cpu_ms = 5, .peak_bytes = 7};
  const Exit again = exit_from_json(to_json(exit));
  EXPECT_EQ(to_json(again), to_json(exit));
  EXPECT_EQ(again.kind, Exit::Kind::kTimedOut);
  EXPECT_EQ(exit_from_json("").kind, Exit::Kind::kInfrastructure);
  EXPECT_EQ(exit_from_json("{\"kind\":\"exited\"}").kind, Exit::Kind::kInfrastructure);
}

}  // namespace
}  // namespace tritonrl::sandbox
