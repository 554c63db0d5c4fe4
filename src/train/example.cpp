#include "train/example.h"

#include "base/error.h"

namespace tritonrl::train {

ExampleMaker::ExampleMaker(text::ModelText text, const std::vector<std::int64_t>& end_tokens, text::AskOptions ask)
    : text_(std::move(text)), ask_(std::move(ask)) {
  const text::AskedPrompt asked = text::ask(text_, "x", ask_);
  if (asked.stop_tokens.empty() && end_tokens.empty()) {
    throw base::UserError("train",
                          "nothing ends an answer of this model: it has neither a chat template with <|im_end|> nor an "
                          "eos_token_id in config.json or generation_config.json; add one, or it would never stop");
  }
  end_ = asked.stop_tokens.empty() ? static_cast<text::TokenId>(end_tokens.front()) : asked.stop_tokens.front();
}

Example ExampleMaker::make(std::string_view instruction, std::string_view output) const {
  Example example{.tokens = text::ask(text_, instruction, ask_).tokens};
  example.prompt = example.length();
  // Ordinary text: what looks like a mark of the chat inside a program must not end its turn.
  const std::vector<text::TokenId> answer = text_.tokenizer.encode_ordinary(output);
  example.tokens.insert(example.tokens.end(), answer.begin(), answer.end());
  example.tokens.push_back(end_);
  return example;
}

}  // namespace tritonrl::train
