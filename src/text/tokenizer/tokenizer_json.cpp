#include "text/tokenizer/tokenizer_json.h"

#include <unordered_map>
#include <vector>

#include "base/json_field.h"

namespace tritonrl::text {
namespace {

using base::JsonField;

constexpr int kDeepest = 64;
constexpr std::int64_t kLargestId = (std::int64_t{1} << 31) - 1;

bool normalises_to_nfc(const JsonField& normalizer) {
  if (normalizer.is_null()) return false;
  const std::string& type = normalizer["type"].text();
  if (type == "NFC") return true;
  if (type != "Sequence") normalizer.refuse("is " + type + "; only NFC is supported");
  const JsonField steps = normalizer["normalizers"];
  bool nfc = false;
  for (std::size_t i = 0; i < steps.elements(); ++i) nfc |= normalises_to_nfc(steps.element(i));
  return nfc;
}

void flatten(const JsonField& step, std::vector<JsonField>& steps) {
  if (step["type"].text() != "Sequence") {
    steps.push_back(step);
    return;
  }
  const JsonField inner = step["pretokenizers"];
  for (std::size_t i = 0; i < inner.elements(); ++i) flatten(inner.element(i), steps);
}

Split split_of_pattern(const JsonField& step) {
  if (step["behavior"].text() != "Isolated") step["behavior"].refuse("must be Isolated");
  if (step["invert"].boolean()) step["invert"].refuse("must be false");
  const JsonField pattern = step["pattern"]["Regex"];
  for (const Split split : {Split::kGpt2, Split::kQwen2, Split::kLlama3}) {
    if (pattern.text() == split_pattern(split)) return split;
  }
  pattern.refuse("is a pattern that is not built; those of GPT-2, Qwen2.5 and Llama 3 are");
}

void read_pre_tokenizer(const JsonField& pre_tokenizer, TokenizerParts& parts) {
  if (pre_tokenizer.is_null()) pre_tokenizer.refuse("is missing; byte-level tokenizers have one");
  std::vector<JsonField> steps;
  flatten(pre_tokenizer, steps);
  const auto type = [&steps](std::size_t i) { return steps[i]["type"].text(); };
  if (steps.empty() || steps.size() > 2 || type(steps.size() - 1) != "ByteLevel") {
    pre_tokenizer.refuse("must be ByteLevel, or Split or Digits followed by ByteLevel");
  }
  const JsonField& bytes = steps.back();
  bool has_pattern = false;
  if (steps.size() == 1) {
    parts.split = Split::kGpt2;
  } else if (type(0) == "Split") {
    parts.split = split_of_pattern(steps[0]);
    has_pattern = true;
  } else if (type(0) == "Digits") {
    const JsonField individual = steps[0]["individual_digits"];
    if (!individual.boolean()) individual.refuse("must be true");
    parts.split = Split::kGpt2Digits;
  } else {
    steps[0].refuse("is " + type(0) + ", which is not built; Split and Digits are");
  }
  const JsonField use_regex = bytes["use_regex"];
  if (use_regex.boolean_or(true) == has_pattern) {
    use_regex.refuse(has_pattern ? "must be false behind Split" : "must be true without Split");
  }
  const JsonField prefix = bytes["add_prefix_space"];
  parts.add_prefix_space = prefix.boolean();
  if (parts.add_prefix_space && has_pattern) prefix.refuse("must be false behind Split");
}

void read_vocabulary(const JsonField& vocab, TokenizerParts& parts) {
  if (!vocab.value().is_object() || vocab.value().empty()) vocab.refuse("must be an object of tokens and their ids");
  // Holes are allowed, but a vector by id must stay in proportion to the file.
  const std::size_t largest = 16 * vocab.value().size() + 65536;
  for (const auto& [token, value] : vocab.value().items()) {
    if (!value.is_number_unsigned() || value.natural() > largest) {
      vocab.refuse("must give `" + token + "` an id from 0 to " + std::to_string(largest));
    }
    const std::size_t id = value.natural();
    if (id >= parts.vocabulary.size()) parts.vocabulary.resize(id + 1);
    if (!parts.vocabulary[id].empty()) {
      vocab.refuse("gives the id " + std::to_string(id) + " to two tokens, `" + parts.vocabulary[id] + "` and `" +
                   token + "`");
    }
    parts.vocabulary[id] = token;
  }
}

void read_merges(const JsonField& merges, TokenizerParts& parts) {
  const std::size_t count = merges.elements();
  parts.merges.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const base::Json& value = merges.value()[i];
    if (value.is_string()) {
      const std::string& text = value.text();
      if (text.starts_with("#version")) continue;
      const std::size_t space = text.find(' ');
      if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos) {
        merges.element(i).refuse("must be two tokens with a space between them");
      }
      parts.merges.emplace_back(text.substr(0, space), text.substr(space + 1));
    } else if (value.is_array() && value.size() == 2 && value[0].is_string() && value[1].is_string()) {
      parts.merges.emplace_back(value[0].text(), value[1].text());
    } else {
      merges.element(i).refuse("must be two tokens, as a string or as a pair");
    }
  }
}

void read_model(const JsonField& model, TokenizerParts& parts) {
  const JsonField type = model["type"];
  if (!type.is_null() && type.text() != "BPE") type.refuse("is " + type.text() + "; only BPE is supported");
  const JsonField dropout = model["dropout"];
  if (!dropout.is_null() && !(dropout.value().is_number() && dropout.value().real() == 0)) {
    dropout.refuse("must be null: ids would be random");
  }
  for (const char* affix : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    const JsonField field = model[affix];
    if (!field.is_null() && !field.text().empty()) field.refuse("must be empty for a byte-level vocabulary");
  }
  if (model["byte_fallback"].boolean_or(false)) model["byte_fallback"].refuse("must be false");
  parts.fuse_unknown = model["fuse_unk"].boolean_or(false);
  parts.ignore_merges = model["ignore_merges"].boolean_or(false);
  if (!model["unk_token"].is_null()) parts.unknown_token = model["unk_token"].text();
  read_vocabulary(model["vocab"], parts);
  read_merges(model["merges"], parts);
}

bool same(const AddedToken& a, const AddedToken& b) {
  return a.id == b.id && a.content == b.content && a.special == b.special && a.normalized == b.normalized &&
         a.strip_left == b.strip_left && a.strip_right == b.strip_right && a.single_word == b.single_word;
}

void read_added_tokens(const JsonField& tokens, TokenizerParts& parts) {
  if (tokens.is_null()) return;
  std::unordered_map<std::string, std::size_t> known;  // content -> id, as Hugging Face gives them while reading
  std::size_t model_tokens = 0;
  for (std::size_t id = 0; id < parts.vocabulary.size(); ++id) {
    if (parts.vocabulary[id].empty()) continue;
    known.emplace(parts.vocabulary[id], id);
    ++model_tokens;
  }
  std::size_t next = model_tokens;
  std::unordered_map<std::string, AddedToken> added;
  const std::size_t largest = parts.vocabulary.size() + tokens.elements();
  for (std::size_t i = 0; i < tokens.elements(); ++i) {
    const JsonField field = tokens.element(i);
    AddedToken token{
        .id = static_cast<TokenId>(field["id"].integer(0, static_cast<std::int64_t>(largest))),
        .content = field["content"].text(),
        .special = field["special"].boolean(),
        .normalized = field["normalized"].boolean(),
        .strip_left = field["lstrip"].boolean(),
        .strip_right = field["rstrip"].boolean(),
        .single_word = field["single_word"].boolean(),
    };
    if (token.content.empty()) continue;
    const auto [other, first_time] = added.emplace(token.content, token);
    if (!first_time) {
      if (same(other->second, token)) continue;
      field.refuse("is `" + token.content + "` a second time, with other properties");
    }
    const auto [place, is_new] = known.emplace(token.content, next);
    if (is_new) ++next;
    if (place->second != static_cast<std::size_t>(token.id)) {
      field["id"].refuse("is " + std::to_string(token.id) + " for `" + token.content +
                         "`, but Hugging Face's reader gives it " + std::to_string(place->second) +
                         "; write that id, or put the token into model.vocab");
    }
    parts.added.push_back(std::move(token));
  }
}

// What stands before the text in the template for one text. What it puts behind is left aside: a model goes on there.
std::vector<TokenId> before_text(const JsonField& post_processor) {
  std::vector<TokenId> out;
  if (post_processor.is_null()) return out;
  const std::string& type = post_processor["type"].text();
  if (type == "Sequence") {
    const JsonField steps = post_processor["processors"];
    for (std::size_t i = 0; i < steps.elements(); ++i) {
      const std::vector<TokenId> outer = before_text(steps.element(i));
      out.insert(out.begin(), outer.begin(), outer.end());
    }
  }
  if (type != "TemplateProcessing") return out;
  const JsonField pieces = post_processor["single"], known = post_processor["special_tokens"];
  for (std::size_t i = 0; i < pieces.elements() && !pieces.element(i).has("Sequence"); ++i) {
    const JsonField name = pieces.element(i)["SpecialToken"]["id"];
    const JsonField token = known[name.text()];
    if (token.is_null()) name.refuse("is " + name.text() + ", which special_tokens does not have");
    for (std::size_t j = 0; j < token["ids"].elements(); ++j)
      out.push_back(static_cast<TokenId>(token["ids"].element(j).integer(0, kLargestId)));
  }
  return out;
}

}  // namespace

std::string_view split_pattern(Split split) {
  switch (split) {
    case Split::kGpt2:
    case Split::kGpt2Digits:
      return R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
    case Split::kQwen2:
      return R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)"
             R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    case Split::kLlama3:
      return R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)"
             R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  }
  return {};
}

TokenizerParts parse_tokenizer_json(std::string_view json, const std::string& where) {
  const base::ForeignJson file{
      .part = "text", .where = where, .deepest = kDeepest, .names = base::Json::Names::kLastHolds};
  const base::Json document = base::parse_foreign_object(json, file);
  const JsonField top(document, file);
  const JsonField version = top["version"];
  if (!version.is_null() && version.text() != "1.0") version.refuse("is " + version.text() + "; 1.0 is supported");
  TokenizerParts parts;
  if (top["model"].is_null()) top["model"].refuse("is missing");
  read_model(top["model"], parts);
  parts.nfc = normalises_to_nfc(top["normalizer"]);
  read_pre_tokenizer(top["pre_tokenizer"], parts);
  const JsonField decoder = top["decoder"];
  if (decoder.is_null()) decoder.refuse("is missing; byte-level tokenizers have one");
  if (decoder["type"].text() != "ByteLevel") decoder.refuse("must be ByteLevel");
  read_added_tokens(top["added_tokens"], parts);
  parts.before_text = before_text(top["post_processor"]);
  return parts;
}

}  // namespace tritonrl::text
