// Reads lines of JSON, {"expression": "F.gelu(x)", "names": {"x": {"kind": "tensor", …}}}, and says for each what the
// table makes of it: operator, recipe, arguments, result facts. With --table it prints the table instead.
#include <iostream>
#include <string>

#include "base/json.h"
#include "tests/teacher/operators/bound_expression.h"

namespace tritonrl::teacher {
namespace {

using json = base::Json;

Fact read_fact(const json& value) {
  const std::string kind = value.at("kind").text();
  if (kind == "tensor") {
    return Fact::tensor(program::dtype_from_string(value.at("dtype").get<std::string>()).value(),
                        value.at("shape").get<Shape>());
  }
  if (kind == "int") return Fact::whole(value.at("value").integer());
  if (kind == "float")
    return Fact::real(value.at("value").is_string() ? std::stod(value.at("value").get<std::string>())
                                                    : value.at("value").get<double>());
  if (kind == "bool") return Fact::truth(value.at("value").boolean());
  if (kind == "text") return Fact::words(value.at("value").text());
  if (kind == "none") return Fact::none();
  if (kind == "list") {
    std::vector<Fact> items;
    for (const json& item : value.at("items")) items.push_back(read_fact(item));
    return Fact::list(std::move(items));
  }
  if (kind == "module") {
    Fact module{.kind = Fact::Kind::kModule};
    module.text = value.at("class").text();
    for (const auto& [name, attribute] : value.at("attributes").items()) {
      module.attributes.emplace_back(name, read_fact(attribute));
    }
    return module;
  }
  Fact other{.kind = Fact::Kind::kOther};
  other.text = value.value("text", "");
  return other;
}

json write_facts(const std::vector<Fact>& facts) {
  json all = json::array();
  for (const Fact& fact : facts) {
    all.push_back({{"dtype", program::to_string(fact.dtype)}, {"shape", fact.shape}});
  }
  return all;
}

std::string_view kind_of(const Fact& fact) {
  return fact.is_tensor() ? "tensor" : fact.is_number() ? "number" : fact.kind == Fact::Kind::kNone ? "none" : "other";
}

json describe(const json& line) {
  NamedFacts names;
  for (const auto& [name, fact] : line.at("names").items()) names.emplace_back(name, read_fact(fact));
  const std::string text = line.at("expression").text();
  const BoundExpression expression(text, names);
  json out{{"expression", text}, {"bound", expression.bound().has_value()}};
  if (expression.expression().is("Subscript")) {
    const Fact fact = subscript_fact(expression.expression(), expression.facts());
    out["facts"] = write_facts(fact.is_tensor() ? std::vector{fact} : std::vector<Fact>{});
    return out;
  }
  if (!expression.bound()) return out;
  const Bound& bound = *expression.bound();
  out["operator"] = bound.op->name;
  out["group"] = static_cast<int>(bound.op->group);
  out["rows"] = static_cast<int>(bound.op->rows);
  out["then"] = bound.op->then;
  out["type"] = static_cast<int>(bound.op->type);
  out["channel_parameters"] = bound.op->channel_parameters;
  out["row_parameters"] = bound.op->row_parameters;
  out["pair"] = bound.pair;
  out["facts"] = write_facts(result_facts(bound));
  json arguments = json::array();
  for (const Bound::Argument& argument : bound.arguments) {
    const bool given = argument.node != nullptr;
    arguments.push_back({{"parameter", argument.parameter},
                         {"kind", kind_of(argument.fact)},
                         {"attribute", argument.attribute},
                         {"many", !argument.nodes.empty()},
                         {"place", given ? json{argument.node->column, argument.node->end_column} : json()}});
    if (argument.fact.kind == Fact::Kind::kInt || argument.fact.kind == Fact::Kind::kBool) {
      arguments.back()["value"] = argument.fact.integer;
    } else if (argument.fact.kind == Fact::Kind::kFloat) {
      arguments.back()["value"] = argument.fact.number;
    } else if (!argument.fact.text.empty()) {
      arguments.back()["value"] = argument.fact.text;
    }
  }
  out["arguments"] = std::move(arguments);
  const Recipe* recipe = choose_recipe(bound);
  out["recipe"] = recipe == nullptr ? json() : json(recipe->text);
  return out;
}

void print_table() {
  for (const Operator& op : all_operators()) {
    json recipes = json::array();
    for (const Recipe& recipe : op.recipes) recipes.push_back({{"when", recipe.when}, {"text", recipe.text}});
    std::cout << json{{"name", op.name},
                      {"group", static_cast<int>(op.group)},
                      {"parameters", op.parameters},
                      {"recipes", std::move(recipes)}}
                     .dump()
              << "\n";
  }
}

}  // namespace
}  // namespace tritonrl::teacher

int main(int count, char** words) {
  using namespace tritonrl::teacher;
  if (count > 1 && std::string_view(words[1]) == "--table") {
    print_table();
    return 0;
  }
  for (std::string line; std::getline(std::cin, line);)
    std::cout << describe(tritonrl::base::Json::parse(line)).dump() << "\n";
}
