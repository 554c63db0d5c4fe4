#include "tests/teacher/typing/compare_facts.h"

#include <algorithm>
#include <sstream>

namespace tritonrl::teacher {
namespace {

using syntax::SyntaxNode;
using Kind = Fact::Kind;

enum class Answer { kSame, kMissing, kWrong };

Answer worse(Answer a, Answer b) {
  return a > b ? a : b;
}

Answer compare(const Fact& truth, const Fact& told);

Answer compare_attributes(const Fact& truth, const Fact& told) {
  Answer answer = Answer::kSame;
  for (const auto& [name, value] : truth.attributes) {
    if (const Fact* own = told.attribute(name)) answer = worse(answer, compare(value, *own));
  }
  return answer;
}

Answer compare(const Fact& truth, const Fact& told) {
  if (truth.kind == Kind::kUnknown) return Answer::kSame;  // it says nothing
  if (told.kind == Kind::kUnknown) return Answer::kMissing;
  if (truth.kind == Kind::kOther) return told.kind == Kind::kOther ? Answer::kSame : Answer::kWrong;
  if (told.kind == Kind::kOther) return Answer::kMissing;
  if (truth.kind != told.kind) return Answer::kWrong;
  switch (truth.kind) {
    case Kind::kTensor:
      return truth.dtype == told.dtype && truth.shape == told.shape ? Answer::kSame : Answer::kWrong;
    case Kind::kInt:
    case Kind::kBool:
    case Kind::kFloat:
    case Kind::kText: {
      if (!told.constant) return truth.constant ? Answer::kMissing : Answer::kSame;
      const bool same =
          truth.constant && truth.integer == told.integer && truth.number == told.number && truth.text == told.text;
      return same ? Answer::kSame : Answer::kWrong;
    }
    case Kind::kModule:
      if (told.text.empty() && !truth.text.empty()) return Answer::kMissing;
      return truth.text == told.text ? compare_attributes(truth, told) : Answer::kWrong;
    case Kind::kList: {
      if (truth.items.size() != told.items.size()) return Answer::kWrong;
      Answer answer = Answer::kSame;
      for (std::size_t i = 0; i < truth.items.size(); ++i)
        answer = worse(answer, compare(truth.items[i], told.items[i]));
      return answer;
    }
    case Kind::kUnknown:
    case Kind::kNone:
    case Kind::kOther:
      return Answer::kSame;
  }
  return Answer::kSame;
}

struct Place {
  const SyntaxNode* node;
  bool host;  // inside a function that makes its tensors on the host
};

void visit(const SyntaxNode& node, bool host, std::vector<Place>* out) {
  if (node.is("FunctionDef")) host |= node.text("name") == "get_inputs" || node.text("name") == "__init__";
  out->push_back({&node, host});
  for (const auto& [name, value] : node.fields) {
    if (const auto* one = std::get_if<const SyntaxNode*>(&value); one != nullptr && *one != nullptr)
      visit(**one, host, out);
    if (const auto* several = std::get_if<std::vector<const SyntaxNode*>>(&value)) {
      for (const SyntaxNode* each : *several) {
        if (each != nullptr) visit(*each, host, out);
      }
    }
  }
}

bool holds_tensor(const Fact& fact) {
  return fact.is_tensor() || std::ranges::any_of(fact.items, holds_tensor);
}

std::string place(const std::string& text, const SyntaxNode& node) {
  std::istringstream in(text);
  std::string line;
  for (int i = 0; i < node.line; ++i) std::getline(in, line);
  const auto begin = std::min(line.size(), static_cast<std::size_t>(node.column));
  const std::size_t length = node.end_line == node.line ? static_cast<std::size_t>(node.end_column - node.column) : 60;
  return std::to_string(node.line) + ":" + std::to_string(node.column) + " " + line.substr(begin, length);
}

}  // namespace

Comparison compare_facts(const TracedModule& traced, const Inferred& inferred, bool host_in_forward) {
  constexpr std::size_t kMostNamed = 5;
  Comparison result;
  std::vector<Place> places;
  visit(traced.tree->root(), host_in_forward, &places);
  for (const auto& [node, host] : places) {
    const Fact* truth = traced.facts.of(node);
    if (truth == nullptr) continue;
    const Fact* told = inferred.facts.of(node);
    // A trace calls tensors on the host other; inferred facts know no place.
    if (host && told != nullptr && holds_tensor(*told)) continue;
    const Answer answer = compare(*truth, told == nullptr ? Fact{} : *told);
    (truth->is_tensor() ? result.tensors : result.others) += 1;
    if (answer == Answer::kMissing) {
      (truth->is_tensor() ? result.tensors_missing : result.others_missing) += 1;
      if (truth->is_tensor() && result.missing.size() < kMostNamed)
        result.missing.push_back(place(traced.normal, *node));
      if (!truth->is_tensor()) {
        result.missing_others.push_back(place(traced.normal, *node) + ": " + describe(*truth));
      }
    } else if (answer == Answer::kWrong) {
      result.wrong.push_back(place(traced.normal, *node) + ": " + describe(*truth) + ", inferred " + describe(*told));
    }
  }
  return result;
}

}  // namespace tritonrl::teacher
