#include "teacher/families/counted_module.h"

#include <algorithm>

#include "syntax/parse.h"
#include "syntax/plain_form.h"
#include "syntax/unparse.h"
#include "teacher/families/first_values.h"
#include "teacher/families/rename_identifiers.h"
#include "teacher/families/usual_form.h"

namespace tritonrl::teacher {

std::optional<CountedModule> counted_module(std::string_view text, std::string_view entry_point) {
  syntax::SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(text, arena);
  if (parsed.module == nullptr) return std::nullopt;
  const syntax::SyntaxNode* plain = syntax::plain_form(*usual_form(*parsed.module, arena), arena);
  const auto& statements = plain->nodes("body");
  const bool there = std::any_of(statements.begin(), statements.end(), [&](const syntax::SyntaxNode* one) {
    return one->is("ClassDef") && one->text("name") == entry_point;
  });
  if (!there) return std::nullopt;
  std::set<const syntax::SyntaxNode*> hidden = first_values(*plain);
  const Renamed renamed =
      counted_identifiers(*plain, entry_point, arena, hidden.empty() ? nullptr : without_parts(*plain, hidden, arena));
  for (const auto& [before, after] : renamed.nodes) {
    if (hidden.contains(before)) hidden.insert(after);
  }
  CountedModule out{.text = syntax::unparse(*renamed.module),
                    .shown = syntax::unparse(*without_parts(*renamed.module, hidden, arena)),
                    .entry_point = std::string(entry_point),
                    .names = {}};
  for (const auto& [before, after] : renamed.names) {
    if (before == entry_point) {
      out.entry_point = after;
    } else {
      out.names[after] = before;
    }
  }
  for (const auto& [before, after] : renamed.attributes) out.names[after] = before;
  return out;
}

}  // namespace tritonrl::teacher
