#include "text/model_text.h"

#include "base/error.h"

namespace tritonrl::text {

AskedPrompt ask(const ModelText& model, std::string_view question, const AskOptions& options) {
  const bool chat = options.chat || !options.system.empty() || !model.chat_template.empty();
  // A chat template writes such a beginning itself; a text without one needs what the tokenizer puts before it.
  if (options.raw || !chat) return {.tokens = model.tokenizer.encode_from_start(question), .stop_tokens = {}};
  if (!model.dialect) {
    throw base::UserError("text",
                          "the model's chat template is none that is known here (Qwen2, Qwen2.5, SmolLM2 and plain "
                          "ChatML are); pass --raw, with a prompt that has the model's own marks of a chat in it");
  }
  std::vector<ChatMessage> messages;
  if (!options.system.empty()) messages.push_back({"system", options.system});
  messages.push_back({"user", std::string(question)});
  AskedPrompt out{.tokens = model.tokenizer.encode(render_chat(*model.dialect, messages)), .stop_tokens = {}};
  if (const auto end = model.tokenizer.id_of(kTurnEnd)) out.stop_tokens.push_back(*end);
  return out;
}

}  // namespace tritonrl::text
