#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/chat_template.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonrl::text {

// How a model reads and writes.
struct ModelText {
  Tokenizer tokenizer;
  std::optional<ChatDialect> dialect;  // none: the template is none of ours; plain ChatML if there is no template
  std::string chat_template;           // the model's own Jinja text; may be empty
};

struct AskOptions {
  std::string system = {};  // system message of a chat; empty: the template's own
  bool chat = false;        // through the chat template
  bool raw = false;  // as it is; if neither is chosen: a chat if the model has a template or there is a system message
};

struct AskedPrompt {
  std::vector<TokenId> tokens;
  std::vector<TokenId> stop_tokens;  // what ends a turn of the chat, beside the model's own
};

// What the model is given so that it answers `question`. UserError for a chat through a template that we do not know.
AskedPrompt ask(const ModelText& model, std::string_view question, const AskOptions& options);

}  // namespace tritonrl::text
