#include "generate/scripted_generator.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/generate/small_model.h"

namespace tritonrl::generate {
namespace {

using record::FinishReason;
using record::Sample;

GenerateRequest request_of(int samples) {
  GenerateRequest request;
  request.id = "task";
  request.prompt = {1, 2};
  request.samples = samples;
  request.seed = 9;
  return request;
}

TEST(ScriptedGenerator, AnswersInTurn) {
  ScriptedGenerator generator(std::vector<std::string>{"one", "two"});
  generator.adapter_version = 4;
  const GenerateRequest request = request_of(3);
  const std::vector<Sample> samples = generator.generate({&request, 1});
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples[0].text, "one");
  EXPECT_EQ(samples[1].text, "two");
  EXPECT_EQ(samples[2].text, "one");
  EXPECT_EQ(samples[2].index, 2);
  EXPECT_EQ(samples[0].tokens, (std::vector<std::int32_t>{'o', 'n', 'e'}));
  EXPECT_EQ(samples[0].log_probabilities.size(), 3u);
  EXPECT_EQ(samples[0].adapter_version, 4);
  EXPECT_EQ(samples[0].seed, 9u);
  EXPECT_NE(samples[1].seed, 9u);
  EXPECT_EQ(samples[0].finish, FinishReason::kStopToken);
  EXPECT_EQ(samples[0].prompt, request.prompt);
}

TEST(ScriptedGenerator, AnswersByAFunctionWithATokenizer) {
  ScriptedGenerator generator(
      [](const GenerateRequest& request, int index) { return request.id + " " + std::to_string(index); },
      small_tokenizer());
  const GenerateRequest request = request_of(2);
  const std::vector<Sample> samples = generator.generate({&request, 1});
  EXPECT_EQ(samples[1].text, "task 1");
  EXPECT_EQ(samples[1].tokens, small_tokenizer().encode("task 1"));
}

TEST(ScriptedGenerator, KeepsToLimitsAndListeners) {
  ScriptedGenerator generator(std::vector<std::string>{"hello stop world"});
  GenerateRequest request = request_of(1);
  request.sampling.stop_strings = {"stop"};
  EXPECT_EQ(generator.generate({&request, 1}).front().text, "hello ");
  EXPECT_EQ(generator.generate({&request, 1}).front().finish, FinishReason::kStopString);
  request.sampling.max_new_tokens = 3;
  EXPECT_EQ(generator.generate({&request, 1}).front().text, "hel");
  EXPECT_EQ(generator.generate({&request, 1}).front().finish, FinishReason::kLength);
  GenerateEvents events;
  std::string heard;
  events.on_text = [&](const std::string&, int, std::string_view text) {
    heard += text;
    return false;
  };
  int finished = 0;
  events.on_sample = [&](const Sample&) { ++finished; };
  EXPECT_EQ(generator.generate({&request, 1}, events).front().finish, FinishReason::kCancelled);
  EXPECT_EQ(heard, "hel");
  EXPECT_EQ(finished, 1);
  request.samples = 0;
  EXPECT_THROW(generator.generate({&request, 1}), base::UserError);
}

}  // namespace
}  // namespace tritonrl::generate
