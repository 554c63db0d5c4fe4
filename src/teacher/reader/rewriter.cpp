#include "teacher/reader/rewriter.h"

#include <algorithm>

#include "syntax/unparse.h"

namespace tritonrl::teacher {

using syntax::SyntaxNode;

namespace {

constexpr std::size_t kUsualSolution = 6000;

bool is_import(const SyntaxNode& statement) {
  return statement.is("Import") || statement.is("ImportFrom");
}

bool makes_inputs(const SyntaxNode& statement) {
  return statement.is("FunctionDef") &&
         (statement.text("name") == "get_inputs" || statement.text("name") == "get_init_inputs");
}

bool is_definition(const SyntaxNode& statement) {
  return statement.is("FunctionDef") || statement.is("ClassDef") || statement.is("AsyncFunctionDef");
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

// A few dozen names at most: looking through them is faster than hashing.
class NameViews {
 public:
  bool contains(std::string_view name) const { return std::find(names_.begin(), names_.end(), name) != names_.end(); }
  void insert(std::string_view name) {
    if (!contains(name)) names_.push_back(name);
  }

 private:
  std::vector<std::string_view> names_;
};

// Adds the names that the statement reads from outside it: those of functions' parameters and variables are their own.
void add_free_names(const SyntaxNode& node, const NameViews& own, NameViews& out, bool inside = false) {
  if (node.is("Name")) {
    if (!own.contains(node.text("id"))) out.insert(node.text("id"));
    return;
  }
  if (!inside && (node.is("FunctionDef") || node.is("Lambda"))) {
    NameViews more = own;
    walk(node, [&](const SyntaxNode& each) {
      if (each.is("arg")) more.insert(each.text("arg"));
      const bool stored = each.is("Name") && each.node("ctx") != nullptr && each.node("ctx")->is("Store");
      if (stored) more.insert(each.text("id"));
    });
    return add_free_names(node, more, out, true);
  }
  for (const auto& [name, value] : node.fields) {
    if (const auto* child = std::get_if<const SyntaxNode*>(&value)) {
      if (*child != nullptr) add_free_names(**child, own, out);
    } else if (const auto* children = std::get_if<std::vector<const SyntaxNode*>>(&value)) {
      for (const SyntaxNode* each : *children) {
        if (each != nullptr) add_free_names(*each, own, out);
      }
    }
  }
}

}  // namespace

Rewriter::Rewriter(const SyntaxNode& module, const Facts& facts, const Imports& imports, std::string_view entry_point,
                   const RewriteOptions& options)
    : module_(module),
      facts_(facts),
      entry_point_(entry_point),
      options_(options),
      imports_(imports),
      context_{facts, imports, options} {
  context_.module = &module;
}

std::string Rewriter::fresh_name(const std::string& stem, int& number) const {
  std::string name;
  do {
    name = stem + std::to_string(++number);
  } while (imports_.has_identifier(name) || std::any_of(class_names_.begin(), class_names_.end(),
                                                        [&](const auto& each) { return each.second == name; }));
  return name;
}

std::optional<int> Rewriter::add_kernel(const RegionText& text, const std::string& plan, const Graph& graph, int line) {
  std::string all;
  std::size_t size = text.host.size();
  for (const std::string& kernel : text.kernels) size += kernel.size() + 1;
  all.reserve(size);
  for (const std::string& kernel : text.kernels) (all += kernel) += '\n';
  all += text.host;
  if (const auto known = numbers_.find(all); known != numbers_.end()) {
    RegionReport& first = regions_[static_cast<std::size_t>(known->second) - 1];
    if (plan != first.plan && std::ranges::find(first.also, plan) == first.also.end()) first.also.push_back(plan);
    return known->second;
  }
  if (options_.policy != KernelPolicy::kStrict && static_cast<int>(kernels_.size()) >= options_.most_kernels)
    return std::nullopt;
  const int number = static_cast<int>(kernels_.size()) + 1;
  const std::string digits = std::to_string(number);
  if (imports_.has_identifier("fused" + digits) || imports_.has_identifier("kernel" + digits)) {
    return std::nullopt;  // the text has such a name itself
  }
  numbers_[all] = number;
  replace_all(all, "KERNEL", "kernel" + digits);
  replace_all(all, "FUSED", "fused" + digits);
  std::string told = ": " + plan;
  if (options_.plan == PlanForm::kLines) {
    told = "\n" + plan;
    replace_all(told, "\n", "\n#   ");
  }
  kernels_.push_back(
      {std::move(all), "# fused" + digits + " " + text.kind + told + "\n", text.libdevice, text.multiply});
  regions_.push_back({text.kind, graph.operators, line, text.variant, plan, {}, text.taken});
  return number;
}

// What the solution needs of the text: not the inputs, nor constants that only they need.
Rewriter::Nodes Rewriter::kept_statements(const Nodes& statements) const {
  std::vector<bool> kept(statements.size(), false);
  NameViews read;
  const auto keep = [&](std::size_t i) {
    kept[i] = true;
    add_free_names(*statements[i], {}, read);
  };
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (is_import(*statements[i]) || (is_definition(*statements[i]) && !makes_inputs(*statements[i]))) keep(i);
  }
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      const SyntaxNode& statement = *statements[i];
      if (kept[i] || makes_inputs(statement)) continue;
      bool main = false, assigns = false, other = statement.is("Expr");
      walk(statement, [&](const SyntaxNode& node) {
        if (node.is("alias")) {  // try: from apex import LayerNorm
          const std::string_view other = node.text("asname"), name = node.text("name");
          assigns = assigns || read.contains(other.empty() ? name.substr(0, name.find('.')) : other);
        }
        if (!node.is("Name")) return;
        main = main || node.text("id") == "__name__";
        const SyntaxNode* context = node.node("ctx");
        assigns = assigns || (context != nullptr && context->is("Store") && read.contains(node.text("id")));
        other = other || (statement.is("Expr") && read.contains(node.text("id")));
      });
      if (main || !assigns) continue;
      keep(i);
      more = true;
    }
  }
  Nodes out;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (kept[i]) out.push_back(statements[i]);
  }
  return out;
}

std::string Rewriter::solution(const Nodes& statements) const {
  std::string out;
  out.reserve(kUsualSolution);
  bool libdevice = false, multiply = false;
  for (const Kernel& kernel : kernels_) {
    out += kernel.plan;
    libdevice = libdevice || kernel.libdevice;
    multiply = multiply || kernel.multiply;
  }
  for (const Node statement : statements) {
    if (!is_import(*statement)) continue;
    syntax::unparse_to(*statement, out);
    out += '\n';
  }
  out += "import triton\nimport triton.language as tl\n";
  if (libdevice) out += "from triton.language.extra import libdevice\n";
  if (multiply) out += "\n@triton.jit\ndef multiply(a, b):\n    return a * b\n";
  for (const Kernel& kernel : kernels_) (out += '\n') += kernel.text;
  for (const std::string& each : classes_) (out += '\n') += each;
  for (const Node statement : statements) {
    if (is_import(*statement)) continue;
    if (is_definition(*statement)) out += "\n";
    syntax::unparse_to(*statement, out);
    out += '\n';
  }
  return out;
}

std::optional<Rewritten> Rewriter::run(std::string* why, bool complete) {
  complete_ = complete;
  Nodes statements;
  for (const Node statement : kept_statements(module_.nodes("body"))) {
    if (statement->is("FunctionDef")) {
      statements.push_back(function(*statement));
      continue;
    }
    if (!statement->is("ClassDef")) {
      statements.push_back(statement);
      continue;
    }
    SyntaxNode& copy = arena_.copy(*statement);
    for (auto& [name, value] : copy.fields) {
      if (name == "name" && statement->text("name") == entry_point_) value = std::string("ModelNew");
      if (name != "body") continue;
      Nodes body;
      for (const Node member : std::get<Nodes>(value)) {
        if (!member->is("FunctionDef")) {
          body.push_back(member);
        } else if (member->text("name") == "__init__") {
          body.push_back(member);
        } else {
          const bool asked_for = statement->text("name") == entry_point_ && member->text("name") == "forward";
          body.push_back(function(*member, !asked_for));
        }
      }
      value = body;
    }
    statements.push_back(&copy);
  }
  for (Node& statement : statements) {
    if (statement->is("ClassDef") || statement->is("FunctionDef")) statement = with_modules(statement, false);
  }
  if (gives_up()) return std::nullopt;
  if (kernels_.empty()) {
    if (why != nullptr) *why = "no operator of the table was found";
    return std::nullopt;
  }
  // The class has another name now, wherever it is named.
  for (Node& statement : statements) statement = renamed(statement);
  Rewritten out;
  out.solution = solution(statements);
  for (const Kernel& kernel : kernels_) out.plan += kernel.plan;
  out.regions = std::move(regions_);
  out.left_in_torch = left_in_torch_;
  return out;
}

// Names of the entry point inside it: super(Model, self).
Rewriter::Node Rewriter::renamed(Node node) {
  if (node == nullptr) return node;
  if (node->is("Name")) return node->text("id") == entry_point_ ? arena_.name("ModelNew") : node;
  return with_children(node, [&](std::string_view, Node child) { return renamed(child); });
}

std::optional<Rewritten> rewrite(const SyntaxNode& module, const Facts& facts, std::string_view entry_point,
                                 const RewriteOptions& options, std::string* why) {
  const Imports imports(module);
  const auto write = [&](KernelPolicy policy, bool complete) {
    RewriteOptions chosen = options;
    chosen.policy = policy;
    return Rewriter(module, facts, imports, entry_point, chosen).run(why, complete);
  };
  const bool partly = !options.left_out.empty() || options.regions != nullptr;
  if (options.policy == KernelPolicy::kStrict && !partly) {
    if (std::optional<Rewritten> answer = write(KernelPolicy::kStrict, true)) return answer;
  }
  std::optional<Rewritten> answer = write(partly ? options.policy : KernelPolicy::kKernelBench, false);
  if (!answer) answer = write(KernelPolicy::kStrict, false);  // nothing but heavy operators: they are written then
  const bool whole = partly && options.policy == KernelPolicy::kStrict && answer && answer->left_in_torch == 0;
  if (answer) answer->policy = whole ? KernelPolicy::kStrict : KernelPolicy::kKernelBench;
  return answer;
}

}  // namespace tritonrl::teacher
