#include "teacher/reader/visible_changes.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace tritonrl::teacher {

using syntax::SyntaxNode;

namespace {

using NameSet = std::set<std::string_view>;

bool is_store(const SyntaxNode& name) {
  return name.node("ctx") != nullptr && name.node("ctx")->is("Store");
}

// It computes nothing, and yet its result is a tensor of its own.
bool copies(const Operator& op) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"cat", "stack", "clone", "pad", "repeat", "repeat_interleave", "index_select", "gather", "roll", "flip"});
  return std::ranges::find(kNames, op.name) != kNames.end();
}

bool contains(const SyntaxNode& whole, const SyntaxNode* part) {
  bool found = false;
  walk(whole, [&](const SyntaxNode& each) { found = found || &each == part; });
  return found;
}

class ChangeFinder {
 public:
  ChangeFinder(const SyntaxNode& function, const RegionReader& reader, const Facts& facts, bool callers_see)
      : function_(function), reader_(reader), facts_(facts), callers_see_(callers_see) {
    walk(*function.node("args"), [&](const SyntaxNode& node) {
      if (node.is("arg") && node.text("arg") != "self") arguments_.insert(node.text("arg"));
    });
    locals_ = arguments_;
    walk(function, [&](const SyntaxNode& node) {
      if (node.is("Name") && is_store(node)) locals_.insert(node.text("id"));
    });
  }

  std::set<const SyntaxNode*> find() {
    std::set<const SyntaxNode*> out;
    for (const SyntaxNode* statement : function_.nodes("body")) {
      walk(*statement, [&](const SyntaxNode& node) {
        if (node.is("Call") && changes_operand(node) && is_seen(node)) out.insert(&node);
      });
    }
    return out;
  }

 private:
  bool changes_operand(const SyntaxNode& call) const {
    const Bound* bound = reader_.bind(call);
    if (bound == nullptr) return false;
    const Bound::Argument* flag = bound->find("inplace");
    return flag != nullptr && flag->fact.kind == Fact::Kind::kBool && flag->fact.integer != 0;
  }

  // Adds the names whose tensors the expression's value may lie in; none: it is a new one.
  void add_origins(const SyntaxNode& expression, NameSet& out) const {
    if (expression.is("Name")) {
      if (locals_.contains(expression.text("id"))) out.insert(expression.text("id"));
      return;
    }
    if (expression.is("Call")) {
      const Bound* bound = reader_.bind(expression);
      const bool same = bound != nullptr && (bound->in_place || changes_operand(expression));
      if (bound != nullptr && !same && (bound->op->computes || copies(*bound->op))) return;
      const Fact* module = facts_.of(expression.node("func"));
      const bool is_module = module != nullptr && module->kind == Fact::Kind::kModule;
      // What modules and functions of the text itself give is taken for new: few give back what they were given.
      if (bound == nullptr && (is_module ? module->text != "Identity" && !module->text.starts_with("Dropout")
                                         : expression.node("func")->is("Name")))
        return;
    } else if (expression.is("BinOp") || expression.is("UnaryOp") || expression.is("Compare")) {
      return;
    }
    for (const auto& [name, value] : expression.fields) {
      if (const auto* child = std::get_if<const SyntaxNode*>(&value)) {
        if (*child != nullptr) add_origins(**child, out);
      } else if (const auto* children = std::get_if<std::vector<const SyntaxNode*>>(&value)) {
        for (const SyntaxNode* each : *children) {
          if (each != nullptr) add_origins(*each, out);
        }
      }
    }
  }

  // Adds what the name may hold when the statement runs: through every assignment before it (in a loop, any), back to
  // the last one that is made in any case.
  void add_holders(std::string_view name, std::size_t statement, NameSet& seen) const {
    const std::vector<const SyntaxNode*>& body = function_.nodes("body");
    const bool repeated = body[statement]->is("For") || body[statement]->is("While");
    for (std::size_t i = statement + (repeated ? 1 : 0); i-- > 0;) {
      bool stored = false;
      NameSet origins;
      walk(*body[i], [&](const SyntaxNode& node) {
        const bool assigns = node.is("Assign") || node.is("AnnAssign") || node.is("For") || node.is("NamedExpr");
        if (!assigns) return;
        const char* value = node.is("For") ? "iter" : "value";
        bool here = false;
        const auto look = [&](const SyntaxNode& target) {
          walk(target, [&](const SyntaxNode& each) {
            here = here || (each.is("Name") && each.text("id") == name && is_store(each));
          });
        };
        for (const SyntaxNode* target : node.nodes("targets")) look(*target);
        if (const SyntaxNode* target = node.node("target")) look(*target);
        if (!here) return;
        stored = true;
        if (node.node(value) != nullptr) add_origins(*node.node(value), origins);
      });
      if (!stored) continue;
      for (const std::string_view origin : origins) {
        if (seen.insert(origin).second) add_holders(origin, i, seen);
      }
      if (body[i]->is("Assign") || body[i]->is("AnnAssign")) return;
    }
    if (arguments_.contains(name)) held_by_caller_ = true;
  }

  bool is_seen(const SyntaxNode& call) const {
    const Bound* bound = reader_.bind(call);
    const SyntaxNode* operand = bound->arguments.front().node;
    if (operand == nullptr) return true;
    const std::vector<const SyntaxNode*>& body = function_.nodes("body");
    std::size_t at = 0;
    while (at < body.size() && !contains(*body[at], &call)) ++at;
    if (at == body.size()) return true;
    NameSet names;
    add_origins(*operand, names);
    bool of_self = false;  // an attribute, which outlives the call
    walk(*operand, [&](const SyntaxNode& node) {
      of_self = of_self || (node.is("Name") && node.text("id") == "self" && operand->is("Attribute"));
    });
    if (of_self) return true;
    held_by_caller_ = false;
    NameSet holders = names;
    for (const std::string_view name : names) add_holders(name, at, holders);
    if (held_by_caller_ && callers_see_) return true;
    return std::ranges::any_of(holders, [&](std::string_view name) { return is_read(name, call, at); });
  }

  // Whether the name's tensor as it was before the call is read with it or afterwards.
  bool is_read(std::string_view name, const SyntaxNode& call, std::size_t at) const {
    const std::vector<const SyntaxNode*>& body = function_.nodes("body");
    const SyntaxNode* around = innermost_statement(*body[at], call);
    const bool takes_name = around->is("Assign") && around->nodes("targets").size() == 1 &&
                            around->nodes("targets")[0]->is("Name") && around->nodes("targets")[0]->text("id") == name;
    const bool loop = body[at]->is("For") || body[at]->is("While");
    bool read = false;
    const auto look = [&](const SyntaxNode& node, bool everywhere) {
      walk(node, [&](const SyntaxNode& each) {
        if (!each.is("Name") || each.text("id") != name || is_store(each) || contains(call, &each)) return;
        const bool with = each.line >= around->line && each.line <= around->end_line;
        read = read || everywhere || with || (!takes_name && each.line > around->end_line);
      });
    };
    look(*body[at], loop && !takes_name);
    if (read || takes_name) return read;
    for (std::size_t i = at + 1; i < body.size() && !read; ++i) {
      look(*body[i], true);
      const bool overwrites = body[i]->is("Assign") && body[i]->nodes("targets").size() == 1 &&
                              body[i]->nodes("targets")[0]->is("Name") &&
                              body[i]->nodes("targets")[0]->text("id") == name;
      if (overwrites) break;
    }
    return read;
  }

  // The simple statement that the call stands in; in the head of a compound one, that.
  static const SyntaxNode* innermost_statement(const SyntaxNode& statement, const SyntaxNode& call) {
    for (const char* part : {"body", "orelse", "finalbody"}) {
      for (const SyntaxNode* inner : statement.nodes(part)) {
        if (contains(*inner, &call)) return innermost_statement(*inner, call);
      }
    }
    return &statement;
  }

  const SyntaxNode& function_;
  const RegionReader& reader_;
  const Facts& facts_;
  bool callers_see_;
  NameSet arguments_, locals_;
  mutable bool held_by_caller_ = false;
};

}  // namespace

std::set<const SyntaxNode*> visible_changes(const SyntaxNode& function, const RegionReader& reader, const Facts& facts,
                                            bool callers_see) {
  return ChangeFinder(function, reader, facts, callers_see).find();
}

}  // namespace tritonrl::teacher
