#include "text/chat_template.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "base/error.h"
#include "tests/text/tokenizer/small_tokenizer.h"

namespace tritonrl::text {
namespace {

const std::map<std::string, ChatDialect> kDialects = {{"qwen25", ChatDialect::kQwen25},
                                                      {"qwen2", ChatDialect::kQwen2},
                                                      {"smollm2", ChatDialect::kSmolLm2},
                                                      {"chatml", ChatDialect::kPlainChatMl}};

// scripts/make_tokenizer_goldens.py has them from transformers' apply_chat_template.
TEST(ChatTemplate, RendersAsTransformers) {
  const auto goldens = base::Json::parse(base::read_file(tokenizer_tests() / "../chat_goldens.json"));
  ASSERT_GT(goldens.size(), 20u);
  for (const auto& golden : goldens) {
    std::vector<ChatMessage> messages;
    for (const auto& message : golden["messages"])
      messages.push_back({message["role"].text(), message["content"].text()});
    for (const auto& [name, dialect] : kDialects) {
      EXPECT_EQ(render_chat(dialect, messages, golden["answer_follows"].boolean()), golden["rendered"][name].text());
    }
  }
}

TEST(ChatTemplate, RecognisesWhatItWrites) {
  for (const auto& [name, dialect] : kDialects) {
    EXPECT_EQ(recognise_chat_template(chat_template_jinja(dialect)), dialect) << name;
    EXPECT_EQ(recognise_chat_template(chat_template_jinja(dialect) + "\n"), dialect) << name;
  }
  std::string escaped = chat_template_jinja(ChatDialect::kSmolLm2);
  for (std::size_t at; (at = escaped.find('\n')) != std::string::npos;) escaped.replace(at, 1, "\\n");
  EXPECT_EQ(recognise_chat_template(escaped), ChatDialect::kSmolLm2);
}

TEST(ChatTemplate, RecognisesQwen25) {
  if (!std::filesystem::exists(qwen_folder() / "tokenizer_config.json"))
    GTEST_SKIP() << "no Qwen2.5 beside the project";
  const base::Json config = base::Json::parse(base::read_file(qwen_folder() / "tokenizer_config.json"));
  std::string jinja = config["chat_template"].text();
  EXPECT_EQ(recognise_chat_template(jinja), ChatDialect::kQwen25);
  jinja.replace(jinja.find("im_end"), 6, "im_END");
  EXPECT_EQ(recognise_chat_template(jinja), std::nullopt);
}

TEST(ChatTemplate, KnowsWhatItDoesNotKnow) {
  EXPECT_EQ(recognise_chat_template(""), std::nullopt);
  EXPECT_EQ(recognise_chat_template("{% for m in messages %}{{ m.content }}{% endfor %}"), std::nullopt);
  std::string other = chat_template_jinja(ChatDialect::kQwen2);
  other.replace(other.find("helpful assistant"), 7, "harmless");
  EXPECT_EQ(recognise_chat_template(other), std::nullopt);
}

TEST(ChatTemplate, RefusesWhatItCannotRender) {
  const std::vector<ChatMessage> tool = {{"tool", "42"}};
  EXPECT_THROW(render_chat(ChatDialect::kQwen25, tool), base::UserError);
  EXPECT_THROW(render_chat(ChatDialect::kPlainChatMl, {}), base::UserError);
}

}  // namespace
}  // namespace tritonrl::text
