#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tritonrl::text {

struct ChatMessage {
  std::string role;  // "system", "user" or "assistant"
  std::string content;
};

// The ChatML dialects that we know. They differ in the system prompt that stands in when none is given.
enum class ChatDialect {
  kQwen25,  // instruct and coder models
  kSmolLm2,
  kPlainChatMl,  // no system prompt stands in
  kQwen2,        // Qwen2, and the base models of Qwen2.5
};

// Ends a turn in all of them.
inline constexpr std::string_view kTurnEnd = "<|im_end|>";

// By the model's own Jinja text (tokenizer_config.json's or GGUF's `chat_template`); empty if it is none of ours.
std::optional<ChatDialect> recognise_chat_template(std::string_view jinja);

// Jinja text that renders messages as render_chat does, for files that other programs read. recognise_chat_template
// knows it.
std::string chat_template_jinja(ChatDialect dialect);

// What the model's own template renders for these messages; `answer_follows` opens the assistant's turn at the end.
// UserError for an unknown role (tools are not supported) and for no message at all.
std::string render_chat(ChatDialect dialect, std::span<const ChatMessage> messages, bool answer_follows = true);

}  // namespace tritonrl::text
