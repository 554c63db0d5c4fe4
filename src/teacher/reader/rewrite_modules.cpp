#include <algorithm>
#include <array>

#include "syntax/unparse.h"
#include "teacher/reader/rewriter.h"

namespace tritonrl::teacher {

using syntax::same_word;
using syntax::SyntaxNode;

namespace {

std::int64_t whole(const Fact& module, std::string_view name, std::int64_t otherwise) {
  const Fact* fact = module.attribute(name);
  return fact != nullptr && fact->kind == Fact::Kind::kInt ? fact->integer : otherwise;
}

// An input that the module takes. What is written for it reads shapes at run time: the rank matters, the sizes do not.
Fact input_of(const Fact& module) {
  const std::string& kind = module.text;
  Shape shape = {2, 3, 4};
  if (kind.starts_with("BatchNorm") || kind.starts_with("InstanceNorm")) {
    shape = {2, whole(module, "num_features", 3)};
    const int dimensions = kind.ends_with("3d") ? 3 : kind.ends_with("2d") ? 2 : kind.starts_with("Batch") ? 0 : 1;
    for (int i = 0; i < dimensions; ++i) shape.push_back(5 + i);
  } else if (kind == "GroupNorm") {
    shape = {2, whole(module, "num_channels", 4), 5, 6};
  } else if (kind == "LayerNorm" || kind == "RMSNorm") {
    shape = {2, 3};
    if (const Fact* sizes = module.attribute("normalized_shape")) {
      for (const Fact& size : sizes->items) shape.push_back(size.integer);
    }
  } else if (kind == "PReLU") {
    const Fact* weight = module.attribute("weight");  // one for each channel, or one for all
    if (weight != nullptr && weight->is_tensor() && weight->shape != Shape{1}) shape = {2, weight->shape[0], 4, 5};
  } else if (kind == "Linear") {
    shape = {2, whole(module, "in_features", 3)};
  } else if (kind.starts_with("Conv") || kind.find("Pool") != std::string::npos) {
    const int dimensions = kind.back() == 'd' ? kind[kind.size() - 2] - '0' : 2;
    shape = {2, whole(module, "in_channels", 3)};
    for (int i = 0; i < dimensions; ++i) shape.push_back(64 + i);
  }
  return Fact::tensor(program::DType::kFloat32, std::move(shape));
}

bool changes_in_place(const Fact* module) {
  const Fact* flag = module == nullptr ? nullptr : module->attribute("inplace");
  return flag != nullptr && flag->kind == Fact::Kind::kBool && flag->integer != 0;
}

}  // namespace

// A layer, rather than something that holds others or does nothing in between.

bool Rewriter::computes_itself(const Fact* module) {
  constexpr std::array<std::string_view, 11> kOthers = {"Sequential",    "ModuleList", "ModuleDict", "ParameterList",
                                                        "ParameterDict", "Identity",   "Dropout",    "Flatten",
                                                        "Unflatten",     "Embedding",  "Parameter"};
  if (module == nullptr || module->kind != Fact::Kind::kModule) return false;
  return std::find(kOthers.begin(), kOthers.end(), module->text) == kOthers.end();
}

int RegionReader::read_module(const Bound& bound, const std::string& operand, const Fact& fact) {
  Bound own = bound;
  own.module = nullptr;  // the module itself: leaves are attributes of self
  Leaf leaf;
  leaf.key = operand;
  leaf.fact = fact;
  if (choose_recipe(own) != nullptr) {
    own_operand_ = graph_.leaf_step(graph_.add_leaf(std::move(leaf)));
    say(own_operand_, operand);
  }
  own_fact_ = fact;
  const int step = read_bound(own, true);
  own_operand_ = -1;
  return step;
}

// A class with a forward of ours for a module that a container calls; empty: there is none.
std::string Rewriter::module_class(const SyntaxNode& constructor) {
  const Fact* module = facts_.of(&constructor);
  if (module == nullptr || module->kind != Fact::Kind::kModule || module->text.empty()) return {};
  const Fact input = input_of(*module);
  const Node operand = arena_.name("x");
  const Node call = arena_.call(&constructor, {operand});
  Facts facts;
  facts.set(&constructor, *module);
  facts.set(operand, input);
  const std::optional<Bound> bound = bind_module(*call, facts);
  if (!bound) return {};
  const std::vector<Fact> results = result_facts(*bound);
  if (results.size() != 1 || !results[0].is_tensor()) return {};
  RegionReader reader(context_);
  const int step = reader.read_module(*bound, "x", input);
  if (step < 0) return {};
  if (!reader.graph().finish({step})) return {};
  const std::string base = syntax::unparse(*constructor.node("func"));
  const Node fused = region_call(std::move(reader.graph()), {{step, results[0].dtype}},
                                 "class " + module->text + ": " + reader.plan_of(step), constructor.line, nullptr);
  if (fused == nullptr) return {};
  const std::string forward = syntax::unparse(*fused);
  const std::string key = base + " " + forward;
  if (const auto found = class_names_.find(key); found != class_names_.end()) return found->second;
  int number = 0;
  const std::string name = fresh_name(module->text, number);
  classes_.push_back("class " + name + "(" + base + "):\n\n    def forward(self, x):\n        return " + forward +
                     "\n");
  class_names_[key] = name;
  return name;
}

// Constructor calls inside other calls and lists (nn.Sequential, ModuleList): their forward is never read, so they get
// a class. nn.ReLU(True) at the beginning changes the tensor of whoever calls the container, so it stays.
Rewriter::Node Rewriter::with_modules(Node node, bool assigned) {
  if (node == nullptr || node->is("Lambda") || node->is("JoinedStr")) return node;
  const bool is_call = node->is("Call");
  const std::string path = is_call ? imports_.path_of(node->node("func")) : std::string();
  const bool is_sequence = path == "torch.nn.Sequential";
  const bool continues = node->is("AugAssign") && node->node("value")->is("List");  // layers += [nn.ReLU(True)]
  if (continues && !node->node("value")->nodes("elts").empty()) {
    SyntaxNode& copy = arena_.copy(*node);
    for (auto& [field, value] : copy.fields) {
      if (field == "value")
        value = with_children(node->node("value"), [&](std::string_view name, Node child) {
          return same_word(name, "ctx") ? child : with_modules(child, false);
        });
    }
    return &copy;
  }
  if (is_sequence || node->is("List") || node->is("FunctionDef")) follows_new_ = false;
  const bool follows_new = follows_new_;
  const Fact* module = is_call ? facts_.of(node) : nullptr;
  if (is_call && !assigned && path.starts_with("torch.nn.")) {
    const std::string name = changes_in_place(module) && !follows_new ? std::string() : module_class(*node);
    if (!name.empty()) {
      SyntaxNode& copy = arena_.copy(*node);
      for (auto& [field, value] : copy.fields) {
        if (field == "func") value = arena_.name(name);
      }
      follows_new_ = true;
      return &copy;
    }
    if (computes_itself(module)) ++left_in_torch_;
  }
  const Node copied = with_children(node, [&](std::string_view name, Node child) {
    const bool kept = same_word(name, "ctx") || same_word(name, "annotation") || same_word(name, "decorator_list") ||
                      (same_word(name, "args") && !is_call) || same_word(name, "returns");
    // self.act = nn.ReLU(): its calls are read where they stand.
    const bool direct = node->is("Assign") && name == "value";
    return kept ? child : with_modules(child, direct || same_word(name, "func"));
  });
  if (module != nullptr && module->kind == Fact::Kind::kModule && !is_sequence) {
    const bool own_class = !path.starts_with("torch.nn.");
    follows_new_ = follows_new || own_class || (computes_itself(module) && !changes_in_place(module));
  }
  return copied;
}

}  // namespace tritonrl::teacher
