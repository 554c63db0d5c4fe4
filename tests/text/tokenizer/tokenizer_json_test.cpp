#include "text/tokenizer/tokenizer_json.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"
#include "tests/text/tokenizer/small_tokenizer.h"

namespace tritonrl::text {
namespace {

using base::Json;

// What is said about the small tokenizer after `edit`; empty if it loads.
std::string complaint(const std::function<void(Json&)>& edit) {
  Json document = small_tokenizer_document();
  edit(document);
  try {
    Tokenizer::from_json(document.dump(), "here.json").encode("some text");
    return "";
  } catch (const base::UserError& error) {
    return error.what();
  }
}

void expect_complaint(const std::string& part, const std::function<void(Json&)>& edit) {
  const std::string message = complaint(edit);
  EXPECT_NE(message.find("here.json"), std::string::npos) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(TokenizerJson, WritesWhatItReads) {
  for (const Split split : {Split::kGpt2, Split::kGpt2Digits, Split::kQwen2, Split::kLlama3}) {
    TokenizerParts parts = tiny_parts();
    parts.split = split;
    parts.nfc = split == Split::kQwen2;
    parts.add_prefix_space = split == Split::kGpt2;
    parts.ignore_merges = split == Split::kLlama3;
    parts.unknown_token = split == Split::kGpt2Digits ? "?" : "";
    parts.added = {
        {.id = 258, .content = "<x>", .special = true, .strip_left = true},
        {.id = 259, .content = "\xC3\xA9\xC3\xA9", .normalized = true, .strip_right = true, .single_word = true}};
    const std::string json = tokenizer_json(parts);
    EXPECT_EQ(tokenizer_json(parse_tokenizer_json(json, "x")), json);
    const TokenizerParts back = parse_tokenizer_json(json, "x");
    EXPECT_EQ(back.vocabulary, parts.vocabulary);
    EXPECT_EQ(back.merges, parts.merges);
    EXPECT_EQ(back.split, parts.split);
    EXPECT_EQ(back.nfc, parts.nfc);
    EXPECT_EQ(back.add_prefix_space, parts.add_prefix_space);
    EXPECT_EQ(back.ignore_merges, parts.ignore_merges);
    EXPECT_EQ(back.unknown_token, parts.unknown_token);
    ASSERT_EQ(back.added.size(), 2u);
    EXPECT_TRUE(back.added[1].single_word && back.added[1].strip_right && back.added[1].normalized);
  }
}

Json template_with(const Json& single) {
  return {{"type", "TemplateProcessing"},
          {"single", single},
          {"pair", Json::array()},
          {"special_tokens", {{"<|endoftext|>", {{"id", "<|endoftext|>"}, {"ids", Json::array({0})}}}}}};
}
const Json kSpecial = {{"SpecialToken", {{"id", "<|endoftext|>"}, {"type_id", 0}}}};
const Json kText = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}};

TEST(TokenizerJson, ATextBeginsAsItsTemplateSays) {
  const auto with = [](const Json& post_processor) {
    Json document = small_tokenizer_document();
    document["post_processor"] = post_processor;
    return Tokenizer::from_json(document.dump(), "x");
  };
  const Json before = template_with(Json::array({kSpecial, kText, kSpecial}));
  const Json in_sequence = {{"type", "Sequence"},
                            {"processors", Json::array({small_tokenizer_document()["post_processor"], before})}};
  const std::vector<TokenId> plain = small_tokenizer().encode("def f");
  const std::vector<TokenId> begun = [&] {
    std::vector<TokenId> out = plain;
    out.insert(out.begin(), 0);
    return out;
  }();
  EXPECT_EQ(small_tokenizer().encode_from_start("def f"), plain);
  for (const Json& one : {before, in_sequence}) {
    const Tokenizer tokenizer = with(one);
    EXPECT_EQ(tokenizer.encode("def f"), plain);
    EXPECT_EQ(tokenizer.encode_from_start("def f"), begun);
    EXPECT_EQ(tokenizer.encode_from_start("<|endoftext|>def f"), begun) << "it has that beginning already";
    const Tokenizer again = Tokenizer::from_json(tokenizer_json(tokenizer.parts()), "y");
    EXPECT_EQ(again.encode_from_start("def f"), begun) << "what is written says the same";
  }
  EXPECT_EQ(with(template_with(Json::array({kText}))).encode_from_start("def f"), plain);
  EXPECT_EQ(with(nullptr).encode_from_start("def f"), plain);
  expect_complaint("special_tokens does not have", [](Json& d) {
    d["post_processor"] = template_with(Json::array({{{"SpecialToken", {{"id", "<none>"}, {"type_id", 0}}}}}));
  });
}

TEST(TokenizerJson, MergesAsStrings) {
  EXPECT_EQ(complaint([](Json& d) {
              Json merges = Json::array({"#version: 0.2"});
              for (const Json& merge : d["model"]["merges"]) merges.push_back(merge[0].text() + " " + merge[1].text());
              d["model"]["merges"] = merges;
            }),
            "");
  expect_complaint("model.merges[3]", [](Json& d) { d["model"]["merges"][3] = "a b c"; });
  expect_complaint("model.merges[3]", [](Json& d) { d["model"]["merges"][3] = Json::array({"a"}); });
}

TEST(TokenizerJson, StepsThatAreNotBuilt) {
  EXPECT_EQ(complaint([](Json&) {}), "");
  expect_complaint("normalizer is Lowercase", [](Json& d) { d["normalizer"] = {{"type", "Lowercase"}}; });
  expect_complaint("normalizer.normalizers[1]", [](Json& d) {
    d["normalizer"] = {{"type", "Sequence"}, {"normalizers", {{{"type", "NFC"}}, {{"type", "NFKC"}}}}};
  });
  expect_complaint(": pre_tokenizer ", [](Json& d) { d["pre_tokenizer"] = nullptr; });
  expect_complaint(": pre_tokenizer ", [](Json& d) { d["pre_tokenizer"] = {{"type", "Metaspace"}}; });
  expect_complaint("pretokenizers[0] is Whitespace", [](Json& d) {
    d["pre_tokenizer"]["pretokenizers"][0] = {{"type", "Whitespace"}};
  });
  expect_complaint("individual_digits",
                   [](Json& d) { d["pre_tokenizer"]["pretokenizers"][0]["individual_digits"] = false; });
  expect_complaint("pattern.Regex", [](Json& d) {
    d["pre_tokenizer"]["pretokenizers"][0] = {
        {"type", "Split"}, {"pattern", {{"Regex", "\\w+"}}}, {"behavior", "Isolated"}, {"invert", false}};
  });
  expect_complaint("use_regex", [](Json& d) { d["pre_tokenizer"]["pretokenizers"][1]["use_regex"] = false; });
  expect_complaint(": decoder ", [](Json& d) { d["decoder"] = {{"type", "Metaspace"}}; });
  expect_complaint("model.type is Unigram", [](Json& d) { d["model"]["type"] = "Unigram"; });
  expect_complaint("model.dropout", [](Json& d) { d["model"]["dropout"] = 0.1; });
  expect_complaint("model.byte_fallback", [](Json& d) { d["model"]["byte_fallback"] = true; });
  expect_complaint("continuing_subword_prefix", [](Json& d) { d["model"]["continuing_subword_prefix"] = "##"; });
  expect_complaint(": version ", [](Json& d) { d["version"] = "2.0"; });
}

TEST(TokenizerJson, VocabulariesThatContradictThemselves) {
  expect_complaint("model is missing", [](Json& d) { d.erase("model"); });
  expect_complaint("model.vocab", [](Json& d) { d["model"]["vocab"] = Json::object(); });
  expect_complaint("to two tokens", [](Json& d) { d["model"]["vocab"]["another"] = 300; });
  expect_complaint("an id from 0", [](Json& d) { d["model"]["vocab"]["another"] = 2000000000; });
  expect_complaint("an id from 0", [](Json& d) { d["model"]["vocab"]["another"] = -1; });
  expect_complaint("an id from 0", [](Json& d) { d["model"]["vocab"]["another"] = "7"; });
  expect_complaint("merge 0 names `nope", [](Json& d) { d["model"]["merges"][0] = {"nope", "x"}; });
  expect_complaint("unknown token", [](Json& d) { d["model"]["unk_token"] = "<unk>"; });
}

TEST(TokenizerJson, AddedTokens) {
  expect_complaint("added_tokens[0].special", [](Json& d) { d["added_tokens"][0].erase("special"); });
  expect_complaint("added_tokens[0].id", [](Json& d) { d["added_tokens"][0]["id"] = 7; });
  expect_complaint("added_tokens[0].id", [](Json& d) { d["added_tokens"][0]["id"] = 4000000000u; });
  expect_complaint("a second time", [](Json& d) {
    d["added_tokens"].push_back(d["added_tokens"][0]);
    d["added_tokens"].back()["lstrip"] = true;
  });
  EXPECT_EQ(complaint([](Json& d) { d["added_tokens"].push_back(d["added_tokens"][0]); }), "");
  expect_complaint("same text", [](Json& d) {
    d["normalizer"] = {{"type", "NFC"}};
    for (const char* content : {"\xC3\xA9x", "e\xCC\x81x"}) {
      Json token = d["added_tokens"][0];
      token["content"] = content;
      token["normalized"] = true;
      token["id"] = 1200 + d["added_tokens"].size() - 3;
      d["added_tokens"].push_back(token);
    }
  });
}

TEST(TokenizerJson, NotJsonAtAll) {
  const std::string deep(100'000, '[');
  const std::vector<std::string> texts = {
      "", "[]", "{", "{\"a\":\"\xFF\"}", deep, "{\"model\":" + deep, std::string(2, '\0')};
  for (const std::string& text : texts) {
    EXPECT_THROW(Tokenizer::from_json(text, "x"), base::UserError) << text.substr(0, 20);
  }
  EXPECT_THROW(Tokenizer::from_file("/does/not/exist/tokenizer.json"), base::UserError);
}

TEST(TokenizerJson, EveryTruncationAndManyBrokenBytesAreRefusedOrRead) {
  TokenizerParts parts = tiny_parts();
  parts.added = {{.id = 258, .content = "<x>", .special = true}};
  const std::string whole = tokenizer_json(parts);
  for (std::size_t length = 0; length + 2 < whole.size(); ++length) {
    EXPECT_THROW(Tokenizer::from_json(std::string_view(whole).substr(0, length), "x"), base::UserError);
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ (1 << at % 8));
    try {
      Tokenizer::from_json(broken, "x").encode("some <x> text");
    } catch (const base::UserError&) {
    }
  }
}

TEST(TokenizerJson, ConfigForTransformers) {
  const Json config = Json::parse(tokenizer_config_json({.eos_token = "<|im_end|>", .chat_template = "{{ x }}"}));
  EXPECT_EQ(config["tokenizer_class"], "PreTrainedTokenizerFast");
  EXPECT_EQ(config["eos_token"], "<|im_end|>");
  EXPECT_EQ(config["pad_token"], "<|im_end|>");
  EXPECT_EQ(config["chat_template"], "{{ x }}");
}

// As GGUF gives them: special tokens keep their ids, which are gaps in the vocabulary, in any file we write.
TEST(TokenizerJson, AddedTokensInGapsOfTheVocabularyKeepTheirIds) {
  TokenizerParts parts;
  parts.vocabulary = {"", "a", "", "b", "ab"};
  parts.merges = {{"a", "b"}};
  parts.added = {{.id = 0, .content = "<|start|>", .special = true}, {.id = 2, .content = "<|end|>", .special = true}};
  parts.split = Split::kGpt2;
  const Tokenizer tokenizer = Tokenizer::from_json(tokenizer_json(parts), "ours");
  const std::vector<TokenId> ids = tokenizer.encode("<|start|>abb<|end|>");
  EXPECT_EQ(ids, (std::vector<TokenId>{0, 4, 3, 2}));
  EXPECT_EQ(tokenizer.decode(ids), "<|start|>abb<|end|>");
  EXPECT_EQ(tokenizer.decode(ids, /*skip_special=*/true), "abb");
}

}  // namespace
}  // namespace tritonrl::text
