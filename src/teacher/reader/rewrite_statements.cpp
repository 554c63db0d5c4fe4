#include <algorithm>
#include <array>

#include "teacher/reader/rewriter.h"
#include "teacher/reader/visible_changes.h"

namespace tritonrl::teacher {

using syntax::SyntaxNode;

namespace {

bool loads(const SyntaxNode& node, std::string_view name) {
  bool found = false;
  walk(node, [&](const SyntaxNode& each) {
    if (!each.is("Name") || each.text("id") != name) return;
    const SyntaxNode* context = each.node("ctx");
    found = found || context == nullptr || !context->is("Store");
  });
  // x += 1 reads x, though it is a target.
  walk(node, [&](const SyntaxNode& each) {
    if (each.is("AugAssign") && each.node("target")->is("Name"))
      found = found || each.node("target")->text("id") == name;
  });
  return found;
}

// `x` of the statement `x.add_(y)`; empty: it is none such.
std::string_view changed_in_place(const SyntaxNode& statement) {
  if (!statement.is("Expr") || !statement.node("value")->is("Call")) return {};
  const SyntaxNode* method = statement.node("value")->node("func");
  if (!method->is("Attribute") || !method->node("value")->is("Name")) return {};
  const std::string_view name = method->text("attr");
  return name.ends_with('_') && !name.ends_with("__") ? method->node("value")->text("id") : std::string_view();
}

bool is_compound(const SyntaxNode& statement) {
  constexpr std::array<std::string_view, 9> kKinds = {"If",       "For",         "While",    "With",     "Try",
                                                      "AsyncFor", "FunctionDef", "ClassDef", "AsyncWith"};
  return std::find(kKinds.begin(), kKinds.end(), statement.kind) != kKinds.end();
}

}  // namespace

std::optional<Rewriter::Simple> Rewriter::simple_of(const SyntaxNode& statement) const {
  if (statement.is("Assign")) {
    const Nodes& targets = statement.nodes("targets");
    if (targets.size() != 1 || !targets[0]->is("Name")) return std::nullopt;
    return Simple{targets[0]->text("id"), statement.node("value")};
  }
  if (statement.is("AnnAssign")) {
    if (statement.node("value") == nullptr || !statement.node("target")->is("Name")) return std::nullopt;
    return Simple{statement.node("target")->text("id"), statement.node("value")};
  }
  if (statement.is("AugAssign")) {
    if (!statement.node("target")->is("Name")) return std::nullopt;
    return Simple{statement.node("target")->text("id"), &statement};
  }
  if (const std::string_view changed = changed_in_place(statement); context_.owned.contains(changed)) {
    return Simple{changed, statement.node("value")};
  }
  if (statement.is("Return") && statement.node("value") != nullptr) return Simple{{}, statement.node("value")};
  return std::nullopt;
}

bool Rewriter::lives_after(std::string_view name, const Nodes& statements, std::size_t behind,
                           const Place& place) const {
  for (std::size_t i = behind; i < statements.size(); ++i) {
    const SyntaxNode& statement = *statements[i];
    if (loads(statement, name)) return true;
    const std::optional<Simple> simple = simple_of(statement);
    if (simple && simple->target == name && !statement.is("AugAssign")) return false;
    if (statement.is("Return")) return false;
  }
  // Behind the block, or around the loop: any reading counts.
  const int line = statements[behind - 1]->end_line;
  for (const Node loop : place.loops) {
    if (loads(*loop, name)) return true;
  }
  bool found = false;
  walk(*place.function, [&](const SyntaxNode& each) {
    const bool reads =
        each.is("Name") && each.text("id") == name && !(each.node("ctx") != nullptr && each.node("ctx")->is("Store"));
    found = found || (reads && each.line > line);
  });
  return found;
}

// Tries to make one region of the statements from `at` on. The number of statements that it took; 0: none.
std::size_t Rewriter::region_at(const Nodes& statements, std::size_t at, const Place& place, Nodes& out) {
  std::size_t most = statements.size();
  while (most > 0) {
    RegionReader reader(context_);
    struct Taken {
      std::string_view target;
      int step;
    };
    std::vector<Taken> taken;
    std::string plan;
    std::size_t next = at;
    bool returns = false;
    for (; next < statements.size() && next - at < most && !returns; ++next) {
      const std::optional<Simple> simple = simple_of(*statements[next]);
      if (!simple) break;
      const int step = reader.read_operator(*simple->value, simple->target);
      if (step < 0) break;
      returns = simple->target.empty();
      plan += (plan.empty() ? "" : "; ") + (returns ? std::string() : std::string(simple->target) + " = ") +
              reader.spoken(step);
      if (!returns) reader.assign(simple->target, step);
      taken.push_back({simple->target, step});
    }
    if (taken.empty()) return 0;
    if (options_.plan == PlanForm::kLines) plan = reader.plan_lines(returns ? taken.back().step : -1);
    const std::size_t count = taken.size();
    most = count - 1;  // where this does not work

    // The last value, and what is read later of the others.
    std::vector<std::string_view> targets;
    std::vector<RegionOutput> outputs;
    const auto add_output = [&](std::string_view target, int step, Node value) {
      const Node noted = value->is("AugAssign") ? value->node("target") : value;
      const Fact* fact = facts_.of(noted);
      if (fact == nullptr) return false;
      targets.push_back(target);
      outputs.push_back({step, fact->dtype});
      return true;
    };
    bool good = true;
    for (std::size_t i = 0; i < count && good; ++i) {
      const bool last = i + 1 == count;
      const std::string_view target = taken[i].target;
      const bool again = std::any_of(taken.begin() + static_cast<std::ptrdiff_t>(i) + 1, taken.end(),
                                     [&](const Taken& later) { return !target.empty() && later.target == target; });
      if (!last && (again || returns || !lives_after(target, statements, at + count, place))) continue;
      good = add_output(target, taken[i].step, simple_of(*statements[at + i])->value);
    }
    if (!good || outputs.size() > 3) continue;
    std::vector<int> steps;
    for (const RegionOutput& output : outputs) steps.push_back(output.step);
    if (!reader.graph().finish(steps)) continue;
    Nodes before;
    const Node call = region_call(std::move(reader.graph()), outputs, plan, statements[at]->line, &before);
    if (call == nullptr) continue;
    out.insert(out.end(), before.begin(), before.end());
    if (returns) {
      out.push_back(arena_.give_back(call));
    } else if (targets.size() == 1) {
      out.push_back(arena_.assign(arena_.name_target(targets[0]), call));
    } else {
      Nodes names;
      for (const std::string_view target : targets) names.push_back(arena_.name_target(target));
      SyntaxNode& tuple = arena_.copy(*arena_.tuple(names));
      for (auto& [field, value] : tuple.fields) {
        if (field == "ctx") value = arena_.name_target("x")->node("ctx");
      }
      out.push_back(arena_.assign(&tuple, call));
    }
    return count;
  }
  return 0;
}

Rewriter::Nodes Rewriter::block(const Nodes& statements, const Place& place) {
  Nodes out;
  for (std::size_t i = 0; i < statements.size() && !gives_up();) {
    if (const std::size_t taken = region_at(statements, i, place, out); taken > 0) {
      i += taken;
      continue;
    }
    const Node made = statement(*statements[i], place, out);
    out.push_back(made);
    ++i;
  }
  return out;
}

Rewriter::Node Rewriter::statement(const SyntaxNode& statement, const Place& place, Nodes& out) {
  if (statement.is("FunctionDef")) {
    const auto aliased = context_.aliased, owned = context_.owned;
    const auto visible = context_.visible_changes;
    const Node made = function(statement);
    context_.aliased = aliased;
    context_.owned = owned;
    context_.visible_changes = visible;
    return made;
  }
  if (statement.is("ClassDef") || statement.is("Global") || statement.is("Nonlocal")) return &statement;
  if (statement.is("AugAssign")) {
    const Fact* changed = facts_.of(statement.node("target"));
    if (changed != nullptr && changed->is_tensor()) ++left_in_torch_;
  }
  if (!is_compound(statement)) return children(statement, &out);
  Place inside = place;
  const bool loop = statement.is("For") || statement.is("While");
  if (loop) inside.loops.push_back(&statement);
  SyntaxNode& copy = arena_.copy(statement);
  for (auto& [name, value] : copy.fields) {
    if (auto* nodes = std::get_if<Nodes>(&value)) {
      if (name == "body" || name == "orelse" || name == "finalbody") {
        *nodes = block(*nodes, inside);
      } else if (name == "handlers") {
        for (Node& handler : *nodes) {
          SyntaxNode& made = arena_.copy(*handler);
          for (auto& [field, held] : made.fields) {
            if (field == "body") held = block(handler->nodes("body"), inside);
          }
          handler = &made;
        }
      }
    } else if (auto* node = std::get_if<Node>(&value); node != nullptr && *node != nullptr) {
      // A loop's condition is evaluated every time: nothing can come before it.
      if (name == "test") *node = expression(*node, statement.is("If") ? &out : nullptr);
      if (name == "iter") *node = expression(*node, &out);
    }
  }
  return &copy;
}

void Rewriter::find_names(const SyntaxNode& function, bool callers_see) {
  context_.aliased.clear();
  context_.owned.clear();
  context_.visible_changes = visible_changes(function, RegionReader(context_), facts_, callers_see);
  std::set<std::string_view> targets;  // of changes in place
  walk(function, [&](const SyntaxNode& node) {
    if (node.is("AugAssign") && node.node("target")->is("Name")) targets.insert(node.node("target")->text("id"));
    if (const std::string_view changed = changed_in_place(node); !changed.empty()) targets.insert(changed);
    if (!node.is("Assign")) return;
    const bool second_name = node.node("value")->is("Name");
    if (second_name) context_.aliased.emplace(node.node("value")->text("id"));
    if (!second_name && node.nodes("targets").size() == 1) return;
    for (const Node target : node.nodes("targets")) {
      if (target->is("Name")) context_.aliased.emplace(target->text("id"));
    }
  });
  if (targets.empty()) return;
  const RegionReader reader(context_);
  const auto makes_its_own = [&](const SyntaxNode& statement, const Simple& simple) {
    if (statement.is("AugAssign")) return false;
    const Bound* bound = reader.bind(*simple.value);
    return bound != nullptr && bound->op->computes && !bound->in_place;
  };
  std::map<std::string_view, int> others;  // stores of a name by which it may come to hold another's tensor
  walk(function, [&](const SyntaxNode& node) {
    if (node.is("Name") && node.node("ctx") != nullptr && node.node("ctx")->is("Store")) ++others[node.text("id")];
    const std::optional<Simple> simple = simple_of(node);
    if (!simple || simple->target.empty()) return;
    if (node.is("AugAssign") || makes_its_own(node, *simple)) --others[simple->target];
  });
  // An argument is the caller's until the function gives the name a tensor of its own, before anything else.
  walk(*function.node("args"), [&](const SyntaxNode& node) {
    if (!node.is("arg")) return;
    const std::string_view name = node.text("arg");
    for (const Node statement : function.nodes("body")) {
      const std::optional<Simple> simple = simple_of(*statement);
      if (simple && simple->target == name && makes_its_own(*statement, *simple)) return;
      bool stored = false;
      walk(*statement, [&](const SyntaxNode& inner) {
        stored = stored || (inner.is("Name") && inner.text("id") == name && inner.node("ctx")->is("Store"));
      });
      if (stored) break;
    }
    ++others[name];
  });
  for (const std::string_view name : targets) {
    if (others[name] == 0 && !context_.aliased.contains(name)) context_.owned.emplace(name);
  }
}

Rewriter::Node Rewriter::function(const SyntaxNode& function, bool callers_see) {
  bool odd = false;
  walk(function, [&](const SyntaxNode& node) {
    odd = odd || node.is("Yield") || node.is("YieldFrom") || node.is("Global") || node.is("Nonlocal");
  });
  if (odd) return &function;
  find_names(function, callers_see);
  SyntaxNode& copy = arena_.copy(function);
  for (auto& [name, value] : copy.fields) {
    if (name == "body") value = block(function.nodes("body"), {.function = &function, .loops = {}});
  }
  return &copy;
}

}  // namespace tritonrl::teacher
