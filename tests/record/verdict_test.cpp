#include "record/verdict.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace tritonrl::record {
namespace {

using Json = nlohmann::ordered_json;

Verdict full_verdict() {
  Verdict verdict;
  verdict.kind = VerdictKind::kWrong;
  verdict.stage = Stage::kFull;
  verdict.rule = "fails_off_shape";
  verdict.message = "line one\nline \"two\"";
  verdict.reward = 0.58;
  verdict.policy = "strict";
  verdict.variations = {{"original", VariationResult::Status::kPassed, 1e-6, ""},
                        {"shape", VariationResult::Status::kFailed, 0.3, "element 7"},
                        {"dtype", VariationResult::Status::kNotApplicable, std::nullopt, "raises"}};
  verdict.timing = Timing{.measured = true,
                          .speedup = 1.7,
                          .cv = 0.004,
                          .reference_us = 10.5,
                          .candidate_us = 6.2,
                          .target = "h200",
                          .device = {}};
  verdict.work_share = 0.42;
  verdict.ms = {{"ast", 1.2}, {"compile", 80.25}};
  verdict.judge_version = "1";
  verdict.plan_reward = 1.7;
  verdict.code_reward = 0;
  verdict.at = SourcePlace{"kernel.py", 12, "tl.store(p, x)"};
  verdict.expected = "1.5";
  verdict.got = "-1.5";
  verdict.advice = "mask the store";
  verdict.checks = {{"launch_counts", true, ""}, {"work", false, "more than the reference"}};
  verdict.notes = {"output is constant"};
  verdict.sandbox = "full";
  return verdict;
}

TEST(Verdict, RoundTrip) {
  for (const Verdict& verdict : {Verdict{}, full_verdict()}) {
    const std::string text = to_json(verdict);
    const base::Result<Verdict> read = verdict_from_json(text);
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(read.value(), verdict) << text;
    EXPECT_EQ(to_json(read.value()), text);
  }
}

TEST(Verdict, RoundTripOfWhatAGpuMeasured) {
  Verdict verdict = full_verdict();
  verdict.backend = "cuda";
  verdict.variations.front().size = "real";
  verdict.timing->trials = 50;
  verdict.timing->speedup_low = 1.69;
  verdict.timing->speedup_high = 1.71;
  verdict.timing->reference_host_us = 30;
  verdict.timing->candidate_host_us = 12.5;
  verdict.timing->modelled_speedup = 1.5;
  verdict.timing->baseline = "compile";
  verdict.timing->compile_us = 8;
  verdict.timing->speedup_over_compile = 1.29;
  const base::Result<Verdict> read = verdict_from_json(to_json(verdict));
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(read.value(), verdict);
}

TEST(Verdict, RoundTripOfALiveRun) {
  for (const std::optional<bool> agrees :
       {std::optional<bool>(), std::optional<bool>(true), std::optional<bool>(false)}) {
    Verdict verdict = full_verdict();
    verdict.live = LiveResult{agrees, 20.5, std::nullopt, 1.5, 1e-6, "odd"};
    const std::string text = to_json(verdict);
    const base::Result<Verdict> read = verdict_from_json(text);
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(read.value(), verdict);
  }
  Verdict verdict;
  verdict.live = LiveResult{true, 20, 40, 2, 0, ""};
  EXPECT_EQ(Json::parse(to_json(verdict))["live"].dump(),
            R"({"agrees":true,"wall_us":20.0,"reference_wall_us":40.0,"speedup":2.0,"max_error":0.0,"message":""})");
}

TEST(Verdict, RoundTripOfEveryName) {
  for (int kind = 0; kind <= static_cast<int>(VerdictKind::kInfrastructure); ++kind) {
    for (int stage = 0; stage <= static_cast<int>(Stage::kTiming); ++stage) {
      Verdict verdict;
      verdict.kind = static_cast<VerdictKind>(kind);
      verdict.stage = static_cast<Stage>(stage);
      const base::Result<Verdict> read = verdict_from_json(to_json(verdict));
      ASSERT_TRUE(read.ok()) << read.error();
      EXPECT_EQ(read.value(), verdict);
    }
  }
}

TEST(Verdict, HasTheFieldsOfTheContractInOrder) {
  const std::vector<std::string> contract = {"kind",   "stage",      "rule",    "message",
                                             "reward", "policy",     "backend", "variations",
                                             "timing", "work_share", "ms",      "judge_version"};
  std::vector<std::string> names;
  const Json empty = Json::parse(to_json(Verdict{}));
  for (const auto& [name, value] : empty.items()) names.push_back(name);
  EXPECT_EQ(names, contract);

  const Json json = Json::parse(to_json(full_verdict()));
  EXPECT_EQ(json["kind"], "wrong");
  EXPECT_EQ(json["stage"], "full");
  EXPECT_EQ(json["variations"][1]["status"], "failed");
  EXPECT_EQ(json["variations"][2]["status"], "not_applicable");
  EXPECT_TRUE(json["variations"][2]["max_error"].is_null());
  EXPECT_EQ(json["timing"].dump(),
            R"({"mode":"measured","speedup":1.7,"cv":0.004,"reference_us":10.5,"candidate_us":6.2,"target":"h200"})");
  EXPECT_EQ(to_json(full_verdict()).find('\n'), std::string::npos);
}

TEST(Verdict, AbsentValuesAreNull) {
  const Json json = Json::parse(to_json(Verdict{}));
  for (const char* name : {"reward", "timing", "work_share"}) EXPECT_TRUE(json[name].is_null()) << name;
  EXPECT_EQ(json["variations"], Json::array());
  EXPECT_EQ(json["ms"], Json::object());
}

TEST(Verdict, NumbersThatAreNoneBecomeNull) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    Verdict verdict = full_verdict();
    verdict.reward = verdict.work_share = verdict.plan_reward = bad;
    verdict.variations[0].max_error = bad;
    verdict.timing->speedup = verdict.timing->candidate_us = bad;
    verdict.ms["ast"] = bad;
    const std::string text = to_json(verdict);
    const Json json = Json::parse(text);
    EXPECT_TRUE(json["reward"].is_null());
    EXPECT_TRUE(json["work_share"].is_null());
    EXPECT_TRUE(json["plan_reward"].is_null());
    EXPECT_TRUE(json["variations"][0]["max_error"].is_null());
    EXPECT_TRUE(json["timing"]["speedup"].is_null());
    EXPECT_TRUE(json["ms"]["ast"].is_null());
    const base::Result<Verdict> read = verdict_from_json(text);
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_FALSE(read.value().reward.has_value());
  }
}

TEST(Verdict, BytesThatAreNoTextAreReplaced) {
  Verdict verdict;
  verdict.message = "bad \xff\xfe byte";
  const base::Result<Verdict> read = verdict_from_json(to_json(verdict));
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(read.value().message, "bad \xEF\xBF\xBD\xEF\xBF\xBD byte");
}

TEST(Verdict, UnknownFieldsAreLeftAlone) {
  Json json = Json::parse(to_json(full_verdict()));
  json["of_a_later_version"] = {1, 2, 3};
  const base::Result<Verdict> read = verdict_from_json(json.dump());
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(read.value(), full_verdict());
}

TEST(Verdict, AMistakeNamesItsField) {
  const auto error_of = [](const std::string& pointer, const Json& value) {
    Json json = Json::parse(to_json(full_verdict()));
    json[Json::json_pointer(pointer)] = value;
    const base::Result<Verdict> read = verdict_from_json(json.dump());
    return read.ok() ? "" : read.error();
  };
  EXPECT_EQ(error_of("/kind", "splendid"), "verdict: kind has the unknown value 'splendid'");
  EXPECT_EQ(error_of("/stage", 3), "verdict: stage is not a string");
  EXPECT_EQ(error_of("/reward", "0.5"), "verdict: reward is neither a number nor null");
  EXPECT_EQ(error_of("/variations", 1), "verdict: variations is not a list");
  EXPECT_EQ(error_of("/variations/1/status", "ok"), "verdict: variations[1].status has the unknown value 'ok'");
  EXPECT_EQ(error_of("/variations/2", 5), "verdict: variations[2] is not an object");
  EXPECT_EQ(error_of("/timing", "fast"), "verdict: timing is not an object");
  EXPECT_EQ(error_of("/timing/mode", "guessed"), "verdict: timing.mode is 'guessed'; choose one of modelled, measured");
  EXPECT_EQ(error_of("/ms/ast", true), "verdict: ms.ast is neither a number nor null");
  EXPECT_EQ(error_of("/at/line", 1e30), "verdict: at.line is not a whole number in range");
  EXPECT_EQ(error_of("/at/line", std::numeric_limits<std::int64_t>::max()),
            "verdict: at.line is not a whole number in range");
  EXPECT_EQ(error_of("/checks/0/passed", "yes"), "verdict: checks[0].passed is not true or false");
  EXPECT_EQ(error_of("/notes/0", nullptr), "verdict: notes[0] is not a string");

  for (const char* name : {"kind", "stage", "reward", "timing", "ms", "judge_version"}) {
    Json json = Json::parse(to_json(full_verdict()));
    json.erase(name);
    const base::Result<Verdict> read = verdict_from_json(json.dump());
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error(), std::string("verdict: ") + name + " is missing");
  }
  EXPECT_EQ(verdict_from_json("{").error(), "verdict is not JSON");
  EXPECT_EQ(verdict_from_json("").error(), "verdict is not JSON");
  EXPECT_EQ(verdict_from_json("[]").error(), "verdict: it is not an object");
}

// Any bytes give a verdict or a reason; what is read writes and reads again.
TEST(Verdict, SurvivesMutatedText) {
  const std::string original = to_json(full_verdict());
  const std::string pieces[] = {"null", "{",     "}",  "[",    "]",    "\"",
                                ",",    "1e308", "-1", "true", "\xff", std::string(1, '\0')};
  std::mt19937 random(7);
  int read_count = 0, failed_count = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = original;
    for (int change = 0; change <= round % 3; ++change) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 8);
          break;
        case 2:
          text.insert(at, pieces[random() % std::size(pieces)]);
          break;
        default:
          text.replace(at, 1 + random() % 6, pieces[random() % std::size(pieces)]);
          break;
      }
      if (text.empty()) text = "x";
    }
    const base::Result<Verdict> read = verdict_from_json(text);
    if (!read.ok()) {
      EXPECT_FALSE(read.error().empty());
      ++failed_count;
      continue;
    }
    ++read_count;
    const std::string again = to_json(read.value());
    const base::Result<Verdict> second = verdict_from_json(again);
    ASSERT_TRUE(second.ok()) << second.error() << "\n" << text;
    EXPECT_EQ(to_json(second.value()), again);
  }
  EXPECT_GT(read_count, 500);
  EXPECT_GT(failed_count, 500);
}

TEST(Verdict, DeepNestingIsOnlyBadText) {
  EXPECT_FALSE(verdict_from_json(std::string(200'000, '[')).ok());
  EXPECT_FALSE(verdict_from_json(std::string(200'000, '[') + std::string(200'000, ']')).ok());
}

}  // namespace
}  // namespace tritonrl::record
