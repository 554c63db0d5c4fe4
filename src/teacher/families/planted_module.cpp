#include "teacher/families/planted_module.h"

#include <algorithm>

#include "syntax/unparse.h"
#include "teacher/families/formula.h"
#include "teacher/reader/imports.h"

namespace tritonrl::teacher {
namespace {

using syntax::SyntaxNode;

// A statement behind which a formula can stand, and the tensors of that shape that have names by then.
struct Place {
  const SyntaxNode* statement;
  const Fact* fact;
  std::vector<std::string> others;
};

constexpr std::string_view kLetters = "BCPHW";

bool can_be_planted_on(const Fact* fact) {
  return fact != nullptr && fact->is_tensor() && fact->dtype == program::DType::kFloat32 && !fact->shape.empty() &&
         fact->shape.size() <= kLetters.size() && count(fact->shape) >= 2;
}

// The shape in letters, which have its sizes from here on.
Letters letters_of(const Shape& shape, Sizes& sizes) {
  Letters out;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    out += shape[i] == 1 ? '1' : kLetters[i];
    if (shape[i] != 1) sizes.set(kLetters[i], static_cast<int>(shape[i]));
  }
  return out;
}

// The one name that an assignment gives; empty: another statement.
std::string_view named_by(const SyntaxNode& statement) {
  if (!statement.is("Assign") || statement.nodes("targets").size() != 1) return {};
  const SyntaxNode* target = statement.nodes("targets").front();
  return target->is("Name") ? target->text("id") : std::string_view();
}

class Places {
 public:
  explicit Places(const Facts& facts) : facts_(facts) {}

  void in_file(const SyntaxNode& module) {
    for (const SyntaxNode* statement : module.nodes("body")) {
      if (statement->is("ClassDef")) in_file(*statement);
      if (!statement->is("FunctionDef")) continue;
      const std::string_view name = statement->text("name");
      if (name != "__init__" && name != "get_inputs" && name != "get_init_inputs") in_block(statement->nodes("body"));
    }
  }
  std::vector<Place> found;

 private:
  void in_block(const std::vector<const SyntaxNode*>& statements) {
    std::vector<std::pair<std::string, Shape>> named;
    for (const SyntaxNode* statement : statements) {
      for (const char* inner : {"body", "orelse"}) in_block(statement->nodes(inner));
      const std::string_view name = named_by(*statement);
      if (name.empty() && !statement->is("Return")) continue;
      const Fact* fact = facts_.of(statement->node("value"));
      std::erase_if(named, [&](const auto& one) { return one.first == name; });
      if (!can_be_planted_on(fact)) continue;
      Place place{.statement = statement, .fact = fact, .others = {}};
      for (const auto& [other, its] : named) {
        if (its == fact->shape) place.others.push_back(other);
      }
      found.push_back(std::move(place));
      if (!name.empty()) named.emplace_back(name, fact->shape);
    }
  }

  const Facts& facts_;
};

// The statement's lines, and the formula's behind them.
std::string planted_lines(const Place& place, Page& page, NameSet& names) {
  std::string lines;
  Body body{.page = page, .owner = nullptr, .lines = lines, .indent = place.statement->column, .names = names};
  const bool returned = place.statement->is("Return");
  const SyntaxNode& value = *place.statement->node("value");
  const bool has_name = returned && value.is("Name");
  const std::string name(has_name   ? std::string(value.text("id"))
                         : returned ? body.new_name("out")
                                    : std::string(named_by(*place.statement)));
  if (!has_name) body.line(name + " = " + syntax::unparse(value));
  const Letters shape = letters_of(place.fact->shape, page.sizes);
  const auto known = [&](std::string text) {
    return Value{.text = std::move(text), .shape = shape, .range = {.size = 3, .from = -12, .to = 12}, .plain = true};
  };
  std::vector<Value> scope = {known(name)};
  for (const std::string& other : place.others) scope.push_back(known(other));
  Formula formula(body);
  const int operators = page.draw.of({1, 1, 2, 2, 3, 3, 4, 5});
  const Value v = formula.tame(formula.dense(scope.front(), scope, operators, name));
  if (returned) {
    body.line("return " + v.text);
  } else if (v.text != name) {
    body.line(name + " = " + v.text);
  }
  return lines;
}

// Where the line begins, counted from 1; one past the last line: where the text ends.
std::size_t begin_of(std::string_view text, int line) {
  std::size_t at = 0;
  for (int i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return text.size();
    at = end + 1;
  }
  return at;
}

}  // namespace

std::optional<std::string> planted_module(std::string_view text, const SyntaxNode& module, const Facts& facts,
                                          std::uint64_t seed) {
  Places places(facts);
  places.in_file(module);
  if (places.found.empty()) return std::nullopt;
  Page page(seed, {.real_styles = true});
  const bool has_functional = text.find("import torch.nn.functional as F\n") != std::string_view::npos;
  page.style.functional = has_functional ? Style::Functional::kImportAs : Style::Functional::kFullPath;
  NameSet names;
  walk(module, [&](const SyntaxNode& node) {
    if (node.is("Name")) names.add(node.text("id"));
    if (node.is("arg")) names.add(node.text("arg"));
  });
  for (std::size_t left = page.draw.of({1, 1, 1, 2, 2, 3}); places.found.size() > left;)
    places.found.erase(places.found.begin() + page.draw.below(static_cast<int>(places.found.size())));
  // from the end: what stands before keeps its place
  std::ranges::sort(places.found, std::greater(), [](const Place& place) { return place.statement->line; });
  std::string out(text);
  for (const Place& place : places.found) {
    const std::size_t begin = begin_of(out, place.statement->line), end = begin_of(out, place.statement->end_line + 1);
    out.replace(begin, end - begin, planted_lines(place, page, names));
  }
  const bool has_math = text.find("import math\n") != std::string_view::npos;
  if (!page.top.empty() || (page.needs_math && !has_math)) return std::nullopt;
  return out;
}

}  // namespace tritonrl::teacher
