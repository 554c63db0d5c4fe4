#include "teacher/traced/traced_facts.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "teacher/facts/leaf_facts.h"
#include "teacher/traced/followed_module.h"

namespace tritonrl::teacher {
namespace {

using base::Json;  // keeps the order of attributes
using Place = std::array<int, 4>;

constexpr int kMostDepth = 8;
constexpr std::size_t kMostDimensions = 32;

// A statement that is one expression has the expression's place.
bool is_expression(const syntax::SyntaxNode& node) {
  static constexpr std::string_view kKinds[] = {"Attribute", "BinOp",     "BoolOp", "Call",     "Compare",
                                                "Constant",  "IfExp",     "List",   "ListComp", "Name",
                                                "NamedExpr", "Subscript", "Tuple",  "UnaryOp"};
  return std::find(std::begin(kKinds), std::end(kKinds), node.kind) != std::end(kKinds);
}

void collect(const syntax::SyntaxNode& root, std::map<Place, const syntax::SyntaxNode*>& out) {
  std::vector<const syntax::SyntaxNode*> pending = {&root};
  while (!pending.empty()) {
    const syntax::SyntaxNode& node = *pending.back();
    pending.pop_back();
    if (is_expression(node)) out.emplace(Place{node.line, node.column, node.end_line, node.end_column}, &node);
    for (const auto& [name, value] : node.fields) {
      if (const auto* one = std::get_if<const syntax::SyntaxNode*>(&value)) {
        if (*one != nullptr) pending.push_back(*one);
      } else if (const auto* several = std::get_if<std::vector<const syntax::SyntaxNode*>>(&value)) {
        for (const syntax::SyntaxNode* each : *several) {
          if (each != nullptr) pending.push_back(each);
        }
      }
    }
  }
}

std::string_view text_of(const Json& json, const char* name) {
  const Json* found = json.find(name);
  return found != nullptr && found->is_string() ? std::string_view(found->text()) : std::string_view();
}

std::optional<std::int64_t> whole_in(const Json* json) {
  if (json == nullptr || !json->is_number_integer()) return std::nullopt;
  if (json->is_number_unsigned() && !std::in_range<std::int64_t>(json->natural())) return std::nullopt;
  return json->integer();
}

Fact tensor_from(const Json& json) {
  const std::optional<program::DType> dtype = program::dtype_from_string(text_of(json, "dtype"));
  const Json* sizes = json.find("shape");
  if (!dtype || sizes == nullptr || !sizes->is_array() || sizes->size() > kMostDimensions)
    return Fact{.kind = Fact::Kind::kOther};
  Shape shape;
  for (const Json& size : *sizes) {
    const std::optional<std::int64_t> whole = whole_in(&size);
    if (!whole) return Fact{.kind = Fact::Kind::kOther};
    shape.push_back(*whole);
  }
  return Fact::tensor(*dtype, std::move(shape));
}

Fact real_from(const Json* value) {
  if (value != nullptr && value->is_number()) return Fact::real(value->get<double>());
  if (value != nullptr && value->is_string()) {
    if (*value == "inf") return Fact::real(std::numeric_limits<double>::infinity());
    if (*value == "-inf") return Fact::real(-std::numeric_limits<double>::infinity());
  }
  return Fact{.kind = Fact::Kind::kFloat};
}

Fact fact_from(const Json& json, int depth);

Fact module_from(const Json& json, int depth) {
  Fact fact = Fact{.kind = Fact::Kind::kModule};
  fact.text = text_of(json, "class");
  const Json* attributes = json.find("attributes");
  if (attributes == nullptr || !attributes->is_object()) return fact;
  for (const auto& [name, value] : attributes->items()) fact.attributes.emplace_back(name, fact_from(value, depth + 1));
  return fact;
}

Fact fact_from(const Json& json, int depth) {
  if (!json.is_object() || depth > kMostDepth) return Fact{.kind = Fact::Kind::kOther};
  const std::string_view kind = text_of(json, "kind");
  const Json* value = json.find("value");
  if (kind == "tensor") return tensor_from(json);
  if (kind == "int") {
    const std::optional<std::int64_t> whole = whole_in(value);
    return whole ? Fact::whole(*whole) : Fact{.kind = Fact::Kind::kInt};
  }
  if (kind == "float") return real_from(value);
  if (kind == "bool")
    return value != nullptr && value->is_boolean() ? Fact::truth(value->get<bool>()) : Fact{.kind = Fact::Kind::kBool};
  if (kind == "text")
    return value != nullptr && value->is_string() ? Fact::words(value->text()) : Fact{.kind = Fact::Kind::kText};
  if (kind == "none") return Fact::none();
  if (kind == "module") return module_from(json, depth);
  if (kind == "unknown") return {};
  if (kind == "list") {
    const Json* items = json.find("items");
    std::vector<Fact> facts;
    if (items != nullptr && items->is_array()) {
      for (const Json& item : *items) facts.push_back(fact_from(item, depth + 1));
    }
    return Fact::list(std::move(facts));
  }
  Fact other = Fact{.kind = Fact::Kind::kOther};
  other.text = text_of(json, "name");
  return other;
}

std::optional<Place> place_from(const Json& entry) {
  if (!entry.is_array() || entry.size() != 5 || !entry[4].is_array() || entry[4].empty()) return std::nullopt;
  Place place{};
  for (std::size_t i = 0; i < place.size(); ++i) {
    const std::optional<std::int64_t> whole = whole_in(&entry[i]);
    if (!whole || !std::in_range<int>(*whole)) return std::nullopt;
    place[i] = static_cast<int>(*whole);
  }
  return place;
}

}  // namespace

Facts traced_facts(const syntax::SyntaxNode& module, const python::TraceOutcome& outcome) {
  Facts facts;
  const std::optional<Json> json = Json::try_parse(outcome.values);
  if (!json || !json->is_array()) return facts;
  std::map<Place, const syntax::SyntaxNode*> nodes;
  collect(module, nodes);
  for (const Json& entry : *json) {
    const std::optional<Place> place = place_from(entry);
    const auto node = place ? nodes.find(*place) : nodes.end();
    if (node == nodes.end()) continue;
    for (const Json& value : entry[4]) facts.note(node->second, fact_from(value, 0));
  }
  return facts;
}

FollowedModule follow_module(const record::Task& task, python::SyntaxReader& reader, python::ExpressionTracer& tracer) {
  FollowedModule out{.text = task.source,
                     .entry_point = task.entry_point.empty() ? "Model" : task.entry_point,
                     .tree = {},
                     .facts = {}};
  const std::array<std::string_view, 1> source = {task.source};
  std::vector<python::ParsedSource> parsed = reader.parse(source);
  if (!parsed[0].tree) return out;
  const python::TraceOutcome traced = tracer.trace(task);
  if (!traced.traced) return out;
  out.facts = traced_facts(parsed[0].tree->root(), traced);
  out.tree = std::move(parsed[0].tree);
  return out;
}

std::vector<text::LeafFact> traced_leaf_facts(const record::Task& task, python::SyntaxReader& reader,
                                              python::ExpressionTracer& tracer) {
  const FollowedModule module = follow_module(task, reader, tracer);
  if (!module.tree) return {};
  return leaf_facts(module.tree->root(), module.facts, module.entry_point);
}

}  // namespace tritonrl::teacher
