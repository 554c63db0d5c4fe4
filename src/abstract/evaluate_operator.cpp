#include "abstract/constant_arithmetic.h"
#include "abstract/evaluator.h"
#include "abstract/fork.h"

namespace tritonrl::abstract {
namespace {

constexpr std::int64_t kLongestProduct = 1024;

}  // namespace

Value Evaluator::binary(std::string_view op, const Value& left, const Value& right, int line) {
  if (left.is(ValueKind::kTensor) || right.is(ValueKind::kTensor)) {
    if (const OperatorName* known = find_sign(op)) note(*known, line);
    if (rules_ != nullptr) return rules_->sign(op, left, &right).value_or(Value::tensor());
    return Value::tensor();
  }
  if (left.is(ValueKind::kList)) {
    std::vector<Value> items = left.list->items;
    bool open = left.list->open || repeated_ > 0;
    if (op == "Add" && right.is(ValueKind::kList)) {
      const std::size_t room = kLongestProduct - std::min<std::size_t>(kLongestProduct, items.size());
      const std::size_t taken = std::min(room, right.list->items.size());
      open = open || taken < right.list->items.size();
      items.insert(items.end(), right.list->items.begin(),
                   right.list->items.begin() + static_cast<std::ptrdiff_t>(taken));
      return new_list(std::move(items), open || right.list->open);
    }
    if (op == "Add") return new_list(std::move(items), true);
    if (op != "Mult") return {};
    const auto size = static_cast<std::int64_t>(items.size());
    if (!right.is(ValueKind::kInt) || right.integer > kLongestProduct / std::max<std::int64_t>(size, 1)) {
      return new_list(std::move(items), true);
    }
    std::vector<Value> many;
    for (std::int64_t i = 0; i < right.integer; ++i) many.insert(many.end(), items.begin(), items.end());
    return new_list(std::move(many), open);
  }
  if (right.is(ValueKind::kList) && op == "Mult") return binary(op, right, left, line);
  if (left.is(ValueKind::kText)) {
    if (op == "Add" && right.is(ValueKind::kText)) {
      return text_value(std::string(left.text) + std::string(right.text));
    }
    if (op != "Mod") return Value::plain();
    const Value* only = right.is(ValueKind::kList) && right.list->items.size() == 1 ? &right.list->items[0] : &right;
    const std::size_t place = left.text.find('%');
    if (place == std::string_view::npos || place + 1 >= left.text.size()) return Value::plain();
    std::string shown;
    if (only->is(ValueKind::kInt)) shown = std::to_string(only->integer);
    if (only->is(ValueKind::kText)) shown = only->text;
    if (shown.empty()) return Value::plain();
    return text_value(std::string(left.text.substr(0, place)) + shown + std::string(left.text.substr(place + 2)));
  }
  if (const auto value = arithmetic(op, left, right)) return *value;
  if (left.is(ValueKind::kUnknown) && right.is(ValueKind::kUnknown)) return {};
  return left.is(ValueKind::kUnknown) || right.is(ValueKind::kUnknown) ? Value() : Value::plain();
}

Value Evaluator::unary(const Node& node) {
  const Value value = evaluate(node.node("operand"));
  const Node* op = node.node("op");
  if (op == nullptr) return {};
  if (op->is("Not")) {
    const auto truth = truth_of(value);
    return truth.has_value() ? Value::boolean(!*truth) : Value::plain();
  }
  if (value.is(ValueKind::kTensor)) {
    note(*find_sign(op->kind), node.line);
    if (rules_ != nullptr) return rules_->sign(op->kind, value, nullptr).value_or(Value::tensor());
    return value;
  }
  if (rules_ != nullptr && value.is(ValueKind::kFloat)) return op->is("USub") ? Value::real(-value.number) : value;
  if (rules_ != nullptr && op->is("UAdd") && value.is(ValueKind::kInt)) return value;
  if (op->is("USub")) {
    if (const auto negative = arithmetic("Sub", Value::whole(0), value)) return *negative;
  }
  return value.is(ValueKind::kUnknown) ? Value() : Value::plain();
}

Value Evaluator::boolean(const Node& node) {
  const bool is_and = node.node("op") != nullptr && node.node("op")->is("And");
  Value result;
  bool first = true, certain = true;
  for (const Node* part : node.nodes("values")) {
    const Value value = evaluate(part);
    const auto truth = truth_of(value);
    result = first || certain ? value : either(result, value);
    first = false;
    // What decides ends it; "unknown or True" is true, "unknown and False" false, as conditions.
    if (truth.has_value() && *truth != is_and) return certain || is_constant(value) ? value : result;
    certain = certain && truth.has_value();
  }
  if (!certain && is_constant(result)) return Value::plain();
  return result;
}

Value Evaluator::compare(const Node& node) {
  Value left = evaluate(node.node("left"));
  const Nodes& ops = node.nodes("ops");
  const Nodes& others = node.nodes("comparators");
  bool all_true = true, all_known = true, tensor = false;
  for (std::size_t i = 0; i < std::min(ops.size(), others.size()); ++i) {
    const Value right = evaluate(others[i]);
    if (ops[i] == nullptr) return {};
    const std::string_view op = ops[i]->kind;
    const bool of_identity = op == "Is" || op == "IsNot" || op == "In" || op == "NotIn";
    if (!of_identity && (left.is(ValueKind::kTensor) || right.is(ValueKind::kTensor))) {
      if (const OperatorName* known = find_sign(op)) note(*known, node.line);
      if (rules_ != nullptr && ops.size() == 1) return rules_->sign(op, left, &right).value_or(Value::tensor());
      tensor = true;
    } else {
      const auto truth = comparison(op, left, right);
      all_known = all_known && truth.has_value();
      all_true = all_true && truth.value_or(true);
    }
    left = right;
  }
  if (tensor) return Value::tensor();
  if (!all_true) return Value::boolean(false);
  return all_known ? Value::boolean(true) : Value::plain();
}

Value Evaluator::conditional(const Node& node) {
  const auto truth = truth_of(evaluate(node.node("test")));
  if (truth.has_value()) return evaluate(node.node(*truth ? "body" : "orelse"));
  Value a, b;
  fork(
      [&] {
        a = evaluate(node.node("body"));
        return Flow::kNext;
      },
      [&] {
        b = evaluate(node.node("orelse"));
        return Flow::kNext;
      });
  return either(a, b);
}

}  // namespace tritonrl::abstract
