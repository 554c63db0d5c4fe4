#include <algorithm>

#include "teacher/operators/argument_facts.h"
#include "teacher/operators/shape_rules.h"

namespace tritonrl::teacher {
namespace {

using syntax::SyntaxNode;

bool is_ellipsis(const SyntaxNode& node) {
  const syntax::SyntaxValue* value = node.is("Constant") ? node.field("value") : nullptr;
  const auto* other = value == nullptr ? nullptr : std::get_if<syntax::OtherConstant>(value);
  return other != nullptr && other->kind == "ellipsis";
}

// One end of a slice: the default where it is not written; none where its value is not known.
std::optional<std::int64_t> end_of(const SyntaxNode* node, std::int64_t standard, const Facts& facts) {
  if (node == nullptr) return standard;
  const Fact fact = operators::fact_of(*node, facts);
  if (fact.kind == Fact::Kind::kNone) return standard;
  return operators::integer_in(fact);
}

std::optional<std::int64_t> sliced(const SyntaxNode& slice, std::int64_t size, const Facts& facts) {
  const auto step = end_of(slice.node("step"), 1, facts);
  auto lower = end_of(slice.node("lower"), 0, facts), upper = end_of(slice.node("upper"), size, facts);
  if (!step || *step < 1 || !lower || !upper) return std::nullopt;
  for (std::int64_t* end : {&*lower, &*upper}) *end = std::clamp<std::int64_t>(*end < 0 ? *end + size : *end, 0, size);
  return *upper > *lower ? (*upper - *lower + *step - 1) / *step : 0;
}

}  // namespace

Fact subscript_fact(const SyntaxNode& subscript, const Facts& facts) {
  const SyntaxNode *base = subscript.is("Subscript") ? subscript.node("value") : nullptr,
                   *index = subscript.is("Subscript") ? subscript.node("slice") : nullptr;
  const Fact* tensor = base == nullptr ? nullptr : facts.of(base);
  if (tensor == nullptr || !tensor->is_tensor() || index == nullptr) return {};
  const std::vector<const SyntaxNode*> single{index};
  const std::vector<const SyntaxNode*>& items = index->is("Tuple") ? index->nodes("elts") : single;

  std::size_t taken = 0;
  bool open = false;
  for (const SyntaxNode* item : items) {
    if (item->is("Starred")) return {};
    if (is_ellipsis(*item)) {
      if (open) return {};
      open = true;
      continue;
    }
    const Fact fact = item->is("Slice") ? Fact{} : operators::fact_of(*item, facts);
    if (fact.is_tensor() && fact.dtype == program::DType::kBool) return {};  // as many as are true
    if (fact.kind != Fact::Kind::kNone) ++taken;
  }
  const Shape& from = tensor->shape;
  if (taken > from.size()) return {};
  Shape out, gathered;
  std::size_t place = 0, gathered_at = 0;
  bool gathers = false, scattered = false, ended = false;
  for (const SyntaxNode* item : items) {
    if (is_ellipsis(*item)) {
      for (std::size_t i = 0; i < from.size() - taken; ++i) out.push_back(from[place++]);
      ended = gathers;
      continue;
    }
    if (item->is("Slice")) {
      const auto size = sliced(*item, from[place++], facts);
      if (!size) return {};
      out.push_back(*size);
      ended = gathers;
      continue;
    }
    const Fact fact = operators::fact_of(*item, facts);
    if (fact.kind == Fact::Kind::kNone) {
      out.push_back(1);
      ended = gathers;
      continue;
    }
    if (fact.kind == Fact::Kind::kInt) {
      ++place;
      continue;
    }
    Shape shape;
    if (fact.is_tensor()) {
      shape = fact.shape;
    } else if (const auto list = operators::integers_in(fact); list && fact.kind == Fact::Kind::kList) {
      shape = {static_cast<std::int64_t>(list->size())};
    } else {
      return {};
    }
    const auto joined = operators::broadcast(gathered, shape);
    if (!joined) return {};
    gathered = *joined;
    if (!gathers) gathered_at = out.size();
    scattered = scattered || (gathers && ended);
    gathers = true;
    ++place;
  }
  out.insert(out.end(), from.begin() + static_cast<std::ptrdiff_t>(place), from.end());
  if (gathers) {
    const std::size_t at = scattered ? 0 : gathered_at;
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(at), gathered.begin(), gathered.end());
  }
  return Fact::tensor(tensor->dtype, std::move(out));
}

}  // namespace tritonrl::teacher
