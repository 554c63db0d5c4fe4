#include "cli/model/task_prompts.h"

#include "cli/model/task_prompt.h"

namespace tritonrl::cli {

TaskPrompts::TaskPrompts(const text::PromptOptions& options, const text::AskOptions& ask, const text::ModelText& text,
                         TaskFacts& facts, bool strict)
    : options_(options), ask_(ask), text_(text), strict_(strict), facts_(facts), shown_(options) {}

const text::AskedPrompt& TaskPrompts::add(const record::Task& task) {
  const record::Task shown = shown_.shown(task, facts_);
  const std::vector<text::LeafFact> facts =
      options_.facts == text::PromptFacts::kNone ? std::vector<text::LeafFact>() : facts_.of(shown);
  const std::string asked = task_prompt(shown.source, options_, shown.entry_point, facts, strict_);
  return prompts_.insert_or_assign(task.id, text::ask(text_, asked, ask_)).first->second;
}

std::string TaskPrompts::restored(const std::string& task_id, std::string answer) const {
  return shown_.restored(task_id, std::move(answer));
}

}  // namespace tritonrl::cli
