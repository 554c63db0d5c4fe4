#include "teacher/families/rename_identifiers.h"

#include <map>
#include <string>

#include "teacher/families/identifiers.h"
#include "teacher/families/names.h"

namespace tritonrl::teacher {

using syntax::SyntaxNode;

namespace {

using Words = Identifiers::Words;

constexpr int kRenamed = 85;  // of a hundred names

std::string_view counted_as(NameRole role) {
  switch (role) {
    case NameRole::kAttribute:
      return "attr";
    case NameRole::kConstant:
      return "SIZE";
    case NameRole::kFunction:
      return "helper";
    case NameRole::kClass:
      return "Class";
    case NameRole::kArgument:
    case NameRole::kLocal:
      break;
  }
  return "var";
}

class Renamer {
 public:
  Renamer(const SyntaxNode& module, std::string_view entry_point, syntax::SyntaxArena& arena)
      : identifiers_(module, entry_point), entry_point_(entry_point), arena_(arena) {}

  void draw_names(std::uint64_t seed) {
    Draw draw(seed);
    NameSet taken;
    for (const std::string_view name : identifiers_.all()) taken.add(name);
    for (const auto& [name, role] : identifiers_.names()) {
      const bool changes = draw.chance(kRenamed);
      if (changes && identifiers_.may_change(name)) map_[std::string(name)] = replacing_name(draw, name, role, taken);
    }
  }

  void count_names(const SyntaxNode* first) {
    Words kept;
    for (const std::string_view name : identifiers_.all()) {
      if (!identifiers_.may_change(name, NameRole::kAttribute) || !identifiers_.may_change(name, NameRole::kLocal))
        kept.insert(name);
    }
    std::map<std::string_view, int> counts;
    const auto count = [&](std::string_view name, NameRole role) {
      if (!identifiers_.may_change(name, role)) return;
      const auto next = [&](std::string_view stem) {
        std::string to;
        do {
          to = std::string(stem) + std::to_string(++counts[stem]);
        } while (kept.contains(to));
        return to;
      };
      const bool apart = role == NameRole::kAttribute && identifiers_.is_apart(name);
      std::string& to = (apart ? attribute_map_ : map_)[std::string(name)];
      if (to.empty()) to = next(counted_as(role));
    };
    if (first != nullptr) {
      const Identifiers before(*first, entry_point_);
      for (const auto& [name, role] : before.uses()) count(name, role);
    }
    for (const auto& [name, role] : identifiers_.uses()) count(name, role);
    constexpr std::string_view kEntryPoint = "Model";
    if (!entry_point_.empty() && identifiers_.may_name_entry_point() && !identifiers_.all().contains(kEntryPoint))
      map_[std::string(entry_point_)] = kEntryPoint;
  }

  Renamed run(const SyntaxNode& module) {
    Renamed out;
    out.module = copy(module, out);
    out.names = std::move(map_);
    out.attributes = std::move(attribute_map_);
    return out;
  }

 private:
  const SyntaxNode* copy(const SyntaxNode& node, Renamed& out) {
    if (node.fields.empty()) return &node;  // Load, Add: one for all trees
    SyntaxNode& made = arena_.copy(node);
    out.nodes.emplace_back(&node, &made);
    const bool key = identifiers_.is_key(&node), registered = identifiers_.is_registered(&node);
    for (auto& [name, value] : made.fields) {
      if (auto* child = std::get_if<const SyntaxNode*>(&value)) {
        if (*child != nullptr) *child = copy(**child, out);
      } else if (auto* children = std::get_if<std::vector<const SyntaxNode*>>(&value)) {
        for (const SyntaxNode*& each : *children) {
          if (each != nullptr) each = copy(*each, out);
        }
      } else if (auto* text = std::get_if<std::string>(&value)) {
        const bool attribute = (node.is("Attribute") && name == "attr") || (registered && name == "value");
        const bool is_name = attribute || (node.is("Name") && name == "id") || (node.is("arg") && name == "arg") ||
                             (node.is("keyword") && name == "arg" && !identifiers_.is_others_keyword(&node)) ||
                             ((node.is("FunctionDef") || node.is("ClassDef")) && name == "name") ||
                             (key && name == "value");
        if (!is_name) continue;
        if (attribute &&
            (!identifiers_.is_own_attribute(*text) || !identifiers_.may_change(*text, NameRole::kAttribute)))
          continue;
        const auto apart = attribute ? attribute_map_.find(*text) : attribute_map_.end();
        const auto found = map_.find(*text);
        if (apart != attribute_map_.end()) {
          *text = apart->second;
        } else if (found != map_.end()) {
          *text = found->second;
        }
      }
    }
    return &made;
  }

  Identifiers identifiers_;
  std::string_view entry_point_;
  syntax::SyntaxArena& arena_;
  std::map<std::string, std::string, std::less<>> map_, attribute_map_;
};

}  // namespace

Renamed rename_identifiers(const SyntaxNode& module, std::string_view entry_point, std::uint64_t seed,
                           syntax::SyntaxArena& arena) {
  Renamer renamer(module, entry_point, arena);
  renamer.draw_names(seed);
  return renamer.run(module);
}

Renamed counted_identifiers(const SyntaxNode& module, std::string_view entry_point, syntax::SyntaxArena& arena,
                            const SyntaxNode* first) {
  Renamer renamer(module, entry_point, arena);
  renamer.count_names(first);
  return renamer.run(module);
}

Facts renamed_facts(const Facts& facts, const Renamed& renamed) {
  Facts out;
  out.reserve(facts.size());
  for (const auto& [before, after] : renamed.nodes) {
    if (const Fact* fact = facts.of(before)) out.set(after, *fact);
  }
  return out;
}

}  // namespace tritonrl::teacher
