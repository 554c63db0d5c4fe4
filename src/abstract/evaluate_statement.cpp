#include <algorithm>

#include "abstract/evaluator.h"
#include "abstract/fork.h"

namespace tritonrl::abstract {
namespace {

constexpr std::size_t kMostUnrolled = 256;

// The statements end the block for certain.
bool leaves(const std::vector<const syntax::SyntaxNode*>& statements) {
  if (statements.empty() || statements.back() == nullptr) return false;
  const std::string_view kind = statements.back()->kind;
  return kind == "Return" || kind == "Raise" || kind == "Break" || kind == "Continue";
}

bool is_main_guard(const syntax::SyntaxNode& test) {
  const syntax::SyntaxNode* left = test.node("left");
  return test.is("Compare") && left != nullptr && left->text("id") == "__name__";
}

}  // namespace

Evaluator::Flow Evaluator::run_block(const Nodes& statements, std::size_t from) {
  for (std::size_t i = from; i < statements.size(); ++i) {
    const Node* statement = statements[i];
    if (statement == nullptr) continue;
    if (statement->is("If")) {
      bool took_rest = false;
      const Flow flow = run_if(*statement, statements, i + 1, &took_rest);
      if (took_rest || flow != Flow::kNext) return flow;
      continue;
    }
    const Flow flow = run(*statement);
    if (flow != Flow::kNext) return flow;
  }
  return Flow::kNext;
}

Evaluator::Flow Evaluator::run_if(const Node& statement, const Nodes& rest, std::size_t rest_from, bool* took_rest) {
  const Node* test = statement.node("test");
  if (!spend() || test == nullptr || is_main_guard(*test)) return Flow::kNext;
  const Nodes& body = statement.nodes("body");
  const Nodes& otherwise = statement.nodes("orelse");
  if (const std::optional<bool> truth = truth_of(evaluate(test)); truth.has_value()) {
    return run_block(*truth ? body : otherwise);
  }
  if (leaves(body) == leaves(otherwise) || depth_ >= kDeepest) {
    return fork([&] { return run_block(body); }, [&] { return run_block(otherwise); });
  }
  // What follows belongs to the branch that goes on.
  *took_rest = true;
  const auto with_rest = [&](const Nodes& branch) {
    const Flow flow = run_block(branch);
    return flow == Flow::kNext && !leaves(branch) ? run_block(rest, rest_from) : flow;
  };
  ++depth_;
  const Flow flow = fork([&] { return with_rest(body); }, [&] { return with_rest(otherwise); });
  --depth_;
  return flow;
}

Evaluator::Flow Evaluator::run(const Node& statement) {
  if (!spend() || depth_ >= kDeepest) return Flow::kNext;
  ++depth_;
  const auto done = [&](Flow flow) {
    --depth_;
    return flow;
  };
  if (statement.is("Expr")) {
    evaluate(statement.node("value"));
  } else if (statement.is("Assign")) {
    const Value value = evaluate(statement.node("value"));
    for (const Node* target : statement.nodes("targets")) assign(target, value);
  } else if (statement.is("Return")) {
    const Node* value = statement.node("value");
    const Value result = value == nullptr ? Value::none() : evaluate(value);
    // A result that was noted before came from a branch that may have been taken.
    scope_->result = scope_->result.has_value() ? either(*scope_->result, result) : result;
    return done(Flow::kReturn);
  } else if (statement.is("AugAssign")) {
    const Node* target = statement.node("target");
    const Node* op = statement.node("op");
    const Value left = evaluate(target);
    const Value right = evaluate(statement.node("value"));
    if (op != nullptr) {
      Value value = binary(op->kind, left, right, statement.line);
      if (left.tensor_type != nullptr) value = left;  // in place: the tensor stays the same
      // x[i] += y changes the memory of x: the sum is all that is computed.
      if (!(left.is(ValueKind::kTensor) && target != nullptr && target->is("Subscript"))) assign(target, value);
      if (rules_ != nullptr && target != nullptr) rules_->saw(*target, value, quiet_ > 0);
    }
  } else if (statement.is("AnnAssign")) {
    if (statement.node("value") != nullptr) assign(statement.node("target"), evaluate(statement.node("value")));
  } else if (statement.is("For") || statement.is("AsyncFor")) {
    return done(run_for(statement));
  } else if (statement.is("While")) {
    return done(run_while(statement));
  } else if (statement.is("FunctionDef") || statement.is("AsyncFunctionDef")) {
    define_function(statement);
  } else if (statement.is("ClassDef")) {
    define_class(statement);
  } else if (statement.is("Import") || statement.is("ImportFrom")) {
    run_import(statement);
  } else if (statement.is("With") || statement.is("AsyncWith")) {
    for (const Node* item : statement.nodes("items")) {
      if (item == nullptr) continue;
      const Value value = evaluate(item->node("context_expr"));
      if (item->node("optional_vars") != nullptr) assign(item->node("optional_vars"), value);
    }
    return done(run_block(statement.nodes("body")));
  } else if (statement.is("Try") || statement.is("TryStar")) {
    return done(run_try(statement));
  } else if (statement.is("Match")) {
    evaluate(statement.node("subject"));
    for (const Node* match_case : statement.nodes("cases")) {
      if (match_case != nullptr) return done(run_block(match_case->nodes("body")));
    }
  } else if (statement.is("Assert") && rules_ != nullptr) {
    evaluate(statement.node("test"));
  } else if (statement.is("Raise")) {
    return done(Flow::kRaise);
  } else if (statement.is("Break")) {
    return done(Flow::kBreak);
  } else if (statement.is("Continue")) {
    return done(Flow::kContinue);
  }
  return done(Flow::kNext);
}

Evaluator::Flow Evaluator::run_for(const Node& statement) {
  List over = items_of(evaluate(statement.node("iter")));
  if (rules_ == nullptr && over.items.size() > kMostUnrolled) over = {.items = {over.items.front()}, .open = true};
  repeated_ += over.open ? 1 : 0;
  Flow flow = Flow::kNext;
  for (const Value& item : over.items) {
    if (!spend()) break;
    assign(statement.node("target"), item);
    flow = run_block(statement.nodes("body"));
    if (flow != Flow::kNext && flow != Flow::kContinue) break;
  }
  repeated_ -= over.open ? 1 : 0;
  if (flow == Flow::kReturn || flow == Flow::kRaise) return flow;
  return flow == Flow::kBreak && !over.open ? Flow::kNext : run_block(statement.nodes("orelse"));
}

Evaluator::Flow Evaluator::run_while(const Node& statement) {
  std::optional<bool> truth = truth_of(evaluate(statement.node("test")));
  while (rules_ != nullptr && truth == true && spend()) {
    const Flow flow = run_block(statement.nodes("body"));
    if (flow == Flow::kReturn || flow == Flow::kRaise) return flow;
    if (flow == Flow::kBreak) return Flow::kNext;
    truth = truth_of(evaluate(statement.node("test")));
  }
  if (truth == false) return run_block(statement.nodes("orelse"));
  ++repeated_;
  const Flow flow = run_block(statement.nodes("body"));
  --repeated_;
  return flow == Flow::kReturn || flow == Flow::kRaise ? flow : Flow::kNext;
}

Evaluator::Flow Evaluator::run_try(const Node& statement) {
  Flow flow = run_block(statement.nodes("body"));
  if (flow == Flow::kRaise) {
    flow = Flow::kNext;
    for (const Node* handler : statement.nodes("handlers")) {
      if (handler == nullptr) continue;
      flow = run_block(handler->nodes("body"));
      break;
    }
  } else if (flow == Flow::kNext) {
    flow = run_block(statement.nodes("orelse"));
  }
  const Flow last = run_block(statement.nodes("finalbody"));
  return last != Flow::kNext ? last : flow;
}

void Evaluator::run_import(const Node& statement) {
  const bool from = statement.is("ImportFrom");
  const std::string_view module = statement.text("module");
  for (const Node* alias : statement.nodes("names")) {
    if (alias == nullptr) continue;
    const std::string_view name = alias->text("name"), renamed = alias->text("asname");
    if (from && name == "*") {
      star_imports_.push_back(module);
    } else if (from) {
      const std::string_view path = module.empty() ? name : keep_text(std::string(module) + "." + std::string(name));
      put(&scope_->names, renamed.empty() ? name : renamed, Value::name(path));
    } else if (renamed.empty()) {
      const std::string_view first = name.substr(0, name.find('.'));
      put(&scope_->names, first, Value::name(first));
    } else {
      put(&scope_->names, renamed, Value::name(name));
    }
  }
}

void Evaluator::define_function(const Node& statement) {
  Function& function = functions_.emplace_back();
  function.node = &statement;
  function.scope = scope_;
  for (const Node* decorator : statement.nodes("decorator_list")) {
    const std::string_view name = decorator == nullptr ? "" : decorator->text("id");
    function.is_static = function.is_static || name == "staticmethod";
    function.is_class_method = function.is_class_method || name == "classmethod";
    function.is_property = function.is_property || name == "property" || name == "cached_property";
  }
  put(&scope_->names, statement.text("name"), {.kind = ValueKind::kFunction, .function = &function});
}

void Evaluator::define_class(const Node& statement) {
  Class& type = classes_.emplace_back();
  type.name = statement.text("name");
  type.scope = scope_;
  for (const Node* base : statement.nodes("bases")) type.bases.push_back(evaluate(base));
  Scope& inside = new_scope(scope_);
  Scope* outer = std::exchange(scope_, &inside);
  run_block(statement.nodes("body"));
  scope_ = outer;
  type.members = inside.names;
  for (auto& [name, member] : type.members.entries) {
    if (!member.is(ValueKind::kFunction) || member.function->scope != &inside) continue;
    member.function->owner = &type;
    member.function->scope = outer;  // methods do not see the names of their class
  }
  put(&scope_->names, type.name, {.kind = ValueKind::kClass, .type = &type});
}

std::vector<Value> Evaluator::unpack(const Value& value, std::size_t count) {
  List items = items_of(value);
  if (items.items.size() == count) return std::move(items.items);
  return std::vector<Value>(count, items.items.empty() ? Value() : items.items.front());
}

void Evaluator::assign(const Node* target, const Value& value) {
  if (target == nullptr || !spend()) return;
  if (target->is("Name")) {
    put(&scope_->names, target->text("id"), value);
  } else if (target->is("Attribute")) {
    const Value base = evaluate(target->node("value"));
    if (base.is(ValueKind::kObject)) put(&base.object->attributes, target->text("attr"), value);
    if (base.is(ValueKind::kClass)) put(&base.type->members, target->text("attr"), value);
  } else if (target->is("Subscript")) {
    assign_item(*target, value);
  } else if (target->is("Starred")) {
    assign(target->node("value"), new_list({value}, true));
  } else if (target->is("Tuple") || target->is("List")) {
    const Nodes& parts = target->nodes("elts");
    const auto star = std::find_if(parts.begin(), parts.end(),
                                   [](const Node* part) { return part != nullptr && part->is("Starred"); });
    const List known = items_of(value);
    const std::vector<Value>& items = known.items;
    if (star == parts.end() || known.open || items.size() + 1 < parts.size()) {
      const std::vector<Value> values = unpack(value, parts.size());
      for (std::size_t i = 0; i < parts.size(); ++i) assign(parts[i], values[i]);
      return;
    }
    const auto before = static_cast<std::size_t>(star - parts.begin());
    const std::size_t starred = items.size() + 1 - parts.size();
    for (std::size_t i = 0; i < before; ++i) assign(parts[i], items[i]);
    const auto first = items.begin() + static_cast<std::ptrdiff_t>(before);
    assign((*star)->node("value"), new_list({first, first + static_cast<std::ptrdiff_t>(starred)}));
    for (std::size_t i = before + 1; i < parts.size(); ++i) assign(parts[i], items[i + starred - 1]);
  }
}

void Evaluator::assign_item(const Node& target, const Value& value) {
  const Value base = evaluate(target.node("value"));
  const Value index = evaluate(target.node("slice"));
  if (base.is(ValueKind::kTensor)) {
    const bool by_data = holds_tensor(index);
    note(*find_operator_name(by_data ? "index_put" : "copy"), target.line);
  } else if (base.is(ValueKind::kList)) {
    touch(base.list);
    const auto place = static_cast<std::size_t>(index.integer);
    if (index.is(ValueKind::kInt) && index.integer >= 0 && place < base.list->items.size()) {
      base.list->items[place] = value;
    }
  } else if (base.is(ValueKind::kDict)) {
    if (const std::string_view key = key_of(index); !key.empty()) {
      put(base.dict, key, value);
    } else {
      put(base.dict, "\x02", value);
      base.dict->open = true;
    }
  } else if (base.is(ValueKind::kObject)) {
    if (const std::string_view key = key_of(index); !key.empty()) put(&base.object->attributes, key, value);
    append(&base.object->items, value);
  }
}

}  // namespace tritonrl::abstract
