#include "optimize/knobs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "syntax/parse.h"
#include "teacher/reader/imports.h"

namespace tritonrl::optimize {
namespace {

using syntax::SyntaxNode;
using teacher::walk;

constexpr std::int64_t kLeastBlock = 16, kLargestBlock = 65536;
constexpr std::int64_t kUsualWarps = 4, kUsualStages = 3;  // Triton's own, where a launch does not say
constexpr std::int64_t kMostWarps = 32, kMostStages = 5;

// Where each line of a text begins.
class Lines {
 public:
  explicit Lines(std::string_view text) : starts_{0} {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }
  std::size_t at(int line, int column) const {
    return starts_[static_cast<std::size_t>(line - 1)] + static_cast<std::size_t>(column);
  }
  Knob::Place place(const SyntaxNode& node) const {
    return {at(node.line, node.column), at(node.end_line, node.end_column)};
  }

 private:
  std::vector<std::size_t> starts_;
};

std::optional<std::int64_t> whole_of(const SyntaxNode& node) {
  const syntax::SyntaxValue* value = node.is("Constant") ? node.field("value") : nullptr;
  const auto* number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

bool is_block(std::int64_t value) {
  return value >= kLeastBlock && value <= kLargestBlock && (value & (value - 1)) == 0;
}

bool in_capitals(std::string_view name) {
  return std::any_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; }) &&
         std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

bool ends_with_name(const SyntaxNode& node, std::string_view name) {
  return node.is("Attribute") ? node.text("attr") == name : node.is("Name") && node.text("id") == name;
}

bool is_jit(const SyntaxNode& function) {
  return std::any_of(function.nodes("decorator_list").begin(), function.nodes("decorator_list").end(),
                     [](const SyntaxNode* decorator) {
                       const SyntaxNode& name = decorator->is("Call") ? *decorator->node("func") : *decorator;
                       return ends_with_name(name, "jit");
                     });
}

// Parameters of a kernel by place, and whether each is a `tl.constexpr`.
using Parameters = std::vector<std::pair<std::string_view, bool>>;

Parameters parameters_of(const SyntaxNode& function) {
  Parameters out;
  for (const SyntaxNode* parameter : function.node("args")->nodes("args")) {
    const SyntaxNode* annotation = parameter->node("annotation");
    out.emplace_back(parameter->text("arg"), annotation != nullptr && ends_with_name(*annotation, "constexpr"));
  }
  return out;
}

// All knobs of one function that launches kernels.
class FunctionKnobs {
 public:
  FunctionKnobs(const Lines& lines, const std::map<std::string_view, Parameters>& kernels)
      : lines_(lines), kernels_(kernels) {}

  std::vector<Knob> find(const SyntaxNode& function) {
    walk(function, [&](const SyntaxNode& node) {
      if (const Parameters* kernel = launched(node)) add_launch(node, *kernel);
      if (node.is("Assign")) add_assigned(node);
    });
    if (!launches_) return {};
    // A grid says the block's size once more.
    walk(function, [&](const SyntaxNode& node) {
      if (!node.is("Call") || !ends_with_name(*node.node("func"), "cdiv") || node.nodes("args").size() != 2) return;
      const SyntaxNode& divisor = *node.nodes("args")[1];
      const std::optional<std::int64_t> value = whole_of(divisor);
      if (!value) return;
      for (Knob& knob : knobs_) {
        if (knob.value == *value && blocks_.contains(knob.name)) return add_place(knob, divisor);
      }
    });
    return std::move(knobs_);
  }

 private:
  const Parameters* launched(const SyntaxNode& node) const {
    if (!node.is("Call") || !node.node("func")->is("Subscript")) return nullptr;
    const SyntaxNode& kernel = *node.node("func")->node("value");
    const auto found = kernel.is("Name") ? kernels_.find(kernel.text("id")) : kernels_.end();
    return found == kernels_.end() ? nullptr : &found->second;
  }

  void add_launch(const SyntaxNode& call, const Parameters& kernel) {
    launches_ = true;
    const auto& given = call.nodes("args");
    for (std::size_t i = 0; i < given.size() && i < kernel.size(); ++i) {
      if (kernel[i].second) add_blocks(kernel[i].first, *given[i]);
    }
    std::set<std::string_view> named;
    for (const SyntaxNode* keyword : call.nodes("keywords")) {
      const std::string_view name = keyword->text("arg");
      named.insert(name);
      const SyntaxNode& value = *keyword->node("value");
      if (name == "num_warps" || name == "num_stages") {
        if (const std::optional<std::int64_t> number = whole_of(value)) add(name, *number, lines_.place(value));
        continue;
      }
      const auto parameter =
          std::find_if(kernel.begin(), kernel.end(), [&](const auto& one) { return one.first == name; });
      if (parameter != kernel.end() && parameter->second) add_blocks(name, value);
    }
    if (named.contains("")) return;                                         // **options may hold them
    const std::size_t end = lines_.at(call.end_line, call.end_column) - 1;  // before the bracket
    if (!named.contains("num_warps")) add("num_warps", kUsualWarps, {end, end});
    if (!named.contains("num_stages")) add("num_stages", kUsualStages, {end, end});
  }

  // BLOCK = 256; BM, BN = (64, 32)
  void add_assigned(const SyntaxNode& statement) {
    const SyntaxNode& target = *statement.nodes("targets")[0];
    const SyntaxNode& value = *statement.node("value");
    if (target.is("Name") && in_capitals(target.text("id"))) return add_blocks(target.text("id"), value);
    if (!target.is("Tuple") || !value.is("Tuple") || target.nodes("elts").size() != value.nodes("elts").size()) return;
    for (std::size_t i = 0; i < value.nodes("elts").size(); ++i) {
      const SyntaxNode& name = *target.nodes("elts")[i];
      if (name.is("Name") && in_capitals(name.text("id"))) add_blocks(name.text("id"), *value.nodes("elts")[i]);
    }
  }

  // The literals in an expression for a size: 1024 of min(1024, triton.next_power_of_2(n)).
  void add_blocks(std::string_view name, const SyntaxNode& value) {
    walk(value, [&](const SyntaxNode& node) {
      const std::optional<std::int64_t> number = whole_of(node);
      if (!number || !is_block(*number)) return;
      blocks_.insert(std::string(name));
      add(name, *number, lines_.place(node));
    });
  }

  void add(std::string_view name, std::int64_t value, Knob::Place place) {
    for (Knob& knob : knobs_) {
      const bool several = name != "num_warps" && name != "num_stages";
      if (several && knob.name == name && knob.value == value) {
        if (std::find(knob.places.begin(), knob.places.end(), place) == knob.places.end()) knob.places.push_back(place);
        return;
      }
    }
    knobs_.push_back({.name = std::string(name), .value = value, .places = {place}});
  }

  void add_place(Knob& knob, const SyntaxNode& node) {
    const Knob::Place place = lines_.place(node);
    if (std::find(knob.places.begin(), knob.places.end(), place) == knob.places.end()) knob.places.push_back(place);
  }

  const Lines& lines_;
  const std::map<std::string_view, Parameters>& kernels_;
  std::vector<Knob> knobs_;
  std::set<std::string, std::less<>> blocks_;  // names of those that are sizes
  bool launches_ = false;
};

bool is_block_knob(const Knob& knob) {
  return knob.name != "num_warps" && knob.name != "num_stages" && !knob.name.ends_with(" num_warps") &&
         !knob.name.ends_with(" num_stages");
}

// Numbers of several functions that are called alike and are equal: they change together first, since such kernels are
// alike.
void add_joint(std::vector<Knob>& joints, const Knob& knob) {
  for (Knob& joint : joints) {
    if (joint.name != knob.name || joint.value != knob.value) continue;
    joint.places.insert(joint.places.end(), knob.places.begin(), knob.places.end());
    ++joint.functions;
    return;
  }
  joints.push_back(knob);
}

// Sizes move more than warps, and warps more than stages; of one kind the groups take turns.
std::vector<Knob> in_order(std::vector<std::vector<Knob>> groups) {
  const auto rank = [](const Knob& knob) { return is_block_knob(knob) ? 0 : knob.name.ends_with("num_warps") ? 1 : 2; };
  std::vector<std::pair<std::pair<int, std::size_t>, Knob>> ranked;
  for (std::vector<Knob>& group : groups) {
    std::map<int, std::size_t> turn;
    for (Knob& knob : group) {
      const int kind = rank(knob);
      ranked.emplace_back(std::pair(kind, turn[kind]++), std::move(knob));
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Knob> out;
  for (auto& [place, knob] : ranked) out.push_back(std::move(knob));
  return out;
}

}  // namespace

std::vector<Knob> find_knobs(const std::string& text) {
  syntax::SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(text, arena);
  if (parsed.module == nullptr) return {};
  const Lines lines(text);
  std::map<std::string_view, Parameters> kernels;
  walk(*parsed.module, [&](const SyntaxNode& node) {
    if (node.is("FunctionDef") && is_jit(node)) kernels.emplace(node.text("name"), parameters_of(node));
  });
  std::vector<std::pair<std::string, std::vector<Knob>>> functions;
  walk(*parsed.module, [&](const SyntaxNode& node) {
    if (!node.is("FunctionDef") || is_jit(node)) return;
    std::vector<Knob> knobs = FunctionKnobs(lines, kernels).find(node);
    if (!knobs.empty()) functions.emplace_back(node.text("name"), std::move(knobs));
  });
  if (functions.size() == 1) return in_order({std::move(functions[0].second)});
  std::vector<std::vector<Knob>> groups(1);
  for (auto& [function, knobs] : functions) {
    for (Knob& knob : knobs) {
      add_joint(groups[0], knob);
      knob.name = function + " " + knob.name;
    }
    groups.push_back(std::move(knobs));
  }
  std::erase_if(groups[0], [](const Knob& joint) { return joint.functions < 2; });
  return in_order(std::move(groups));
}

std::vector<std::int64_t> neighbours(const Knob& knob) {
  std::vector<std::int64_t> out;
  const bool stages = knob.name.ends_with("num_stages");
  const std::int64_t least = is_block_knob(knob) ? kLeastBlock : 1;
  const std::int64_t most = is_block_knob(knob) ? kLargestBlock : stages ? kMostStages : kMostWarps;
  for (const std::int64_t value :
       {stages ? knob.value + 1 : knob.value * 2, stages ? knob.value - 1 : knob.value / 2}) {
    if (value >= least && value <= most && value != knob.value) out.push_back(value);
  }
  return out;
}

std::string with_value(const std::string& text, const Knob& knob, std::int64_t value) {
  std::vector<Knob::Place> places = knob.places;
  std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.begin > b.begin; });
  std::string out = text;
  const std::string name = knob.name.substr(knob.name.rfind(' ') + 1);
  for (const Knob::Place& place : places) {
    const bool missing = place.begin == place.end;
    out.replace(place.begin, place.end - place.begin, (missing ? ", " + name + "=" : "") + std::to_string(value));
  }
  return out;
}

}  // namespace tritonrl::optimize
