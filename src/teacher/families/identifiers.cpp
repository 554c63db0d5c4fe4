#include "teacher/families/identifiers.h"

#include <algorithm>
#include <array>

#include "teacher/reader/imports.h"

namespace tritonrl::teacher {

using syntax::SyntaxNode;
using syntax::SyntaxValue;

namespace {

bool is_self(const SyntaxNode* node) {
  return node != nullptr && node->is("Name") && node->text("id") == "self";
}

const std::string* text_constant(const SyntaxNode& node) {
  const SyntaxValue* value = node.is("Constant") ? node.field("value") : nullptr;
  return value == nullptr ? nullptr : std::get_if<std::string>(value);
}

bool is_module_class(const SyntaxNode& base) {
  if (base.is("Name")) return base.text("id") == "Module" || base.text("id") == "object";
  return base.is("Attribute") && base.text("attr") == "Module";
}

std::string_view root_of(const SyntaxNode& expression) {
  const SyntaxNode* root = &expression;
  while (root->is("Attribute")) root = root->node("value");
  return root->is("Name") ? root->text("id") : std::string_view();
}

// Functions that give their keywords to another one.
bool hands_on(std::string_view name) {
  return name == "partial" || name == "checkpoint";
}

}  // namespace

bool is_stored(const SyntaxNode& node) {
  return node.node("ctx") != nullptr && node.node("ctx")->is("Store");
}

Identifiers::Identifiers(const SyntaxNode& module, std::string_view entry_point) : entry_point_(entry_point) {
  walk(module, [&](const SyntaxNode& node) {
    if (node.is("FunctionDef") && node.node("args")->node("kwarg") != nullptr) takes_any_keyword_ = true;
  });
  for (const SyntaxNode* statement : module.nodes("body")) {
    if (statement->is("FunctionDef") || statement->is("ClassDef")) own_.insert(statement->text("name"));
    // where a function takes any keyword, a key may be meant for another's
    if (statement->is("FunctionDef") && statement->text("name") == "get_init_inputs" && !takes_any_keyword_)
      find_keys(*statement);
  }
  walk(module, [&](const SyntaxNode& node) {
    if (node.is("Import") || node.is("ImportFrom")) find_imported(node);
    if (const SyntaxNode* text = registered_text(node)) registered_.insert(text);
  });
  walk(module, [&](const SyntaxNode& node) {
    if (node.is("ClassDef")) {
      for (const SyntaxNode* member : node.nodes("body")) {
        if (member->is("FunctionDef")) methods_.insert(member->text("name"));
      }
    }
  });
  walk(module, [&](const SyntaxNode& node) { look(node); });
  for (const SyntaxNode* call : calls_) look_at_keywords(*call);
  if (asked_by_name_ > 0) no_attributes_ = true;
}

bool Identifiers::may_change(std::string_view name) const {
  return may_change(name, NameRole::kAttribute) && !meant_elsewhere_.contains(name) &&
         may_change(name, NameRole::kLocal);
}

bool Identifiers::may_change(std::string_view name, NameRole role) const {
  if (kept_.contains(name) || is_reserved_name(name) || name.starts_with("__") || name == entry_point_) return false;
  if (nothing_ || (no_attributes_ && attributes_.contains(name))) return false;
  if (derives_from_layer_ && methods_.contains(name)) return false;  // torch may call it
  if (role != NameRole::kAttribute && called_.contains(name) && is_builtin_name(name)) return false;
  const bool of_others = others_attributes_.contains(name) || (derives_from_layer_ && is_layer_attribute(name));
  return role == NameRole::kAttribute ? !of_others : !(of_others && of_classes_.contains(name));
}

void Identifiers::define(std::string_view name, NameRole role) {
  all_.insert(name);
  const bool attribute = role == NameRole::kAttribute;
  if ((attribute ? held_ : variables_).insert(name).second) uses_.emplace_back(name, role);
  if (defined_.insert(name).second) order_.emplace_back(name, role);
}

void Identifiers::find_imported(const SyntaxNode& import) {
  for (const SyntaxNode* alias : import.nodes("names")) {
    const std::string_view other = alias->text("asname"), name = alias->text("name");
    const std::string_view bound = !other.empty() ? other : import.is("Import") ? name.substr(0, name.find('.')) : name;
    const std::string_view path = import.is("Import") ? name : import.text("module");
    imported_.insert(bound);
    if (path == "torch" || path.starts_with("torch.")) of_torch_.insert(bound);
  }
}

// getattr(nn, kind), hasattr(self, 'bias'): it reaches none of the attributes whose names are not texts.
bool Identifiers::asks_for_known(const SyntaxNode& call) const {
  constexpr auto kAsk = std::to_array<std::string_view>({"getattr", "setattr", "hasattr", "delattr"});
  const SyntaxNode* callee = call.node("func");
  if (!callee->is("Name") || std::ranges::find(kAsk, callee->text("id")) == kAsk.end()) return false;
  const auto& arguments = call.nodes("args");
  if (arguments.size() < 2) return false;
  return imported_.contains(root_of(*arguments[0])) || text_constant(*arguments[1]) != nullptr;
}

void Identifiers::find_keys(const SyntaxNode& function) {
  walk(function, [&](const SyntaxNode& node) {
    if (!node.is("Dict")) return;
    for (const SyntaxNode* key : node.nodes("keys")) {
      if (key != nullptr && text_constant(*key) != nullptr) keys_.insert(key);
    }
  });
}

void Identifiers::look(const SyntaxNode& node) {
  if (node.is("Name")) {
    const std::string_view id = node.text("id");
    all_.insert(id);
    constexpr auto kLook = std::to_array<std::string_view>({"eval", "exec", "locals", "globals"});
    constexpr auto kAttributes = std::to_array<std::string_view>({"getattr", "setattr", "hasattr", "delattr", "vars"});
    nothing_ = nothing_ || std::ranges::find(kLook, id) != kLook.end();
    asked_by_name_ += std::ranges::find(kAttributes, id) != kAttributes.end();
    if (is_stored(node)) {
      const bool upper = std::ranges::none_of(id, [](char c) { return c >= 'a' && c <= 'z'; }) && id.size() > 1;
      define(id, upper ? NameRole::kConstant : NameRole::kLocal);
    }
  } else if (node.is("Attribute")) {
    const std::string_view name = node.text("attr");
    all_.insert(name);
    attributes_.insert(name);
    if (name == "__dict__") no_attributes_ = true;
    if (!is_self(node.node("value"))) {
      others_attributes_.insert(name);
    } else if (is_stored(node)) {
      define(name, NameRole::kAttribute);
    }
  } else if (node.is("arg")) {
    define(node.text("arg"), NameRole::kArgument);
  } else if (node.is("FunctionDef")) {
    define(node.text("name"), NameRole::kFunction);
  } else if (node.is("ClassDef")) {
    define(node.text("name"), NameRole::kClass);
    for (const SyntaxNode* base : node.nodes("bases")) {
      if (is_module_class(*base) || (base->is("Name") && own_.contains(base->text("id")))) continue;
      if (!of_torch_.contains(root_of(*base))) {
        no_attributes_ = true;
        continue;
      }
      derives_from_layer_ = true;
      for (const SyntaxNode* member : node.nodes("body")) {  // torch may call them, and name their arguments
        if (!member->is("FunctionDef") || member->text("name") == "__init__") continue;
        walk(*member->node("args"), [&](const SyntaxNode& part) {
          if (part.is("arg")) kept_.insert(part.text("arg"));
        });
      }
    }
    for (const SyntaxNode* member : node.nodes("body")) {
      attributes_.insert(member->text("name"));
      of_classes_.insert(member->text("name"));
      if (member->is("FunctionDef") || member->is("ClassDef")) continue;
      walk(*member, [&](const SyntaxNode& part) {
        if (part.is("Name")) of_classes_.insert(part.text("id"));
      });
    }
  } else if (node.is("Call")) {
    calls_.push_back(&node);
    if (node.node("func")->is("Name")) called_.insert(node.node("func")->text("id"));
    asked_by_name_ -= asks_for_known(node);
  } else if (node.is("alias") || node.is("ExceptHandler") || node.is("Global") || node.is("Nonlocal") ||
             node.is("MatchAs") || node.is("MatchStar") || node.is("TypeAlias")) {
    for (const auto& [field, value] : node.fields) {
      if (const auto* text = std::get_if<std::string>(&value)) kept_.insert(*text);
    }
    nothing_ = nothing_ || node.is("Global") || node.is("Nonlocal");
  } else if (const std::string* text = text_constant(node); text != nullptr && !keys_.contains(&node)) {
    if (registered_.contains(&node)) {
      all_.insert(*text);
      attributes_.insert(*text);
      meant_elsewhere_.insert(*text);
      define(*text, NameRole::kAttribute);
    } else {
      kept_.insert(*text);
      for (std::string_view rest = *text; rest.find('.') != std::string_view::npos;) {  // 'conv1.weight'
        kept_.insert(rest.substr(0, rest.find('.')));
        rest.remove_prefix(rest.find('.') + 1);
      }
    }
  }
}

Identifiers::Callee Identifiers::callee_of(const SyntaxNode& call) const {
  const SyntaxNode* callee = call.node("func");
  if (callee->is("Name")) {
    const std::string_view name = callee->text("id");
    if (own_.contains(name)) return Callee::kOwn;
    return imported_.contains(name) && !hands_on(name) ? Callee::kOthers : Callee::kUnknown;
  }
  if (!callee->is("Attribute")) return Callee::kUnknown;
  const std::string_view name = callee->text("attr");
  const SyntaxNode* of = callee->node("value");
  if (is_self(of) && methods_.contains(name) && !held_.contains(name)) return Callee::kOwn;
  // super().__init__: an own class's, or it has no arguments by name
  if (name == "__init__" && of->is("Call")) return no_attributes_ ? Callee::kUnknown : Callee::kOwn;
  if (is_self(of) || hands_on(name) || of_classes_.contains(name)) return Callee::kUnknown;
  if (imported_.contains(root_of(*of))) return Callee::kOthers;
  return methods_.contains(name) || held_.contains(name) ? Callee::kUnknown : Callee::kOthers;
}

void Identifiers::look_at_keywords(const SyntaxNode& call) {
  Callee callee = callee_of(call);
  // it may hand them on, or be its base's
  if (callee == Callee::kOwn && (takes_any_keyword_ || derives_from_layer_ || no_attributes_))
    callee = Callee::kUnknown;
  for (const SyntaxNode* keyword : call.nodes("keywords")) {
    const std::string_view name = keyword->text("arg");
    all_.insert(name);
    if (callee == Callee::kUnknown) kept_.insert(name);
    if (callee != Callee::kOthers) continue;
    others_keywords_.insert(keyword);
    meant_elsewhere_.insert(name);
  }
}

const SyntaxNode* registered_text(const SyntaxNode& call) {
  constexpr auto kNames =
      std::to_array<std::string_view>({"register_buffer", "register_parameter", "add_module", "register_module"});
  if (!call.is("Call") || !call.node("func")->is("Attribute") || call.nodes("args").empty()) return nullptr;
  const SyntaxNode& callee = *call.node("func");
  const bool registers =
      is_self(callee.node("value")) && std::ranges::find(kNames, callee.text("attr")) != kNames.end();
  const SyntaxNode* name = call.nodes("args")[0];
  return registers && text_constant(*name) != nullptr ? name : nullptr;
}

}  // namespace tritonrl::teacher
