#include "record/sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "base/json.h"

namespace tritonrl::record {
namespace {

Sample a_sample() {
  Sample sample;
  sample.id = "softmax";
  sample.index = 3;
  sample.prompt = {1, 2, 151643};
  sample.tokens = {7, 0, 5};
  sample.log_probabilities = {-0.1f, -1e-7f, -23.456789f};
  sample.text = "caf\xc3\xa9\n\"quoted\"";
  sample.finish = FinishReason::kStopString;
  sample.seed = std::numeric_limits<std::uint64_t>::max();
  sample.adapter_version = 12;
  return sample;
}

TEST(Sample, ReadsBackWhatItWrote) {
  Sample sample = a_sample();
  const base::Result<Sample> back = sample_from_json(to_json(sample));
  ASSERT_TRUE(back.ok()) << back.error();
  EXPECT_EQ(back.value(), sample);

  sample.turn = 2;
  sample.parent_id = "parent";
  for (const FinishReason reason :
       {FinishReason::kStopToken, FinishReason::kStopString, FinishReason::kLength, FinishReason::kCancelled}) {
    sample.finish = reason;
    EXPECT_EQ(sample_from_json(to_json(sample)).value(), sample) << name_of(reason);
  }
}

TEST(Sample, OneLineWithFewDigits) {
  const std::string line = to_json(a_sample());
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_NE(line.find("\"log_probabilities\":[-0.1,-1e-07,-23.456789]"), std::string::npos) << line;
  EXPECT_NE(line.find("\"finish\":\"stop_string\""), std::string::npos) << line;
  EXPECT_EQ(line.find("parent_id"), std::string::npos) << line;
}

TEST(Sample, WhatIsNoNumberIsNull) {
  Sample sample = a_sample();
  sample.log_probabilities[1] = -std::numeric_limits<float>::infinity();
  const base::Result<Sample> back = sample_from_json(to_json(sample));
  ASSERT_TRUE(back.ok());
  EXPECT_TRUE(std::isnan(back.value().log_probabilities[1]));
}

TEST(Sample, NamesTheFieldThatIsWrong) {
  const auto error_with = [](const char* name, const std::optional<base::Json>& value) {
    base::Json json = base::Json::parse(to_json(a_sample()));
    if (value) {
      json[name] = *value;
    } else {
      json.erase(name);
    }
    const base::Result<Sample> result = sample_from_json(json.dump());
    return result.ok() ? std::string("accepted") : result.error();
  };
  EXPECT_EQ(error_with("id", std::nullopt), "sample: id is missing");
  EXPECT_EQ(error_with("id", 3), "sample: id is not a string");
  EXPECT_EQ(error_with("index", 1.5), "sample: index is not a whole number in range");
  EXPECT_EQ(error_with("index", 3000000000), "sample: index is not a whole number in range");
  EXPECT_EQ(error_with("seed", -1), "sample: seed is not a whole number in range");
  EXPECT_EQ(error_with("tokens", base::Json::array({1, "x"})), "sample: tokens[1] is not a whole number in range");
  EXPECT_EQ(error_with("tokens", base::Json::array({1})), "sample: tokens and log_probabilities differ in length");
  EXPECT_EQ(error_with("log_probabilities", "x"), "sample: log_probabilities is not a list");
  EXPECT_EQ(error_with("finish", "bored"), "sample: finish has the unknown value 'bored'");
  EXPECT_FALSE(sample_from_json("[]").ok());
  EXPECT_FALSE(sample_from_json("{").ok());
}

}  // namespace
}  // namespace tritonrl::record
