#include "teacher/families/taken_over.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "syntax/parse.h"
#include "syntax/unparse.h"
#include "teacher/families/elision.h"
#include "teacher/families/restored_names.h"
#include "teacher/reader/imports.h"

namespace tritonrl::teacher {

using syntax::SyntaxNode;

namespace {

using Nodes = std::vector<const SyntaxNode*>;
using Words = std::set<std::string_view>;

constexpr std::string_view kAnswer = "ModelNew";

bool is_import(const SyntaxNode& node) {
  return node.is("Import") || node.is("ImportFrom");
}

// Names that a statement of a module or class gives a meaning to; empty: one that is neither left out nor filled in.
Words defined_by(const SyntaxNode& statement) {
  Words out;
  if (statement.is("FunctionDef") || statement.is("ClassDef")) {
    out.insert(statement.text("name"));
  } else if (is_import(statement)) {
    for (const SyntaxNode* alias : statement.nodes("names")) {
      const std::string_view as = alias->text("asname"), name = alias->text("name");
      out.insert(as.empty() ? name.substr(0, name.find('.')) : as);
    }
  } else if (statement.is("Assign") || statement.is("AnnAssign")) {
    const auto add = [&](const SyntaxNode& target) {
      walk(target, [&](const SyntaxNode& node) {
        if (node.is("Name")) out.insert(node.text("id"));
      });
    };
    for (const SyntaxNode* target : statement.nodes("targets")) add(*target);
    if (statement.node("target") != nullptr) add(*statement.node("target"));
  }
  return out;
}

bool meet(const Words& some, const Words& others) {
  return std::ranges::any_of(some, [&](std::string_view one) { return others.contains(one); });
}

// Names that a part takes from around it: a function's arguments and variables are its own.
void add_used(const SyntaxNode& part, Words& used) {
  if (part.is("Name")) {
    used.insert(part.text("id"));
    return;
  }
  const auto add_child = [](const SyntaxNode& node, const auto& wanted, Words& into) {
    for (const auto& [field, value] : node.fields) {
      if (!wanted(field)) continue;
      if (const auto* child = std::get_if<const SyntaxNode*>(&value)) {
        if (*child != nullptr) add_used(**child, into);
      } else if (const auto* children = std::get_if<Nodes>(&value)) {
        for (const SyntaxNode* each : *children) {
          if (each != nullptr) add_used(*each, into);
        }
      }
    }
  };
  if (!part.is("FunctionDef") && !part.is("Lambda"))
    return add_child(
        part, [](std::string_view) { return true; }, used);
  Words inside;
  add_child(
      part, [](std::string_view field) { return field == "body"; }, inside);
  walk(part, [&](const SyntaxNode& node) {
    if (node.is("arg")) inside.erase(node.text("arg"));
    const SyntaxNode* context = node.is("Name") ? node.node("ctx") : nullptr;
    if (context != nullptr && context->is("Store")) inside.erase(node.text("id"));
  });
  used.merge(inside);
  add_child(
      part, [](std::string_view field) { return field != "body"; }, used);
}

// The comments that it begins with, and the rest.
std::pair<std::string_view, std::string_view> comments_and_code(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && (text[at] == '#' || text[at] == '\n')) {
    const std::size_t end = text.find('\n', at);
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  return {text.substr(0, at), text.substr(at)};
}

const SyntaxNode* with_body(const SyntaxNode& node, Nodes body, syntax::SyntaxArena& arena) {
  SyntaxNode& out = arena.copy(node);
  const auto place = std::ranges::find(out.fields, "body", [](const auto& field) { return field.first; });
  if (place != out.fields.end()) place->second = std::move(body);
  return &out;
}

// A module and how its parts are found.
struct Source {
  Source(const SyntaxNode& module, std::string_view entry) : statements(module.nodes("body")), entry_point(entry) {}

  const SyntaxNode* class_for(const SyntaxNode& of_answer) const {
    if (!of_answer.is("ClassDef")) return nullptr;
    const std::string_view name = of_answer.text("name") == kAnswer ? entry_point : of_answer.text("name");
    for (const SyntaxNode* statement : statements) {
      if (statement->is("ClassDef") && statement->text("name") == name) return statement;
    }
    return nullptr;
  }

  const Nodes& statements;
  std::string_view entry_point;
};

// By what the module calls another's class: the answer's own that stands for it.
using Substitutes = std::map<std::string, std::string_view>;

Substitutes substitutes_of(const Nodes& answer, const Source& source) {
  Substitutes out;
  Words used;
  for (const SyntaxNode* statement : answer) add_used(*statement, used);
  for (const SyntaxNode* statement : answer) {
    if (!statement->is("ClassDef") || source.class_for(*statement) != nullptr) continue;
    const Nodes& bases = statement->nodes("bases");
    if (bases.size() == 1 && !used.contains(statement->text("name")))
      out.emplace(syntax::unparse(*bases.front()), statement->text("name"));
  }
  return out;
}

const SyntaxNode* substituted(const SyntaxNode& node, const Substitutes& with, syntax::SyntaxArena& arena) {
  if (with.empty() || node.fields.empty()) return &node;
  SyntaxNode& out = arena.copy(node);
  for (auto& [field, value] : out.fields) {
    if (auto* child = std::get_if<const SyntaxNode*>(&value)) {
      if (*child == nullptr) continue;
      const bool makes = node.is("Call") && field == "func" && ((*child)->is("Name") || (*child)->is("Attribute"));
      const auto found = makes ? with.find(syntax::unparse(**child)) : with.end();
      *child = found == with.end() ? substituted(**child, with, arena) : arena.name(found->second);
    } else if (auto* children = std::get_if<Nodes>(&value)) {
      for (const SyntaxNode*& each : *children) {
        if (each != nullptr) each = substituted(*each, with, arena);
      }
    }
  }
  return &out;
}

Nodes substituted(const Nodes& nodes, const Substitutes& with, syntax::SyntaxArena& arena) {
  Nodes out;
  for (const SyntaxNode* one : nodes) out.push_back(substituted(*one, with, arena));
  return out;
}

std::set<std::string> texts_of(const Nodes& statements) {
  std::set<std::string> out;
  for (const SyntaxNode* one : statements) out.insert(syntax::unparse(*one));
  return out;
}

Nodes without(const Nodes& statements, const std::set<std::string>& known) {
  Nodes out;
  for (const SyntaxNode* one : statements) {
    if (defined_by(*one).empty() || !known.contains(syntax::unparse(*one))) out.push_back(one);
  }
  return out;
}

using Change = const SyntaxNode* (*)(const SyntaxNode& function, const SyntaxNode& of_module,
                                     syntax::SyntaxArena& arena);

// Every function of these statements that the module has under the same name, changed.
Nodes with_functions(const Nodes& given, const Nodes& of_module, Change change, syntax::SyntaxArena& arena) {
  Nodes out = given;
  for (const SyntaxNode*& one : out) {
    if (!one->is("FunctionDef")) continue;
    const auto found = std::ranges::find_if(of_module, [&](const SyntaxNode* other) {
      return other->is("FunctionDef") && other->text("name") == one->text("name");
    });
    if (found != of_module.end()) one = change(*one, **found, arena);
  }
  return out;
}

Nodes with_all_functions(const Nodes& given, const Source& source, Change change, syntax::SyntaxArena& arena) {
  Nodes out = with_functions(given, source.statements, change, arena);
  for (const SyntaxNode*& one : out) {
    if (const SyntaxNode* of_source = source.class_for(*one))
      one = with_body(*one, with_functions(one->nodes("body"), of_source->nodes("body"), change, arena), arena);
  }
  return out;
}

// The class with the members that it lacks, in the order of the source.
const SyntaxNode* filled_class(const SyntaxNode& given, const SyntaxNode& source, const Substitutes& with,
                               syntax::SyntaxArena& arena) {
  Words defined;
  for (const SyntaxNode* member : given.nodes("body")) defined.merge(defined_by(*member));
  Nodes body;
  std::set<const SyntaxNode*> placed;
  for (const SyntaxNode* member : source.nodes("body")) {
    const Words names = defined_by(*member);
    if (names.empty()) continue;
    if (!meet(names, defined)) {
      body.push_back(substituted(*member, with, arena));
      continue;
    }
    for (const SyntaxNode* own : given.nodes("body")) {
      if (meet(defined_by(*own), names) && placed.insert(own).second) body.push_back(own);
    }
  }
  for (const SyntaxNode* own : given.nodes("body")) {
    if (!placed.contains(own) && !(own->is("Pass") && !body.empty())) body.push_back(own);
  }
  return with_body(given, std::move(body), arena);
}

// What everybody calls so, where neither the answer nor the module says it.
Nodes usual_imports(const Words& used, const Words& defined, const Source& source, syntax::SyntaxArena& arena) {
  struct Usual {
    std::string_view name, import;
  };
  static constexpr auto kUsual = std::to_array<Usual>({{"F", "import torch.nn.functional as F"},
                                                       {"libdevice", "from triton.language.extra import libdevice"},
                                                       {"math", "import math"},
                                                       {"nn", "import torch.nn as nn"},
                                                       {"tl", "import triton.language as tl"},
                                                       {"torch", "import torch"},
                                                       {"triton", "import triton"}});
  Nodes out;
  for (const Usual& usual : kUsual) {
    const bool known =
        defined.contains(usual.name) || std::ranges::any_of(source.statements, [&](const SyntaxNode* one) {
          return defined_by(*one).contains(usual.name);
        });
    if (used.contains(usual.name) && !known)
      out.push_back(syntax::parse(usual.import, arena).module->nodes("body").front());
  }
  return out;
}

const SyntaxNode* filled_module(const SyntaxNode& answer, const Source& source, syntax::SyntaxArena& arena) {
  const Nodes given = with_all_functions(answer.nodes("body"), source, without_elisions, arena);
  const Substitutes with = substitutes_of(given, source);
  Words defined, used;
  Nodes own;
  std::map<const SyntaxNode*, const SyntaxNode*> classes;  // of the source: the answer's
  for (const SyntaxNode* statement : given) {
    defined.merge(defined_by(*statement));
    const SyntaxNode* of_source = source.class_for(*statement);
    if (of_source != nullptr && !classes.contains(of_source)) {
      statement = filled_class(*statement, *of_source, with, arena);
      classes[of_source] = statement;
    } else {
      own.push_back(statement);
    }
    add_used(*statement, used);
  }
  std::set<const SyntaxNode*> taken;
  for (bool more = true; more;) {
    more = false;
    for (const SyntaxNode* statement : source.statements) {
      const Words names = defined_by(*statement);
      const bool all = statement->is("ImportFrom") && names.contains("*");
      if (classes.contains(statement) || taken.contains(statement) || meet(names, defined)) continue;
      if (!all && !meet(names, used)) continue;
      taken.insert(statement);
      add_used(*statement, used);
      more = true;
    }
  }
  // The answer's functions are called, not looked at, while the file is read; its further classes may be derived from
  // the module's.
  Nodes out;
  const auto add = [&](const Nodes& from, const auto& which) {
    for (const SyntaxNode* statement : from) {
      if (which(*statement)) out.push_back(statement);
    }
  };
  add(source.statements, [&](const SyntaxNode& one) { return is_import(one) && taken.contains(&one); });
  for (const SyntaxNode* import : usual_imports(used, defined, source, arena)) out.push_back(import);
  add(own, [](const SyntaxNode& one) { return is_import(one); });
  add(own, [](const SyntaxNode& one) { return !is_import(one) && !one.is("ClassDef"); });
  const SyntaxNode* entry = nullptr;
  for (const SyntaxNode* statement : source.statements) {
    const auto found = classes.find(statement);
    if (found != classes.end() && found->second->text("name") == kAnswer) {
      entry = found->second;
    } else if (found != classes.end()) {
      out.push_back(found->second);
    } else if (!is_import(*statement) && taken.contains(statement)) {
      out.push_back(substituted(*statement, with, arena));
    }
  }
  add(own, [](const SyntaxNode& one) { return one.is("ClassDef"); });
  if (entry != nullptr) out.push_back(entry);
  return arena.module(std::move(out));
}

// Whether every statement of one is in the other, members of classes likewise.
bool has_all_of(const SyntaxNode& whole, const SyntaxNode& solution) {
  const std::set<std::string> texts = texts_of(whole.nodes("body"));
  for (const SyntaxNode* statement : solution.nodes("body")) {
    if (texts.contains(syntax::unparse(*statement))) continue;
    if (!statement->is("ClassDef")) return is_import(*statement);  // one that nobody uses
    bool there = false;
    for (const SyntaxNode* other : whole.nodes("body")) {
      if (!other->is("ClassDef") || other->text("name") != statement->text("name")) continue;
      const std::set<std::string> members = texts_of(other->nodes("body"));
      there = std::ranges::all_of(statement->nodes("body"),
                                  [&](const SyntaxNode* member) { return members.contains(syntax::unparse(*member)); });
    }
    if (!there) return false;
  }
  return true;
}

}  // namespace

std::string short_answer(std::string_view solution, std::string_view module, std::string_view entry_point) {
  syntax::SyntaxArena arena;
  const auto [comments, code] = comments_and_code(solution);
  const syntax::Parsed asked = syntax::parse(module, arena), solved = syntax::parse(code, arena);
  if (asked.module == nullptr || solved.module == nullptr) return std::string(solution);
  const Source source(*asked.module, entry_point);
  // as if nothing used the further classes yet: then they stand for those that they are derived from
  Nodes further;
  for (const SyntaxNode* statement : solved.module->nodes("body")) {
    if (statement->is("ClassDef") && source.class_for(*statement) == nullptr) further.push_back(statement);
  }
  const Substitutes with = substitutes_of(further, source);
  const auto known = [&](const Nodes& parts) {
    std::set<std::string> texts = texts_of(parts);
    if (!with.empty()) texts.merge(texts_of(substituted(parts, with, arena)));
    return texts;
  };
  Nodes body;
  for (const SyntaxNode* statement : without(solved.module->nodes("body"), known(source.statements))) {
    if (const SyntaxNode* of_source = source.class_for(*statement)) {
      Nodes members = without(statement->nodes("body"), known(of_source->nodes("body")));
      if (members.empty()) members.push_back(arena.filled("Pass"));
      statement = with_body(*statement, std::move(members), arena);
    }
    body.push_back(statement);
  }
  const SyntaxNode* made = arena.module(with_all_functions(body, source, elided, arena));
  if (!has_all_of(*filled_module(*made, source, arena), *solved.module)) return std::string(solution);
  return std::string(comments) + syntax::unparse(*made) + "\n";
}

std::string whole_answer(std::string_view answer, std::string_view module, std::string_view entry_point) {
  syntax::SyntaxArena arena;
  const auto [comments, code] = comments_and_code(answer);
  const syntax::Parsed asked = syntax::parse(module, arena), given = syntax::parse(code, arena);
  if (asked.module == nullptr || given.module == nullptr) return std::string(answer);
  return std::string(comments) + syntax::unparse(*filled_module(*given.module, {*asked.module, entry_point}, arena)) +
         "\n";
}

std::string restored_answer(std::string_view answer, const CountedModule& module) {
  syntax::SyntaxArena arena;
  const auto [comments, code] = comments_and_code(answer);
  const syntax::Parsed asked = syntax::parse(module.text, arena), given = syntax::parse(code, arena);
  if (asked.module == nullptr || given.module == nullptr) return std::string(answer);
  const SyntaxNode* whole = filled_module(*given.module, {*asked.module, module.entry_point}, arena);
  Words top, classes = {kAnswer};
  for (const SyntaxNode* statement : asked.module->nodes("body")) {
    top.merge(defined_by(*statement));
    if (statement->is("ClassDef")) classes.insert(statement->text("name"));
  }
  return std::string(comments) + syntax::unparse(*with_restored_names(*whole, {module.names, top, classes}, arena)) +
         "\n";
}

}  // namespace tritonrl::teacher
