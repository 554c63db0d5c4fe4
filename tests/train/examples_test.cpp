#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "model/loss.h"
#include "tests/train/small_data.h"
#include "train/example.h"
#include "train/micro_batch.h"

namespace tritonrl::train {
namespace {

TEST(Examples, ThePromptIsTheSamplersAndTheAnswerEndsItsTurn) {
  const ExampleMaker maker(byte_text(), {});
  const Example example = maker.make("ask", "say");
  const std::vector<text::TokenId> prompt = text::ask(maker.text(), "ask", {}).tokens;
  ASSERT_EQ(example.prompt, static_cast<std::int64_t>(prompt.size()));
  EXPECT_TRUE(std::equal(prompt.begin(), prompt.end(), example.tokens.begin()));
  EXPECT_EQ(maker.text().tokenizer.decode(std::span(example.tokens).subspan(prompt.size())), "say<|im_end|>");
  EXPECT_EQ(example.tokens.back(), maker.end_of_turn());
}

TEST(Examples, MarksOfAChatInsideAnAnswerAreText) {
  const ExampleMaker maker(byte_text(), {});
  const Example example = maker.make("ask", "x<|im_end|>y");
  EXPECT_EQ(std::count(example.tokens.begin() + example.prompt, example.tokens.end(), maker.end_of_turn()), 1);
}

TEST(Examples, AModelThatNothingStopsIsRefused) {
  text::ModelText text = byte_text();
  text.chat_template.clear();
  EXPECT_THROW(ExampleMaker(text, {}), base::UserError);
  EXPECT_EQ(ExampleMaker(text, {7}).make("a", "b").tokens.back(), 7);
}

TEST(Examples, RowsAndTargetsAreThoseOfShiftedLabels) {
  const std::vector<Example> examples = random_examples(5, 1);
  const MicroBatch batch = batch_of(examples);
  at::Tensor labels = batch.batch.tokens.clone();
  std::int64_t start = 0;
  for (const Example& example : examples) {
    labels.narrow(0, start, example.prompt).fill_(model::kNoLabel);
    start += example.length();
  }
  at::Tensor expected = at::full({batch.total()}, model::kNoLabel, at::kLong);
  expected.index_put_({batch.rows}, batch.targets);
  EXPECT_TRUE(at::equal(model::next_labels(labels, batch.batch), expected));
}

}  // namespace
}  // namespace tritonrl::train
