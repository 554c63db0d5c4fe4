#include <gtest/gtest.h>

#include "tests/base/scratch_folder.h"
#include "tests/paths.h"
#include "tests/weights/goldens.h"
#include "weights/model_files.h"

namespace tritonrl::weights {
namespace {

namespace fs = std::filesystem;

TEST(OpenTokenizer, reads_a_gguf_file) {
  const text::ModelText model = open_tokenizer({.kind = ModelLocation::Kind::kGguf, .path = golden("llama.gguf")});
  // "<|start|>", "hello" by its merges, " hello", and a token that is no special one.
  EXPECT_EQ(model.tokenizer.encode("<|start|>hello hello<tool>"), (std::vector<text::TokenId>{1, 33, 34, 2}));
  EXPECT_EQ(model.tokenizer.decode(std::vector<text::TokenId>{1, 33, 34, 2}, /*skip_special=*/true),
            "hello hello<tool>");
  EXPECT_EQ(model.chat_template, "{% for message in messages %}{{ message['content'] }}{% endfor %}");
  EXPECT_EQ(model.dialect, std::nullopt) << "a template that we do not know is not taken for another";
}

class OpenTokenizerFolder : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy_file(source_path("tests/text/tokenizer/small.json"), scratch_.path("tokenizer.json"));
  }
  text::ModelText open() { return open_tokenizer({.kind = ModelLocation::Kind::kFolder, .path = scratch_.path()}); }
  base::ScratchFolder scratch_;
};

TEST_F(OpenTokenizerFolder, needs_no_template) {
  const text::ModelText model = open();
  EXPECT_EQ(model.chat_template, "");
  EXPECT_EQ(model.dialect, text::ChatDialect::kPlainChatMl);
  EXPECT_EQ(model.tokenizer.id_of("<|im_end|>"), 2);
}

TEST_F(OpenTokenizerFolder, takes_the_template_from_where_it_is) {
  write_text(scratch_.path("tokenizer_config.json"), R"({"chat_template": "from the config"})");
  EXPECT_EQ(open().chat_template, "from the config");
  write_text(scratch_.path("tokenizer_config.json"),
             R"({"chat_template": [{"name": "tool", "template": "a"}, {"name": "default", "template": "b"}]})");
  EXPECT_EQ(open().chat_template, "b");
  write_text(scratch_.path("chat_template.jinja"), "from the file");
  EXPECT_EQ(open().chat_template, "from the file");
}

TEST_F(OpenTokenizerFolder, says_what_is_wrong) {
  write_text(scratch_.path("tokenizer_config.json"), R"({"chat_template": 5})");
  expect_contains(error_of([&] { open(); }), "tokenizer_config.json: chat_template is 5; expected a string");
  write_text(scratch_.path("tokenizer_config.json"), R"({"chat_template": ["x"]})");
  expect_contains(error_of([&] { open(); }), "chat_template[0] is \"x\"; expected an object");
  fs::remove(scratch_.path("tokenizer_config.json"));
  fs::remove(scratch_.path("tokenizer.json"));
  expect_contains(error_of([&] { open(); }), "tokenizer.json: No such file");
}

TEST(OpenTokenizer, reads_the_real_qwen2_5) {
  const fs::path folder = source_path("../shared/data/qwen2_5");
  if (!fs::exists(folder / "tokenizer.json")) GTEST_SKIP() << "no tokenizer of Qwen2.5 in ../shared/data/qwen2_5";
  const text::ModelText model = open_tokenizer({.kind = ModelLocation::Kind::kFolder, .path = folder});
  EXPECT_EQ(model.tokenizer.id_of("<|im_start|>"), 151644);
  EXPECT_EQ(model.dialect, text::ChatDialect::kQwen25);
}

}  // namespace
}  // namespace tritonrl::weights
