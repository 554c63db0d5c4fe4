#include "teacher/typing/table_call.h"

namespace tritonrl::teacher {
namespace {

using syntax::SyntaxNode;
using Nodes = std::vector<const SyntaxNode*>;

bool is_comparison(std::string_view op) {
  return op == "Lt" || op == "LtE" || op == "Gt" || op == "GtE" || op == "Eq" || op == "NotEq";
}

std::string_view dtype_of_type(std::string_view path) {
  return path == "builtins.bool"    ? "bool"
         : path == "builtins.float" ? "float64"
         : path == "builtins.int"   ? "int64"
                                    : path;
}

Nodes& list_field(SyntaxNode& node, std::size_t place) {
  return std::get<Nodes>(node.fields[place].second);
}

}  // namespace

TableCall::TableCall(ValueFacts* values) : values_(values) {
  callee_.kind = "Name";
  callee_.fields = {{"id", std::string("callee")}};
  attribute_.kind = "Attribute";
  attribute_.fields = {{"value", static_cast<const Node*>(nullptr)}, {"attr", std::string()}};
  call_.kind = "Call";
  call_.fields = {{"func", static_cast<const Node*>(&callee_)}, {"args", Nodes()}, {"keywords", Nodes()}};
  binary_.kind = "BinOp";
  binary_.fields = {{"left", static_cast<const Node*>(nullptr)},
                    {"op", static_cast<const Node*>(&op_)},
                    {"right", static_cast<const Node*>(nullptr)}};
  unary_.kind = "UnaryOp";
  unary_.fields = {{"op", static_cast<const Node*>(&op_)}, {"operand", static_cast<const Node*>(nullptr)}};
  compare_.kind = "Compare";
  compare_.fields = {
      {"left", static_cast<const Node*>(nullptr)}, {"ops", Nodes{&op_}}, {"comparators", Nodes{nullptr}}};
}

const SyntaxNode* TableCall::stand_in(const abstract::Value& value) {
  if (used_ == names_.size()) {
    Node& node = names_.emplace_back();
    node.kind = "Name";
    node.fields = {{"id", "argument" + std::to_string(used_)}};
  }
  const Node* node = &names_[used_++];
  // Python's own types are dtypes, too.
  const bool is_type = value.is(abstract::ValueKind::kName) && value.text.starts_with("builtins.");
  facts_.set(node, values_->fact_of(is_type ? abstract::Value::name(dtype_of_type(value.text)) : value, true));
  return node;
}

const SyntaxNode* TableCall::stand_in(const abstract::Object& object) {
  Module& module = modules_[&object];
  const Fact* fact = &values_->module_fact(object);
  if (module.fact != fact) {
    module.fact = fact;
    module.node.kind = "Name";
    facts_.set(&module.node, *fact);
  }
  return &module.node;
}

void TableCall::fill(const abstract::Arguments& arguments) {
  Nodes& positional = list_field(call_, 1);
  Nodes& keywords = list_field(call_, 2);
  positional.clear();
  keywords.clear();
  for (const abstract::Value& value : arguments.positional) positional.push_back(stand_in(value));
  while (keywords_.size() < arguments.keywords.size()) {
    Node& node = keywords_.emplace_back();
    node.kind = "keyword";
    node.fields = {{"arg", std::string()}, {"value", static_cast<const Node*>(nullptr)}};
  }
  for (std::size_t i = 0; i < arguments.keywords.size(); ++i) {
    std::get<std::string>(keywords_[i].fields[0].second) = arguments.keywords[i].first;
    keywords_[i].fields[1].second = stand_in(arguments.keywords[i].second);
    keywords.push_back(&keywords_[i]);
  }
}

std::optional<abstract::Value> TableCall::result(const std::optional<Bound>& bound) {
  if (!bound.has_value()) return std::nullopt;
  const std::vector<Fact> facts = result_facts(*bound);
  if (facts.empty()) return std::nullopt;
  return values_->value_of(facts);
}

std::optional<abstract::Value> TableCall::function(std::string_view path, const abstract::Arguments& arguments) {
  if (arguments.open) return std::nullopt;
  used_ = 0;
  call_.fields[0].second = static_cast<const Node*>(&callee_);
  fill(arguments);
  return result(bind_call(call_, path, facts_));
}

std::optional<abstract::Value> TableCall::method(const abstract::Value& tensor, std::string_view name,
                                                 const abstract::Arguments& arguments) {
  if (arguments.open) return std::nullopt;
  used_ = 0;
  attribute_.fields[0].second = stand_in(tensor);
  std::get<std::string>(attribute_.fields[1].second) = name;
  call_.fields[0].second = static_cast<const Node*>(&attribute_);
  fill(arguments);
  return result(bind_call(call_, "." + std::string(name), facts_));
}

std::optional<abstract::Value> TableCall::layer(const abstract::Object& object, const abstract::Arguments& arguments) {
  if (arguments.open) return std::nullopt;
  used_ = 0;
  call_.fields[0].second = stand_in(object);
  fill(arguments);
  return result(bind_module(call_, facts_));
}

std::optional<abstract::Value> TableCall::sign(std::string_view op, const abstract::Value& left,
                                               const abstract::Value* right) {
  used_ = 0;
  op_.kind = op;
  const Node* first = stand_in(left);
  if (right == nullptr) {
    unary_.fields[1].second = first;
    return result(bind_sign(unary_, facts_));
  }
  const Node* second = stand_in(*right);
  if (is_comparison(op)) {
    compare_.fields[0].second = first;
    list_field(compare_, 2)[0] = second;
    return result(bind_sign(compare_, facts_));
  }
  binary_.fields[0].second = first;
  binary_.fields[2].second = second;
  return result(bind_sign(binary_, facts_));
}

}  // namespace tritonrl::teacher
