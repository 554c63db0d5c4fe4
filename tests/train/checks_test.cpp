#include "train/checks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "record/training_pair.h"
#include "tests/base/scratch_folder.h"
#include "tests/train/small_data.h"
#include "text/tokenizer/tokenizer_json.h"

namespace tritonrl::train {
namespace {

// The message with which `work` stops; empty: it does not.
template <class Work>
std::string message_of(const Work& work) {
  try {
    work();
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "";
}

std::string pair_line(const std::string& output) {
  record::TrainingPair pair;
  pair.id = "a/1";
  pair.instruction = "write a kernel";
  pair.output = output;
  pair.pytorch_code = "x";
  return record::to_json(pair) + "\n";
}

class Checks : public testing::Test {
 protected:
  PairFile pairs(const std::string& text) {
    base::write_file_atomically(folder_.path("pairs.jsonl"), text);
    return PairFile(folder_.path("pairs.jsonl"), maker_, 2);
  }
  base::ScratchFolder folder_;
  ExampleMaker maker_{byte_text(), {}};
};

TEST_F(Checks, AFileWhosePairsAreAllTooLong) {
  const PairFile file = pairs(pair_line(std::string(100, 'x')) + pair_line(std::string(200, 'x')));
  const auto check = [&](std::int64_t longest) {
    return message_of([&] { require_trainable(file, {.capacity = longest}, maker_.end_of_turn()); });
  };
  EXPECT_EQ(check(1000), "");
  EXPECT_NE(check(50).find("raise --longest"), std::string::npos);
}

TEST_F(Checks, AFileWithoutAnEndOfTurn) {
  const PairFile file = pairs(pair_line("x"));
  EXPECT_NE(message_of([&] { require_trainable(file, {.capacity = 1000}, 250); }).find("never trained"),
            std::string::npos);
}

TEST_F(Checks, LinesThatAreNoPairsAreNamed) {
  EXPECT_NE(message_of([&] { pairs(pair_line("x") + "{}\n"); }).find("pairs.jsonl, line 2"), std::string::npos);
  EXPECT_NE(message_of([&] { pairs(pair_line("")); }).find("line 1: the pair's output is empty"), std::string::npos);
  EXPECT_NE(message_of([&] { PairFile(folder_.path("none"), maker_, 1); }).find("none"), std::string::npos);
}

TEST_F(Checks, PromptsOfAnotherTokenizer) {
  const std::vector<std::string> instructions = {"write a kernel"};
  const auto write = [&](const std::string& chat_template) {
    base::write_file_atomically(folder_.path("tokenizer.json"), text::tokenizer_json(maker_.text().tokenizer.parts()));
    base::write_file_atomically(
        folder_.path("tokenizer_config.json"),
        text::tokenizer_config_json({.eos_token = "<|im_end|>", .chat_template = chat_template}));
    return message_of([&] { require_same_prompts(maker_, instructions, folder_.path("")); });
  };
  EXPECT_EQ(write(maker_.text().chat_template), "");
  EXPECT_NE(write(text::chat_template_jinja(text::ChatDialect::kQwen25)).find("two tokenizers are mixed"),
            std::string::npos);
}

TEST_F(Checks, NumbersThatAreNotFinite) {
  EXPECT_EQ(message_of([] { require_finite(1, 1, 1); }), "");
  EXPECT_NE(message_of([] { require_finite(NAN, 1, 7); }).find("step 7"), std::string::npos);
  EXPECT_NE(message_of([] { require_finite(1, INFINITY, 7); }), "");
}

}  // namespace
}  // namespace tritonrl::train
