#include <unordered_set>

#include "abstract/evaluator.h"

namespace tritonrl::abstract {
namespace {

constexpr std::size_t kLongestPath = 200;

// An attribute of a tensor that is a tensor itself; the others are sizes, dtypes and their like.
bool gives_tensor(std::string_view name) {
  return name == "data" || name == "grad" || name == "real" || name == "imag" || name == "values" ||
         name == "indices" || name == "T" || name == "mT" || name == "H" || name == "mH";
}

}  // namespace

Value Evaluator::evaluate(const Node* node) {
  if (node == nullptr || depth_ >= kDeepest || !spend()) return {};
  ++depth_;
  const Value value = evaluate_inner(*node);
  --depth_;
  if (rules_ != nullptr) rules_->saw(*node, value, quiet_ > 0);
  return value;
}

Value Evaluator::evaluate_inner(const Node& node) {
  if (node.is("Name")) return read_name(node);
  if (node.is("Attribute")) return attribute(evaluate(node.node("value")), node.text("attr"), node.line);
  if (node.is("Call")) return evaluate_call(node);
  if (node.is("Constant")) return read_constant(node);
  if (node.is("BinOp")) {
    const Value left = evaluate(node.node("left"));
    const Value right = evaluate(node.node("right"));
    return node.node("op") == nullptr ? Value() : binary(node.node("op")->kind, left, right, node.line);
  }
  if (node.is("Subscript")) return subscript(node);
  if (node.is("Tuple") || node.is("List") || node.is("Set")) return list_of(node);
  if (node.is("UnaryOp")) return unary(node);
  if (node.is("Compare")) return compare(node);
  if (node.is("BoolOp")) return boolean(node);
  if (node.is("IfExp")) return conditional(node);
  if (node.is("Dict")) return dict_of(node);
  if (node.is("ListComp") || node.is("SetComp") || node.is("GeneratorExp") || node.is("DictComp"))
    return comprehension(node);
  if (node.is("JoinedStr")) return formatted(node);
  if (node.is("Lambda")) {
    Function& function = functions_.emplace_back();
    function.node = &node;
    function.scope = scope_;
    return {.kind = ValueKind::kFunction, .function = &function};
  }
  if (node.is("NamedExpr")) {
    const Value value = evaluate(node.node("value"));
    assign(node.node("target"), value);
    return value;
  }
  if (node.is("Slice")) return slice_of(node);
  if (node.is("Starred") || node.is("Await")) return evaluate(node.node("value"));
  if (node.is("Yield") || node.is("YieldFrom")) {
    const Value value = node.node("value") == nullptr ? Value::none() : evaluate(node.node("value"));
    if (scope_->yielded == nullptr) scope_->yielded = &lists_.emplace_back();
    append(scope_->yielded, value);
    return {};
  }
  return {};
}

Value Evaluator::read_constant(const Node& node) {
  const syntax::SyntaxValue* value = node.field("value");
  if (value == nullptr || std::holds_alternative<syntax::NoneValue>(*value)) return Value::none();
  if (const auto* flag = std::get_if<bool>(value)) return Value::boolean(*flag);
  if (const auto* whole = std::get_if<std::int64_t>(value)) return Value::whole(*whole);
  if (const auto* real = std::get_if<double>(value)) return Value::real(*real);
  if (const auto* text = std::get_if<std::string>(value)) return Value::words(*text);
  const auto* other = std::get_if<syntax::OtherConstant>(value);
  if (rules_ != nullptr && other != nullptr && other->kind == "ellipsis") return Value::name("builtins.Ellipsis");
  return Value::plain();
}

Value Evaluator::read_name(const Node& node) {
  static const std::unordered_set<std::string_view> kBuiltins = {
      "range",   "len",      "enumerate", "zip",   "list",     "tuple",   "reversed", "sorted",     "int",
      "float",   "str",      "bool",      "abs",   "min",      "max",     "sum",      "isinstance", "hasattr",
      "getattr", "map",      "super",     "print", "type",     "setattr", "any",      "all",        "dict",
      "set",     "callable", "iter",      "next",  "pow",      "round",   "filter",   "issubclass", "id",
      "object",  "divmod",   "slice",     "vars",  "property", "repr",    "frozenset"};
  const std::string_view id = node.text("id");
  if (const Value* value = find_name(id)) return *value;
  if (kBuiltins.contains(id)) return Value::name(keep_text("builtins." + std::string(id)));
  for (const std::string_view module : star_imports_) {
    const bool functional = module == "torch.nn.functional" || module == "torch";
    if (module.starts_with("torch") && (find_layer(id) != nullptr || id == "Module" || id == "Sequential" ||
                                        id == "ModuleList" || (functional && find_function(id) != nullptr))) {
      return Value::name(keep_text((functional ? std::string(module) : "torch.nn") + "." + std::string(id)));
    }
  }
  // People paste modules without their imports.
  if (id == "torch") return Value::name("torch");
  if (id == "nn") return Value::name("torch.nn");
  if (id == "F") return Value::name("torch.nn.functional");
  return Value::unknown(id);
}

Value Evaluator::formatted(const Node& node) {
  std::string text;
  for (const Node* part : node.nodes("values")) {
    if (part == nullptr) continue;
    const Value value = evaluate(part->is("FormattedValue") ? part->node("value") : part);
    if (value.is(ValueKind::kText)) {
      text += value.text;
    } else if (value.is(ValueKind::kInt)) {
      text += std::to_string(value.integer);
    } else {
      return Value::plain();
    }
  }
  return text_value(std::move(text));
}

Value Evaluator::attribute(const Value& base, std::string_view name, int line) {
  switch (base.kind) {
    case ValueKind::kTensor:
      if (rules_ != nullptr) {
        if (const auto told = rules_->attribute(base, name)) return *told;
      }
      if (name == "T" || name == "mT" || name == "H" || name == "mH") note(*find_operator_name("transpose"), line);
      return gives_tensor(name) ? Value::tensor() : Value::plain();
    case ValueKind::kObject:
      return object_attribute(base.object, name);
    case ValueKind::kName:
      if (base.text.size() > kLongestPath) return Value::unknown(name);
      {
        const std::string_view path = keep_text(std::string(base.text) + "." + std::string(name));
        if (rules_ != nullptr) {
          if (const auto told = rules_->name(path)) return *told;
        }
        return Value::name(path);
      }
    case ValueKind::kClass: {
      const Value* held = member(*base.type, name);
      return held == nullptr ? Value::unknown(name) : *held;
    }
    case ValueKind::kSuper:
      return object_attribute(base.object, name);
    case ValueKind::kPlain:
    case ValueKind::kText:
      return Value::plain();
    case ValueKind::kList:  // a tuple with names, such as the result of torch.max
      if (rules_ != nullptr && base.list->items.size() == 2 && (name == "values" || name == "indices")) {
        return base.list->items[name == "values" ? 0 : 1];
      }
      return holds_tensor(base) && gives_tensor(name) ? Value::tensor() : Value::unknown(name);
    default:
      return Value::unknown(name);
  }
}

}  // namespace tritonrl::abstract
