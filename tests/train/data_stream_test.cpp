#include "train/data_stream.h"

#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/train/small_data.h"
#include "train/generated_source.h"

namespace tritonrl::train {
namespace {

StreamOptions stream_options(int threads = 1) {
  return {.packing = {.bins = 2, .capacity = 64, .longest_example = 38},
          .seed = 9,
          .epochs = 2,
          .threads = threads,
          .end_of_turn = 2};
}

std::vector<WeightedSource> few(std::size_t count = 50) {
  return {{std::make_shared<FewExamples>(random_examples(count, 4)), 1}};
}

std::vector<StepData> all_of(DataStream& stream) {
  std::vector<StepData> steps;
  while (std::optional<StepData> step = stream.next()) steps.push_back(std::move(*step));
  return steps;
}

void expect_same(const std::vector<StepData>& a, std::size_t from, const std::vector<StepData>& b) {
  ASSERT_EQ(a.size() - from, b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    EXPECT_EQ(a[from + i].after, b[i].after);
    ASSERT_EQ(a[from + i].batches.size(), b[i].batches.size());
    for (std::size_t j = 0; j < b[i].batches.size(); ++j) {
      EXPECT_TRUE(at::equal(a[from + i].batches[j].batch.tokens, b[i].batches[j].batch.tokens));
      EXPECT_TRUE(at::equal(a[from + i].batches[j].targets, b[i].batches[j].targets));
    }
  }
}

TEST(DataStream, GivesTheSameWhateverTheNumberOfThreads) {
  DataStream one(few(), stream_options(1)), four(few(), stream_options(4));
  expect_same(all_of(one), 0, all_of(four));
}

TEST(DataStream, GoesOnFromEveryPosition) {
  DataStream stream(few(), stream_options());
  const std::vector<StepData> steps = all_of(stream);
  ASSERT_GT(steps.size(), 10U);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    DataStream rest(few(), stream_options(2), steps[i].after);
    expect_same(steps, i + 1, all_of(rest));
  }
}

TEST(DataStream, EndsAfterItsEpochsAndCountsAll) {
  const auto source = std::make_shared<FewExamples>(random_examples(50, 4));
  DataStream stream({{source, 1}}, stream_options());
  const std::vector<StepData> steps = all_of(stream);
  std::int64_t examples = 0, tokens = 0, ends = 0, expected = 0, too_long = 0;
  for (const StepData& step : steps) {
    examples += step.examples;
    tokens += step.tokens;
    ends += step.end_labels;
  }
  for (const Example& example : source->examples()) {
    too_long += example.length() > 38 ? 1 : 0;
    expected += example.length() > 38 ? 0 : example.length();
  }
  ASSERT_GT(too_long, 0);
  EXPECT_EQ(examples, 2 * (50 - too_long));
  EXPECT_EQ(tokens, 2 * expected);
  EXPECT_EQ(ends, examples);
  EXPECT_EQ(steps.back().after.left_out, 2 * too_long);
  EXPECT_EQ(static_cast<std::int64_t>(steps.size()), count_steps({source, 1}, 9, 2, stream_options().packing));
}

TEST(DataStream, EpochsHaveOrdersOfTheirOwn) {
  DrawOrder order(few(), 1, 2);
  std::vector<std::uint64_t> first, second;
  for (int i = 0; i < 50; ++i) first.push_back(order.index_of(*order.next()));
  for (int i = 0; i < 50; ++i) second.push_back(order.index_of(*order.next()));
  EXPECT_FALSE(order.next());
  EXPECT_NE(first, second);
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  EXPECT_EQ(first, second);
}

TEST(DataStream, MixesSourcesByTheirWeights) {
  DrawOrder order({{std::make_shared<FewExamples>(random_examples(10, 1)), 3},
                   {std::make_shared<FewExamples>(random_examples(10, 2)), 1}},
                  7, 0);
  for (int i = 0; i < 4000; ++i) order.next();
  EXPECT_NEAR(static_cast<double>(order.drawn()[0]), 3000, 120);
}

TEST(DataStream, RanksShareTheBins) {
  DataStream alone(few(), stream_options());
  StreamOptions options = stream_options();
  options.ranks = 2;
  DataStream first(few(), options);
  options.rank = 1;
  DataStream second(few(), options);
  while (const std::optional<StepData> step = alone.next()) {
    const StepData a = *first.next(), b = *second.next();
    ASSERT_EQ(a.batches.size() + b.batches.size(), step->batches.size());
    EXPECT_EQ(a.labelled, step->labelled);
    EXPECT_TRUE(at::equal(a.batches[0].batch.tokens, step->batches[0].batch.tokens));
    if (b.batches.empty()) continue;
    EXPECT_TRUE(at::equal(b.batches[0].batch.tokens, step->batches[1].batch.tokens));
  }
}

class Failing : public FewExamples {
 public:
  using FewExamples::FewExamples;
  std::unique_ptr<ExampleReader> reader() const override { throw base::UserError("test", "cannot be read"); }
};

TEST(DataStream, TellsWhatAThreadThrew) {
  DataStream stream({{std::make_shared<Failing>(random_examples(3, 1)), 1}}, stream_options());
  EXPECT_THROW(stream.next(), base::UserError);
}

TEST(DataStream, PairsComeStraightFromTheGenerator) {
  const ExampleMaker maker(byte_text(), {});
  GeneratedOptions generated;
  generated.seed = 3;
  const auto source = std::make_shared<GeneratedSource>(generated, nullptr, maker);
  const auto options = [&](int threads) {
    return StreamOptions{
        .packing = {.bins = 1, .capacity = 20000}, .threads = threads, .end_of_turn = maker.end_of_turn()};
  };
  DataStream one({{source, 1}}, options(1)), three({{source, 1}}, options(3));
  const StepData a = *one.next(), b = *three.next();
  EXPECT_TRUE(at::equal(a.batches[0].batch.tokens, b.batches[0].batch.tokens));
  EXPECT_EQ(a.end_labels, a.examples);
  EXPECT_GT(a.tokens, 10000);
}

}  // namespace
}  // namespace tritonrl::train
