#include "teacher/facts/facts.h"

namespace tritonrl::teacher {
namespace {

bool same_ones(const Shape& a, const Shape& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] == 1) != (b[i] == 1)) return false;
  }
  return true;
}

// Whether an evaluation adds nothing to what is known: the common case, told without a copy.
bool says_the_same(const Fact& a, const Fact& b) {
  return a.kind == b.kind && a.dtype == b.dtype && a.shape == b.shape && a.constant == b.constant &&
         a.integer == b.integer && a.number == b.number && a.text == b.text && a.attributes.empty() &&
         b.attributes.empty() && a.items.empty() && b.items.empty();
}

}  // namespace

const Fact* Fact::attribute(std::string_view name) const {
  for (const auto& [key, value] : attributes) {
    if (key == name) return &value;
  }
  return nullptr;
}

Fact Fact::tensor(program::DType dtype, Shape shape) {
  Fact fact{.kind = Kind::kTensor, .dtype = dtype};
  fact.shape = std::move(shape);
  return fact;
}

Fact Fact::whole(std::int64_t value) {
  return {.kind = Kind::kInt, .constant = true, .integer = value};
}

Fact Fact::real(double value) {
  return {.kind = Kind::kFloat, .constant = true, .number = value};
}

Fact Fact::truth(bool value) {
  return {.kind = Kind::kBool, .constant = true, .integer = value ? 1 : 0};
}

Fact Fact::words(std::string_view value) {
  return {.kind = Kind::kText, .constant = true, .text = std::string(value)};
}

Fact Fact::none() {
  return {.kind = Kind::kNone};
}

Fact Fact::list(std::vector<Fact> items) {
  Fact fact{.kind = Kind::kList};
  fact.items = std::move(items);
  return fact;
}

Fact merge(const Fact& a, const Fact& b) {
  if (a.kind != b.kind || a.dtype != b.dtype) return {};
  Fact out = a;
  switch (a.kind) {
    case Fact::Kind::kTensor:
      return same_ones(a.shape, b.shape) ? out : Fact{};
    case Fact::Kind::kInt:
    case Fact::Kind::kFloat:
    case Fact::Kind::kBool:
    case Fact::Kind::kText:
      out.constant = a.constant && b.constant && a.integer == b.integer && a.number == b.number && a.text == b.text;
      return out;
    case Fact::Kind::kModule:
      if (a.text != b.text || a.attributes.size() != b.attributes.size()) return {};
      for (std::size_t i = 0; i < a.attributes.size(); ++i) {
        if (a.attributes[i].first != b.attributes[i].first) return {};
        out.attributes[i].second = merge(a.attributes[i].second, b.attributes[i].second);
      }
      return out;
    case Fact::Kind::kList:
      if (a.items.size() != b.items.size()) return {.kind = Fact::Kind::kOther};
      for (std::size_t i = 0; i < a.items.size(); ++i) out.items[i] = merge(a.items[i], b.items[i]);
      return out;
    case Fact::Kind::kUnknown:
    case Fact::Kind::kNone:
    case Fact::Kind::kOther:
      return out;
  }
  return out;
}

const Fact* Facts::of(const syntax::SyntaxNode* node) const {
  const auto found = facts_.find(node);
  return found == facts_.end() ? nullptr : &found->second;
}

void Facts::note(const syntax::SyntaxNode* node, const Fact& fact) {
  const auto [place, fresh] = facts_.try_emplace(node, fact);
  if (!fresh && !says_the_same(place->second, fact)) place->second = merge(place->second, fact);
}

void Facts::note(const syntax::SyntaxNode* node, Fact&& fact) {
  const auto [place, fresh] = facts_.try_emplace(node, std::move(fact));
  if (!fresh && !says_the_same(place->second, fact)) place->second = merge(place->second, fact);
}

void Facts::set(const syntax::SyntaxNode* node, Fact fact) {
  facts_.insert_or_assign(node, std::move(fact));
}

}  // namespace tritonrl::teacher
