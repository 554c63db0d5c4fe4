#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/model_text.h"

namespace tritonrl::train {

// One sequence to train on: what a model is given, and what it should say then.
struct Example {
  std::vector<text::TokenId> tokens;
  std::int64_t prompt = 0;  // so many of them are given and not trained; the rest is, the end of the turn included

  std::int64_t length() const { return static_cast<std::int64_t>(tokens.size()); }
  std::int64_t labelled() const { return length() - prompt; }
};

// Makes examples of pairs, in the tokens that a sampler uses: the prompt is text::ask's, the answer is encoded apart,
// as it comes token by token behind that prompt. Const methods may be called from many threads.
class ExampleMaker {
 public:
  // `end_tokens`: what ends an answer where the model's chat has no mark for it (weights::ModelConfig::eos_token_ids).
  // UserError if nothing ends an answer: the model would never stop.
  ExampleMaker(text::ModelText text, const std::vector<std::int64_t>& end_tokens, text::AskOptions ask = {});

  Example make(std::string_view instruction, std::string_view output) const;

  text::TokenId end_of_turn() const { return end_; }
  const text::ModelText& text() const { return text_; }
  const text::AskOptions& ask() const { return ask_; }

 private:
  text::ModelText text_;
  text::AskOptions ask_;
  text::TokenId end_ = 0;
};

}  // namespace tritonrl::train
