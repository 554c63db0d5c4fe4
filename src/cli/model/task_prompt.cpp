#include "cli/model/task_prompt.h"

#include "abstract/forward_operators.h"
#include "syntax/parse.h"
#include "syntax/plain_form.h"
#include "syntax/unparse.h"

namespace tritonrl::cli {

std::string entry_point_of(const std::string& source, const std::string& given) {
  syntax::SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(source, arena);
  return parsed.module == nullptr ? "" : abstract::forward_operators(*parsed.module, given).entry_point;
}

std::string task_prompt(const std::string& source, const text::PromptOptions& options, const std::string& entry_point,
                        std::span<const text::LeafFact> facts, bool strict) {
  syntax::SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(source, arena);
  if (parsed.module == nullptr)
    return text::prompt({.code = source, .normal = {}, .entry_point = {}, .facts = facts, .strict = strict}, options);
  const std::string found = abstract::forward_operators(*parsed.module, entry_point).entry_point;
  const std::string normal = syntax::unparse(*syntax::plain_form(*parsed.module, arena));
  return text::prompt({.code = source, .normal = normal, .entry_point = found, .facts = facts, .strict = strict},
                      options);
}

}  // namespace tritonrl::cli
