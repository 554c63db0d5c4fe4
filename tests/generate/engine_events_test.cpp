#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "generate/engine.h"
#include "tests/generate/small_model.h"

namespace tritonrl::generate {
namespace {

using record::FinishReason;
using record::Sample;
using Key = std::pair<std::string, int>;

class EngineEvents : public ::testing::Test {
 protected:
  EngineEvents() : model_(small_model()), engine_(*model_, small_tokenizer(), {.slots = 5, .capacity = 200}) {}

  std::vector<GenerateRequest> requests(int count, int samples, int max_new_tokens) const {
    SamplingOptions sampling;
    sampling.max_new_tokens = max_new_tokens;
    std::vector<GenerateRequest> out = some_requests(count, sampling);
    for (GenerateRequest& request : out) request.samples = samples;
    return out;
  }

  std::unique_ptr<model::Transformer> model_;
  Engine engine_;
};

TEST_F(EngineEvents, StreamedTextIsTheText) {
  std::vector<GenerateRequest> asked = requests(20, 3, 50);
  for (GenerateRequest& request : asked) request.sampling.stop_strings = {"ab", "ca", "\xff"};
  std::map<Key, std::string> heard;
  std::vector<Key> finished;
  GenerateEvents events;
  events.on_text = [&](const std::string& id, int index, std::string_view text) {
    EXPECT_FALSE(text.empty());
    heard[{id, index}] += text;
    return true;
  };
  events.on_sample = [&](const Sample& sample) {
    finished.emplace_back(sample.id, sample.index);
    EXPECT_EQ(sample.text, heard[finished.back()]);
  };
  const std::vector<Sample> samples = engine_.generate(asked, events);
  EXPECT_EQ(finished.size(), 60u);
  std::map<FinishReason, int> finishes;
  for (const Sample& sample : samples) {
    ++finishes[sample.finish];
    EXPECT_EQ(sample.text, (heard[{sample.id, sample.index}]));
    EXPECT_EQ(sample.text.find("ab"), std::string::npos);
    EXPECT_EQ(sample.text.find("ca"), std::string::npos);
    EXPECT_EQ(sample.text.find("<|end|>"), std::string::npos);
  }
  EXPECT_GE(finishes[FinishReason::kStopString], 3);
  EXPECT_GT(finishes[FinishReason::kStopToken], 5);
}

TEST_F(EngineEvents, AStopStringCutsTheTextAndKeepsTheTokens) {
  const std::vector<GenerateRequest> plain = requests(30, 1, 40);
  const std::vector<Sample> before = engine_.generate(plain);
  // Any two letters from the middle of an answer, likely across tokens.
  std::vector<GenerateRequest> stopping = plain;
  int cut = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const std::string& text = before[i].text;
    if (text.size() > 8) stopping[i].sampling.stop_strings = {text.substr(text.size() / 2, 3)};
  }
  const std::vector<Sample> after = engine_.generate(stopping);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (stopping[i].sampling.stop_strings.empty()) continue;
    const std::string& stop = stopping[i].sampling.stop_strings.front();
    EXPECT_EQ(after[i].finish, FinishReason::kStopString);
    EXPECT_EQ(after[i].text, before[i].text.substr(0, before[i].text.find(stop)));
    ASSERT_LE(after[i].tokens.size(), before[i].tokens.size());
    EXPECT_TRUE(std::equal(after[i].tokens.begin(), after[i].tokens.end(), before[i].tokens.begin()));
    EXPECT_EQ(after[i].log_probabilities.size(), after[i].tokens.size());
    ++cut;
  }
  EXPECT_GT(cut, 10);
}

TEST_F(EngineEvents, StopTokensAreKeptAndNotShown) {
  int stopped = 0;
  for (const Sample& sample : engine_.generate(requests(30, 1, 60))) {
    if (sample.finish != FinishReason::kStopToken) continue;
    ++stopped;
    const std::int32_t last = sample.tokens.back();
    EXPECT_TRUE(last == kEndOfTurn || last == 3 || last == 77 || last == 200) << last;
    EXPECT_NE(sample.text.empty() ? '\0' : sample.text.back(), '\3');
  }
  EXPECT_GT(stopped, 5);
  std::vector<GenerateRequest> ignoring = requests(10, 1, 60);
  for (GenerateRequest& request : ignoring) request.sampling.ignore_stop_tokens = true;
  for (const Sample& sample : engine_.generate(ignoring)) {
    EXPECT_EQ(sample.finish, FinishReason::kLength);
    EXPECT_EQ(sample.tokens.size(), 60u);
  }
}

TEST_F(EngineEvents, AListenerCanCancelOneSample) {
  std::vector<GenerateRequest> asked = requests(8, 2, 40);
  for (GenerateRequest& request : asked) request.sampling.ignore_stop_tokens = true;
  std::map<Key, int> calls;
  GenerateEvents events;
  events.on_text = [&](const std::string& id, int index, std::string_view) {
    return ++calls[{id, index}] < 5 || index == 0;
  };
  const std::vector<Sample> samples = engine_.generate(asked, events);
  const std::vector<Sample> whole = engine_.generate(asked);
  ASSERT_EQ(samples.size(), 16u);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i].index == 0) {
      EXPECT_EQ(samples[i].tokens, whole[i].tokens);
      EXPECT_EQ(samples[i].finish, FinishReason::kLength);
    } else {
      EXPECT_EQ(samples[i].finish, FinishReason::kCancelled);
      EXPECT_EQ((calls[{samples[i].id, 1}]), 5);
      EXPECT_LT(samples[i].tokens.size(), 40u);
      EXPECT_GE(samples[i].tokens.size(), 5u);
    }
  }
}

TEST_F(EngineEvents, EverythingCanBeCancelled) {
  std::vector<GenerateRequest> asked = requests(6, 4, 40);
  for (GenerateRequest& request : asked) request.sampling.ignore_stop_tokens = true;
  int steps = 0, finished = 0;
  GenerateEvents events;
  events.cancelled = [&] { return ++steps > 50; };
  events.on_sample = [&](const Sample&) { ++finished; };
  const std::vector<Sample> samples = engine_.generate(asked, events);
  ASSERT_EQ(samples.size(), 24u);
  EXPECT_EQ(finished, 24);
  std::map<FinishReason, int> finishes;
  int empty = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ++finishes[samples[i].finish];
    empty += samples[i].tokens.empty();
    EXPECT_EQ(samples[i].id, asked[i / 4].id);
    EXPECT_EQ(samples[i].index, static_cast<int>(i % 4));
  }
  EXPECT_GE(finishes[FinishReason::kLength], 3);
  EXPECT_GE(empty, 10);
  EXPECT_EQ(finishes[FinishReason::kLength] + finishes[FinishReason::kCancelled], 24);
  EXPECT_GT(finishes[FinishReason::kCancelled], empty);
  EXPECT_EQ(engine_.generate(asked).size(), 24u);  // all slots are free again
}

TEST_F(EngineEvents, AListenerThatThrowsLeavesTheEngineUsable) {
  const std::vector<GenerateRequest> asked = requests(6, 4, 40);
  const std::vector<Sample> expected = engine_.generate(asked);
  int calls = 0;
  GenerateEvents events;
  events.on_text = [&](const std::string&, int, std::string_view) -> bool {
    if (++calls > 30) throw std::runtime_error("enough");
    return true;
  };
  EXPECT_THROW(engine_.generate(asked, events), std::runtime_error);
  const std::vector<Sample> again = engine_.generate(asked);
  for (std::size_t i = 0; i < again.size(); ++i) EXPECT_EQ(again[i].tokens, expected[i].tokens);
}

}  // namespace
}  // namespace tritonrl::generate
