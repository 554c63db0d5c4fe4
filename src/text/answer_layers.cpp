#include "text/answer_layers.h"

#include <array>
#include <utility>

#include "text/chars.h"

namespace tritonrl::text {
namespace {

struct Tag {
  std::string_view open;  // in lower case
  std::string_view close;
};
constexpr std::array<Tag, 10> kThinking = {{
    {"<think>", "</think>"},
    {"<thinking>", "</thinking>"},
    {"<thought>", "</thought>"},
    {"<reasoning>", "</reasoning>"},
    {"<reflection>", "</reflection>"},
    {"<scratchpad>", "</scratchpad>"},
    {"[think]", "[/think]"},
    {"◁think▷", "◁/think▷"},
    {"<|begin_of_thought|>", "<|end_of_thought|>"},
    {"<|channel|>analysis<|message|>", "<|end|>"},
}};
constexpr std::array<Tag, 3> kFinal = {{
    {"<answer>", "</answer>"},
    {"<solution>", "</solution>"},
    {"<final_answer>", "</final_answer>"},
}};
constexpr std::array<std::string_view, 13> kEndOfTurn = {
    "<|im_end|>",      "<|endoftext|>", "<|end_of_text|>", "<|eot_id|>", "<|eot|>", "<|end_of_turn|>",
    "<end_of_turn>",   "<|end|>",       "<|return|>",      "<eos>",      "</s>",    "<｜end▁of▁sentence｜>",
    "<|im_start|>user"};
constexpr std::array<std::string_view, 6> kStartOfTurn = {"<|im_start|>assistant", "<|assistant|>", "<｜assistant｜>",
                                                          "<start_of_turn>model",  "<s>",           "<bos>"};

constexpr std::string_view kTagStarts = "<[\xE2";  // the first bytes of all tags above

// Whether one of them has this second byte; spares an answer full of '<' the comparisons.
constexpr std::array<bool, 256> kSecondBytes = [] {
  std::array<bool, 256> bytes{};
  auto add = [&](std::string_view tag) { bytes[static_cast<unsigned char>(tag[1])] = true; };
  for (const Tag& tag : kThinking) {
    add(tag.open);
    add(tag.close);
  }
  for (std::string_view token : kEndOfTurn) add(token);
  for (std::string_view token : kStartOfTurn) add(token);
  return bytes;
}();

// The first place from `from` on where one of them may stand.
std::size_t next_tag(std::string_view text, std::size_t from) {
  std::size_t at = text.find_first_of(kTagStarts, from);
  while (at != kNone && !(at + 1 < text.size() && kSecondBytes[static_cast<unsigned char>(lower(text[at + 1]))])) {
    at = text.find_first_of(kTagStarts, at + 1);
  }
  return at;
}

// The tag is spoken of, not used: "</s>", `<think>`.
bool is_quoted(std::string_view text, std::size_t at) {
  return at > 0 && (text[at - 1] == '"' || text[at - 1] == '\'' || text[at - 1] == '`');
}

std::size_t find_tag(std::string_view text, std::string_view tag, std::size_t from) {
  for (std::size_t i = text.find(tag[0], from); i != kNone; i = text.find(tag[0], i + 1)) {
    if (starts_with_ignoring_case(text.substr(i), tag) && !is_quoted(text, i)) return i;
  }
  return kNone;
}

bool begins_line(std::string_view text, std::size_t at) {
  while (at > 0 && is_blank(text[at - 1])) --at;
  return at == 0 || text[at - 1] == '\n' || text[at - 1] == '>';
}

void split_thinking(std::string_view text, AnswerLayers* layers) {
  std::size_t from = 0;
  std::size_t at = next_tag(text, 0);
  while (at != kNone) {
    std::string_view rest = text.substr(at);
    const Tag* tag = nullptr;
    bool opens = false;
    for (const Tag& t : kThinking) {
      opens = starts_with_ignoring_case(rest, t.open);
      // A closing tag alone: the prompt had opened it. <|end|> alone means something else.
      bool closes = starts_with_ignoring_case(rest, t.close) && t.close != "<|end|>";
      if (opens || closes) {
        tag = &t;
        break;
      }
    }
    if (tag == nullptr || is_quoted(text, at) || (opens && !begins_line(text, at))) {
      at = next_tag(text, at + 1);
      continue;
    }
    layers->answer.append(text.substr(from, at - from)) += '\n';
    if (opens) {
      std::size_t begin = at + tag->open.size();
      std::size_t close = find_tag(text, tag->close, begin);
      layers->thinking.append(text.substr(begin, close == kNone ? kNone : close - begin)) += '\n';
      from = close == kNone ? text.size() : close + tag->close.size();
    } else {
      layers->thinking += std::exchange(layers->answer, "");
      from = at + tag->close.size();
    }
    at = next_tag(text, from);
  }
  layers->answer.append(text.substr(from));
}

// The token at the front of `text`, empty if none of `tokens` is.
template <std::size_t N>
std::string_view leading_token(std::string_view text, const std::array<std::string_view, N>& tokens) {
  for (std::string_view token : tokens) {
    if (starts_with_ignoring_case(text, token)) return token;
  }
  return {};
}

// What follows the end of the turn, if something stands before it, is the model talking to itself.
std::string_view without_special_tokens(std::string_view text) {
  constexpr std::string_view kWhite = " \t\n";
  std::size_t content = text.find_first_not_of(kWhite);
  std::size_t at = next_tag(text, 0);
  while (at != kNone) {
    bool first = at == content;
    std::string_view token = leading_token(text.substr(at), kEndOfTurn);
    if (token.empty() && first) token = leading_token(text.substr(at), kStartOfTurn);
    if (token.empty() || is_quoted(text, at)) {
      at = next_tag(text, at + 1);
      continue;
    }
    if (!first) return text.substr(0, at);
    text.remove_prefix(at + token.size());
    content = text.find_first_not_of(kWhite);
    at = next_tag(text, 0);
  }
  return text;
}

std::string last_final(std::string_view text) {
  for (const Tag& tag : kFinal) {
    std::size_t begin = kNone;
    for (std::size_t at = find_tag(text, tag.open, 0); at != kNone; at = find_tag(text, tag.open, begin)) {
      begin = at + tag.open.size();
    }
    if (begin == kNone) continue;
    std::size_t end = find_tag(text, tag.close, begin);
    return std::string(text.substr(begin, end == kNone ? kNone : end - begin));
  }
  return {};
}

}  // namespace

AnswerLayers split_layers(std::string_view text) {
  AnswerLayers layers;
  split_thinking(text, &layers);
  layers.answer = std::string(without_special_tokens(layers.answer));
  layers.thinking = std::string(without_special_tokens(layers.thinking));
  layers.final = last_final(layers.answer);
  return layers;
}

}  // namespace tritonrl::text
