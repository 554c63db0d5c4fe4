#include "teacher/families/usual_form.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "teacher/reader/imports.h"

namespace tritonrl::teacher {
namespace {

using syntax::SyntaxArena;
using syntax::SyntaxNode;
using Node = const SyntaxNode*;
using Nodes = std::vector<Node>;

// What torch calls otherwise, as a function and as a method.
std::string_view usual_name(std::string_view name) {
  static constexpr auto kNames = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"absolute", "abs"},       {"arccos", "acos"},    {"arcsin", "asin"},
       {"arctan", "atan"},        {"clip", "clamp"},     {"concat", "cat"},
       {"concatenate", "cat"},    {"divide", "div"},     {"greater", "gt"},
       {"greater_equal", "ge"},   {"less", "lt"},        {"less_equal", "le"},
       {"moveaxis", "movedim"},   {"multiply", "mul"},   {"negative", "neg"},
       {"not_equal", "ne"},       {"subtract", "sub"},   {"swapaxes", "transpose"},
       {"swapdims", "transpose"}, {"true_divide", "div"}});
  const auto found = std::ranges::find(kNames, name, [](const auto& one) { return one.first; });
  return found == kNames.end() ? name : found->second;
}

bool binds_names(const SyntaxNode& node) {
  static constexpr auto kKinds = std::to_array<std::string_view>(
      {"Lambda", "ListComp", "SetComp", "DictComp", "GeneratorExp", "NamedExpr", "Yield", "YieldFrom", "Await"});
  bool found = false;
  walk(node, [&](const SyntaxNode& part) {
    found = found || std::ranges::any_of(kKinds, [&](std::string_view kind) { return part.is(kind); });
  });
  return found;
}

// May be written twice: it computes nothing.
bool is_simple(const SyntaxNode& node) {
  if (node.is("Attribute")) return is_simple(*node.node("value"));
  return node.is("Name") || node.is("Constant");
}

// A function of one expression.
struct Formula {
  std::vector<std::string_view> parameters;
  Node body = nullptr;
};

std::optional<std::vector<std::string_view>> plain_parameters(const SyntaxNode& arguments) {
  if (arguments.node("vararg") != nullptr || arguments.node("kwarg") != nullptr) return std::nullopt;
  for (const char* kind : {"posonlyargs", "kwonlyargs", "defaults"}) {
    if (!arguments.nodes(kind).empty()) return std::nullopt;
  }
  std::vector<std::string_view> out;
  for (const Node one : arguments.nodes("args")) out.push_back(one->text("arg"));
  return out;
}

// `f = lambda x: …` or `def f(x): return …`.
std::optional<std::pair<std::string_view, Formula>> formula_of(const SyntaxNode& statement) {
  Node arguments = nullptr, body = nullptr;
  std::string_view name;
  if (statement.is("Assign") && statement.nodes("targets").size() == 1 && statement.nodes("targets")[0]->is("Name") &&
      statement.node("value")->is("Lambda")) {
    name = statement.nodes("targets")[0]->text("id");
    arguments = statement.node("value")->node("args");
    body = statement.node("value")->node("body");
  } else if (statement.is("FunctionDef") && statement.nodes("decorator_list").empty() &&
             statement.nodes("body").size() == 1 && statement.nodes("body")[0]->is("Return")) {
    name = statement.text("name");
    arguments = statement.node("args");
    body = statement.nodes("body")[0]->node("value");
  }
  if (body == nullptr || binds_names(*body)) return std::nullopt;
  const auto parameters = plain_parameters(*arguments);
  if (!parameters) return std::nullopt;
  return std::pair(name, Formula{*parameters, body});
}

class UsualForm {
 public:
  UsualForm(const SyntaxNode& module, SyntaxArena& arena) : imports_(module), arena_(arena) {
    for (const Node statement : module.nodes("body")) {
      for (const Node alias : statement->is("Import") ? statement->nodes("names") : Nodes()) {
        const std::string_view name = alias->text("name");
        has_torch_ = has_torch_ || (alias->text("asname").empty() && (name == "torch" || name.starts_with("torch.")));
      }
    }
    walk(module, [&](const SyntaxNode& node) {
      if (node.is("ImportFrom")) has_numpy_ = has_numpy_ || node.text("module").starts_with("numpy");
      if (node.is("ClassDef")) {
        for (const Node member : node.nodes("body")) {
          for (const Node target : member->is("Assign") ? member->nodes("targets") : Nodes())
            if (target->is("Name")) own_.insert(target->text("id"));
        }
      }
      const bool stores = node.node("ctx") != nullptr && node.node("ctx")->is("Store");
      if (node.is("FunctionDef")) own_.insert(node.text("name"));
      if (node.is("Attribute") && stores) own_.insert(node.text("attr"));
      if (node.is("alias")) has_numpy_ = has_numpy_ || node.text("name").starts_with("numpy");
    });
  }

  Node usual(const SyntaxNode& node) {
    if (node.fields.empty()) return &node;
    SyntaxNode& out = arena_.copy(node);
    const bool function = node.is("FunctionDef");
    const std::map<std::string_view, Formula> outer = formulas_;
    if (function) {
      formulas_.clear();
      find_formulas(node);
    }
    for (auto& [field, value] : out.fields) {
      if (auto* child = std::get_if<Node>(&value)) {
        if (*child != nullptr) *child = usual(**child);
      } else if (auto* children = std::get_if<Nodes>(&value)) {
        Nodes made;
        for (const Node each : *children) {
          if (each != nullptr && is_written_where_called(*each)) continue;
          made.push_back(each == nullptr ? nullptr : statement(usual(*each)));
        }
        *children = std::move(made);
      }
    }
    if (function) formulas_ = outer;
    return node.is("Call") ? call(out) : &out;
  }

 private:
  // Functions inside this one that are only called, with arguments that may be written twice.
  void find_formulas(const SyntaxNode& function) {
    std::set<std::string_view> names;
    for (const Node one : function.nodes("body")) {
      if (const auto found = formula_of(*one)) names.insert(found->first);
    }
    for (const Node one : function.nodes("body")) {
      const auto found = formula_of(*one);
      if (!found || mentions(*found->second.body, names)) continue;  // which may have no end
      int stores = 0, uses = 0;
      walk(function, [&](const SyntaxNode& part) {
        const bool named = part.is("Name") && part.text("id") == found->first;
        if (named) ++(part.node("ctx") != nullptr && part.node("ctx")->is("Store") ? stores : uses);
        stores += part.is("FunctionDef") && part.text("name") == found->first;
        stores += part.is("arg") && part.text("arg") == found->first;
        stores += 2 * (part.is("Global") || part.is("Nonlocal"));
      });
      int calls = 0;
      for (const Node each : function.nodes("body")) calls += calls_of(found->first, found->second, *each);
      if (stores == 1 && uses == calls) formulas_[found->first] = found->second, hidden_.insert(one);
    }
  }

  // Where its names mean what they mean in the function itself.
  static int calls_of(std::string_view name, const Formula& formula, const SyntaxNode& node) {
    static constexpr auto kOwnNames = std::to_array<std::string_view>(
        {"FunctionDef", "AsyncFunctionDef", "ClassDef", "Lambda", "ListComp", "SetComp", "DictComp", "GeneratorExp"});
    if (std::ranges::any_of(kOwnNames, [&](std::string_view kind) { return node.is(kind); })) return 0;
    int found = node.is("Call") && node.node("func")->is("Name") && node.node("func")->text("id") == name &&
                fits(node, formula);
    for (const auto& [field, value] : node.fields) {
      if (const auto* child = std::get_if<Node>(&value); child != nullptr && *child != nullptr)
        found += calls_of(name, formula, **child);
      if (const auto* children = std::get_if<Nodes>(&value)) {
        for (const Node each : *children) found += each == nullptr ? 0 : calls_of(name, formula, *each);
      }
    }
    return found;
  }

  static bool mentions(const SyntaxNode& body, const std::set<std::string_view>& names) {
    bool found = false;
    walk(body, [&](const SyntaxNode& part) { found = found || (part.is("Name") && names.contains(part.text("id"))); });
    return found;
  }

  static bool fits(const SyntaxNode& call, const Formula& formula) {
    const Nodes& arguments = call.nodes("args");
    return call.nodes("keywords").empty() && arguments.size() == formula.parameters.size() &&
           std::ranges::all_of(arguments, [](const Node one) { return is_simple(*one); });
  }

  bool is_written_where_called(const SyntaxNode& node) const { return hidden_.contains(&node); }

  // y = a if c else b
  Node statement(Node node) {
    const bool assigns = node->is("Assign") && node->nodes("targets").size() == 1;
    if (!assigns && !node->is("Return")) return node;
    const Node value = node->node("value");
    if (value == nullptr || !value->is("IfExp")) return node;
    const auto with = [&](Node part) -> Nodes {
      SyntaxNode& one = arena_.copy(*node);
      for (auto& [field, child] : one.fields) {
        if (field == "value") child = part;
      }
      return {statement(&one)};
    };
    return arena_.filled("If", "test", value->node("test"), "body", with(value->node("body")), "orelse",
                         with(value->node("orelse")));
  }

  Node call(const SyntaxNode& node) {
    const Node callee = node.node("func");
    if (callee->is("Name")) {
      const auto formula = formulas_.find(callee->text("id"));
      if (formula != formulas_.end()) return written_out(formula->second, node.nodes("args"));
    }
    if (!callee->is("Attribute")) return &node;
    const std::string path = imports_.path_of(callee);
    const bool function = path.starts_with("torch.") && path.find('.', 6) == std::string::npos;
    const bool functional = path.starts_with("torch.nn.functional.");
    if (!path.empty() && !function && !functional) return &node;
    const std::string_view name = callee->text("attr");
    // a method of a value that may be no tensor
    if (path.empty() && (has_numpy_ || own_.contains(name))) return &node;
    const bool by_place = !name.starts_with("swap") || node.nodes("keywords").empty();
    const std::string_view usual = by_place ? usual_name(name) : name;
    SyntaxNode& out = arena_.copy(node);
    if (functional && imports_.path_of(callee->node("value")->node("value")) == "torch.nn" && has_torch_)
      set(out, "func", arena_.attribute(arena_.dotted("torch.nn.functional"), name));
    if (!path.empty()) first_by_position(out);
    if (functional) return &out;
    if (usual != name) set(out, "func", arena_.attribute(callee->node("value"), usual));
    if (name == "clamp_min" || name == "clamp_max") return clamp(out, name.substr(6), function);
    if (name == "addcmul" || name == "addcdiv") return add_product(out, name == "addcmul" ? "Mult" : "Div", function);
    return &out;
  }

  static void set(SyntaxNode& node, std::string_view field, syntax::SyntaxValue value) {
    for (auto& [name, held] : node.fields) {
      if (name != field) continue;
      held = std::move(value);
      return;
    }
  }

  // relu(input=x)
  static void first_by_position(SyntaxNode& call) {
    const Nodes keywords = call.nodes("keywords");
    if (!call.nodes("args").empty() || keywords.empty() || keywords[0]->text("arg") != "input") return;
    set(call, "args", Nodes{keywords[0]->node("value")});
    set(call, "keywords", Nodes(keywords.begin() + 1, keywords.end()));
  }

  // x.clamp_min(a): x.clamp(min=a)
  Node clamp(SyntaxNode& call, std::string_view bound, bool function) {
    Nodes arguments = call.nodes("args");
    if (arguments.size() != (function ? 2U : 1U) || !call.nodes("keywords").empty()) return &call;
    const Node value = arguments.back();
    arguments.pop_back();
    return arena_.call(arena_.attribute(call.node("func")->node("value"), "clamp"), std::move(arguments),
                       {{bound, value}});
  }

  // torch.addcmul(x, a, b, value=v): x + v * (a * b)
  Node add_product(SyntaxNode& call, std::string_view op, bool function) {
    Nodes operands = call.nodes("args");
    if (!function) operands.insert(operands.begin(), call.node("func")->node("value"));
    const Nodes& keywords = call.nodes("keywords");
    const bool scaled = keywords.size() == 1 && keywords[0]->text("arg") == "value";
    if (operands.size() != 3 || (!keywords.empty() && !scaled)) return &call;
    Node product = arena_.binary(operands[1], op, operands[2]);
    if (scaled) product = arena_.binary(keywords[0]->node("value"), "Mult", product);
    return arena_.binary(operands[0], "Add", product);
  }

  Node written_out(const Formula& formula, const Nodes& arguments) {
    std::map<std::string_view, Node> given;
    for (std::size_t i = 0; i < arguments.size(); ++i) given[formula.parameters[i]] = arguments[i];
    return usual(*put(*formula.body, given));
  }
  Node put(const SyntaxNode& node, const std::map<std::string_view, Node>& given) {
    if (node.is("Name")) {
      const auto found = given.find(node.text("id"));
      if (found != given.end()) return found->second;
    }
    if (node.fields.empty()) return &node;
    SyntaxNode& out = arena_.copy(node);
    for (auto& [field, value] : out.fields) {
      if (auto* child = std::get_if<Node>(&value)) {
        if (*child != nullptr) *child = put(**child, given);
      } else if (auto* children = std::get_if<Nodes>(&value)) {
        for (Node& each : *children) {
          if (each != nullptr) each = put(*each, given);
        }
      }
    }
    return &out;
  }

  const Imports imports_;
  bool has_torch_ = false, has_numpy_ = false;
  std::set<std::string_view> own_;  // methods and attributes of the file's own
  SyntaxArena& arena_;
  std::map<std::string_view, Formula> formulas_;  // of the function that is being said
  std::set<Node> hidden_;                         // their definitions
};

}  // namespace

const SyntaxNode* usual_form(const SyntaxNode& module, SyntaxArena& arena) {
  return UsualForm(module, arena).usual(module);
}

}  // namespace tritonrl::teacher
