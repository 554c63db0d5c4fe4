#include "data/prepare/source_names.h"

#include <algorithm>
#include <string_view>

namespace tritonrl::data {
namespace {

using syntax::SyntaxNode;

template <class Visit>
void each_child(const SyntaxNode& node, const Visit& visit) {
  for (const auto& [name, value] : node.fields) {
    if (const auto* one = std::get_if<const SyntaxNode*>(&value)) {
      if (*one != nullptr) visit(name, **one);
    } else if (const auto* several = std::get_if<std::vector<const SyntaxNode*>>(&value)) {
      for (const SyntaxNode* each : *several) {
        if (each != nullptr) visit(name, *each);
      }
    }
  }
}

// Methods that torch calls: those of nn.Module, of its layers on themselves and of autograd's functions.
bool is_called_by_torch(std::string_view name) {
  static constexpr std::string_view kNames[] = {"_apply",
                                                "_call",
                                                "_check_input_dim",
                                                "_conv_forward",
                                                "_ff_block",
                                                "_inverse",
                                                "_load_from_state_dict",
                                                "_mha_block",
                                                "_output_padding",
                                                "_replicate_for_data_parallel",
                                                "_reset_parameters",
                                                "_sa_block",
                                                "_save_to_state_dict",
                                                "add_module",
                                                "apply",
                                                "backward",
                                                "buffers",
                                                "check_forward_args",
                                                "check_hidden_size",
                                                "check_input",
                                                "children",
                                                "compute_mask",
                                                "cuda",
                                                "default",
                                                "eval",
                                                "extend",
                                                "flatten_parameters",
                                                "float",
                                                "forward",
                                                "get_expected_cell_size",
                                                "get_expected_hidden_size",
                                                "get_extra_state",
                                                "half",
                                                "initialize_parameters",
                                                "jvp",
                                                "keys",
                                                "load_state_dict",
                                                "log_abs_det_jacobian",
                                                "log_prob",
                                                "modules",
                                                "named_buffers",
                                                "named_children",
                                                "named_modules",
                                                "named_parameters",
                                                "parameters",
                                                "permute_hidden",
                                                "register_buffer",
                                                "register_parameter",
                                                "requires_grad_",
                                                "reset_parameters",
                                                "reset_running_stats",
                                                "right_inverse",
                                                "rsample",
                                                "sample",
                                                "set_extra_state",
                                                "setup_context",
                                                "state_dict",
                                                "to",
                                                "train",
                                                "type",
                                                "update"};
  return std::ranges::binary_search(kNames, name);
}

// A decorator that gives the method to nobody else.
bool is_harmless(const SyntaxNode* decorator) {
  static constexpr std::string_view kNames[] = {"abstractmethod", "cached_property", "classmethod", "lru_cache",
                                                "no_grad",        "property",        "staticmethod"};
  const std::string name = dotted_name(decorator->is("Call") ? *decorator->node("func") : *decorator);
  return name.starts_with("torch.") || name.starts_with("functools.") || name.starts_with("abc.") ||
         name.ends_with(".setter") || std::ranges::find(kNames, name) != std::end(kNames);
}

bool is_optional(const SyntaxNode& statement) {
  if (!statement.is("FunctionDef") || !std::ranges::all_of(statement.nodes("decorator_list"), is_harmless))
    return false;
  const std::string_view name = statement.text("name");
  return !(name.starts_with('_') && name.ends_with('_')) && !is_called_by_torch(name);
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// Whether it asks for an attribute whose name it computes.
bool asks_by_computed_name(const SyntaxNode& node) {
  if (!node.is("Call") || !node.node("func")->is("Name") || node.node("func")->text("id") != "getattr") return false;
  return node.nodes("args").size() > 1 && !node.nodes("args")[1]->is("Constant");
}

void read_names(const SyntaxNode& root, ReadNames& out, const std::set<const SyntaxNode*>& but = {}) {
  out.node = &root;
  std::vector<std::pair<const SyntaxNode*, bool>> pending = {{&root, false}};  // with: inside an annotation
  while (!pending.empty()) {
    const auto [node, annotation] = pending.back();
    pending.pop_back();
    if (node->is("Name")) {
      const SyntaxNode* context = node->node("ctx");
      if (context == nullptr || context->is("Load")) {
        (annotation ? out.annotations : out.used).emplace(node->text("id"));
      }
    }
    if (node->is("Attribute")) out.asked.emplace(node->text("attr"));
    if (node->is("Constant") && is_name(node->text("value"))) out.asked.emplace(node->text("value"));
    out.asks_for_any |= asks_by_computed_name(*node);
    each_child(*node, [&, inside = annotation](std::string_view field, const SyntaxNode& child) {
      if (!but.contains(&child)) pending.emplace_back(&child, inside || field == "annotation" || field == "returns");
    });
  }
}

void read_statement(const SyntaxNode& node, TopStatement& out) {
  if (!node.is("ClassDef")) return read_names(node, out);
  std::set<const SyntaxNode*> optional;
  for (const SyntaxNode* member : node.nodes("body")) {
    if (!is_optional(*member)) continue;
    optional.insert(member);
    OptionalMember& added = out.members.emplace_back();
    added.name = member->text("name");
    read_names(*member, added);
    added.asked.insert(added.used.begin(), added.used.end());  // its decorators and defaults
  }
  read_names(node, out, optional);
  out.asked.insert(out.used.begin(), out.used.end());  // inside a class its members are plain names
}

void bind_target(const SyntaxNode& target, std::vector<std::string>& out) {
  if (target.is("Name")) out.emplace_back(target.text("id"));
  for (const SyntaxNode* element : target.nodes("elts")) bind_target(*element, out);
}

void bind(const SyntaxNode& statement, std::vector<std::string>& out) {
  if (statement.is("FunctionDef") || statement.is("ClassDef") || statement.is("AsyncFunctionDef")) {
    out.emplace_back(statement.text("name"));
  } else if (statement.is("Assign")) {
    for (const SyntaxNode* target : statement.nodes("targets")) bind_target(*target, out);
  } else if (statement.is("AnnAssign") || statement.is("AugAssign")) {
    if (const SyntaxNode* target = statement.node("target")) bind_target(*target, out);
  } else if (statement.is("Import") || statement.is("ImportFrom")) {
    for (const SyntaxNode* alias : statement.nodes("names")) {
      const std::string_view other = alias->text("asname"), name = alias->text("name");
      out.emplace_back(!other.empty() ? other : statement.is("Import") ? name.substr(0, name.find('.')) : name);
    }
  } else {  // if, try, with, loops
    for (const char* field : {"body", "orelse", "finalbody"}) {
      for (const SyntaxNode* inner : statement.nodes(field)) bind(*inner, out);
    }
    for (const SyntaxNode* handler : statement.nodes("handlers")) {
      for (const SyntaxNode* inner : handler->nodes("body")) bind(*inner, out);
    }
  }
}

}  // namespace

SourceNames source_names(const SyntaxNode& module) {
  SourceNames out;
  for (const SyntaxNode* node : module.nodes("body")) {
    TopStatement& statement = out.statements.emplace_back();
    bind(*node, statement.bound);
    read_statement(*node, statement);
    for (const std::string& name : statement.bound) out.defined_by[name].push_back(out.statements.size() - 1);
  }
  return out;
}

std::string dotted_name(const SyntaxNode& node) {
  if (node.is("Name")) return std::string(node.text("id"));
  if (!node.is("Attribute") || node.node("value") == nullptr) return "";
  const std::string base = dotted_name(*node.node("value"));
  return base.empty() ? "" : base + "." + std::string(node.text("attr"));
}

}  // namespace tritonrl::data
