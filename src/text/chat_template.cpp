#include "text/chat_template.h"

#include <vector>

#include "base/error.h"
#include "base/sha256.h"

namespace tritonrl::text {
namespace {

struct DialectPrompt {
  ChatDialect dialect;
  std::string_view system;  // stands in when the messages begin with no system prompt
};
constexpr DialectPrompt kPrompts[] = {
    {ChatDialect::kQwen25, "You are Qwen, created by Alibaba Cloud. You are a helpful assistant."},
    {ChatDialect::kSmolLm2, "You are a helpful AI assistant named SmolLM, trained by Hugging Face"},
    {ChatDialect::kQwen2, "You are a helpful assistant."},
};

constexpr char kPlaceholder = '@';

// Qwen2.5's template, which also knows tools, as skeleton() writes it.
constexpr std::string_view kToolsSkeletonSha256 = "c221f5f18c1f6c6c31fc42750a9e61bed0cd14358ddaa18090d997a0329d1e68";

// With newlines as themselves inside the quotes, as most models' files have them.
constexpr std::string_view kDefaultPrompt =
    "{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\n@<|im_end|>\n' }}{% endif %}";
constexpr std::string_view kLoop = "{% for message in messages %}";
constexpr std::string_view kTurns =
    "{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

std::string_view default_prompt(ChatDialect dialect) {
  for (const DialectPrompt& prompt : kPrompts) {
    if (prompt.dialect == dialect) return prompt.system;
  }
  return {};
}

std::string replace_all(std::string_view text, std::string_view what, std::string_view with) {
  std::string out;
  for (std::size_t at; (at = text.find(what)) != std::string_view::npos; text.remove_prefix(at + what.size())) {
    out.append(text.substr(0, at)).append(with);
  }
  return out.append(text);
}

// The template with its default prompt left out, newlines inside quotes as themselves, no whitespace at the end.
std::string skeleton(std::string_view jinja, std::string_view prompt) {
  const std::size_t last = jinja.find_last_not_of(" \t\r\n");
  jinja = jinja.substr(0, last == std::string_view::npos ? 0 : last + 1);
  const std::string text = replace_all(jinja, "\\n", "\n");
  return prompt.empty() ? text : replace_all(text, prompt, std::string_view(&kPlaceholder, 1));
}

std::string loop_skeleton(bool with_default_prompt) {
  return std::string(kLoop).append(with_default_prompt ? kDefaultPrompt : "").append(kTurns);
}

void append_turn(std::string& out, std::string_view role, std::string_view content) {
  out.append("<|im_start|>").append(role).append("\n").append(content).append(kTurnEnd).append("\n");
}

}  // namespace

std::optional<ChatDialect> recognise_chat_template(std::string_view jinja) {
  for (const DialectPrompt& prompt : kPrompts) {
    if (jinja.find(prompt.system) == std::string_view::npos) continue;
    const std::string text = skeleton(jinja, prompt.system);
    if (text == loop_skeleton(true) || base::sha256(text) == kToolsSkeletonSha256) return prompt.dialect;
  }
  if (skeleton(jinja, {}) == loop_skeleton(false)) return ChatDialect::kPlainChatMl;
  return std::nullopt;
}

std::string chat_template_jinja(ChatDialect dialect) {
  const std::string_view prompt = default_prompt(dialect);
  return replace_all(loop_skeleton(!prompt.empty()), std::string_view(&kPlaceholder, 1), prompt);
}

std::string render_chat(ChatDialect dialect, std::span<const ChatMessage> messages, bool answer_follows) {
  if (messages.empty()) throw base::UserError("text", "a chat needs at least one message");
  std::string out;
  const std::string_view prompt = default_prompt(dialect);
  if (!prompt.empty() && messages[0].role != "system") append_turn(out, "system", prompt);
  for (const ChatMessage& message : messages) {
    if (message.role != "system" && message.role != "user" && message.role != "assistant") {
      throw base::UserError(
          "text", "a chat message has the role `" + message.role + "`; it must be `system`, `user` or `assistant`");
    }
    append_turn(out, message.role, message.content);
  }
  if (answer_follows) out.append("<|im_start|>assistant\n");
  return out;
}

}  // namespace tritonrl::text
