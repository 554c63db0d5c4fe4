#include <map>

#include "teacher/reader/region_reader.h"

namespace tritonrl::teacher {

using syntax::SyntaxNode;

namespace {

void count_attributes(const SyntaxNode& node, int by, std::map<std::string_view, int>& out) {
  walk(node, [&](const SyntaxNode& each) {
    const SyntaxNode* context = each.is("Attribute") ? each.node("ctx") : nullptr;
    if (context != nullptr && !context->is("Store")) out[each.text("attr")] += by;
  });
}

bool is_normalisation(const SyntaxNode& node) {
  if (!node.is("Call")) return false;
  const SyntaxNode* callee = node.node("func");
  const std::string_view name = callee->is("Name") ? callee->text("id") : callee->text("attr");
  return name == "batch_norm" || name == "instance_norm";
}

// Attributes that functions read, those of `F.batch_norm(x, self.mean, self.var, training=True)` not counted.
std::set<std::string, std::less<>> attributes_read(const SyntaxNode& module) {
  std::map<std::string_view, int> reads;
  walk(module, [&](const SyntaxNode& node) {
    if (node.is("FunctionDef") && node.text("name") != "__init__") count_attributes(node, 1, reads);
  });
  walk(module, [&](const SyntaxNode& node) {
    if (!is_normalisation(node)) return;
    for (const SyntaxNode* argument : node.nodes("args")) count_attributes(*argument, -1, reads);
    for (const SyntaxNode* keyword : node.nodes("keywords")) count_attributes(*keyword, -1, reads);
  });
  std::set<std::string, std::less<>> out;
  for (const auto& [name, times] : reads) {
    if (times > 0) out.emplace(name);
  }
  return out;
}

}  // namespace

// A normalisation in training mode moves its running statistics, which no kernel of ours does: where the text reads
// them, torch must do it.
bool RegionReader::updates_what_is_read(const Bound& bound) const {
  const Bound::Argument* mean = bound.find("running_mean");
  if (mean == nullptr || !mean->fact.is_tensor() || context_.module == nullptr) return false;
  const Bound::Argument* training = bound.find("training");
  if (training == nullptr) training = bound.find("use_input_stats");
  if (training != nullptr && training->fact.kind == Fact::Kind::kBool && training->fact.constant &&
      training->fact.integer == 0)
    return false;
  if (!context_.read_statistics) context_.read_statistics = attributes_read(*context_.module);
  const auto is_read = [&](std::string_view name) { return context_.read_statistics->contains(name); };
  if (mean->node == nullptr) return is_read("running_mean") || is_read("running_var") || is_read("num_batches_tracked");
  for (const char* parameter : {"running_mean", "running_var"}) {
    const Bound::Argument* argument = bound.find(parameter);
    if (argument == nullptr || argument->node == nullptr) continue;
    bool found = false;
    walk(*argument->node, [&](const SyntaxNode& node) {
      found = found || (node.is("Attribute") && is_read(node.text("attr")));
      // a tensor under a name of its own: somebody else may hold it
      found = found || (node.is("Name") && node.text("id") != "self");
    });
    if (found) return true;
  }
  return false;
}

}  // namespace tritonrl::teacher
