#include "base/check.h"
#include "syntax/unparse_kinds.h"
#include "syntax/unparse_literals.h"
#include "syntax/unparse_writer.h"

namespace tritonrl::syntax {
void UnparseWriter::expression(Node node, Binding place) {
  TRL_CHECK(node != nullptr, "an expression where Python has one");
  switch (syntax_kind(node->kind)) {
    case SyntaxKind::kName:
      out_ += node->text("id");
      return;
    case SyntaxKind::kConstant:
      return constant(*node);
    case SyntaxKind::kAttribute:
      return attribute(*node);
    case SyntaxKind::kCall:
      expression(node->node("func"), Binding::kAtom);
      return call_arguments(node->nodes("args"), node->nodes("keywords"));
    case SyntaxKind::kSubscript:
      return subscript(*node);
    case SyntaxKind::kBinOp:
      return binary(*node, place);
    case SyntaxKind::kUnaryOp:
      return unary(*node, place);
    case SyntaxKind::kBoolOp:
      return boolean(*node, place);
    case SyntaxKind::kCompare:
      return compare(*node, place);
    case SyntaxKind::kIfExp:
      return conditional(*node, place);
    case SyntaxKind::kLambda:
      return lambda(*node, place);
    case SyntaxKind::kTuple: {
      const Nodes& items = node->nodes("elts");
      const bool enclosed = items.empty() || place > Binding::kTuple;
      open_if(enclosed);
      tuple_items(items);
      return close_if(enclosed);
    }
    case SyntaxKind::kList:
      out_ += '[';
      comma_list(node->nodes("elts"));
      out_ += ']';
      return;
    case SyntaxKind::kSet:
      if (node->nodes("elts").empty()) {
        out_ += "{*()}";  // {} is a dictionary
        return;
      }
      out_ += '{';
      comma_list(node->nodes("elts"));
      out_ += '}';
      return;
    case SyntaxKind::kDict:
      return dictionary(*node);
    case SyntaxKind::kListComp:
      return comprehension(*node, '[', ']');
    case SyntaxKind::kSetComp:
    case SyntaxKind::kDictComp:
      return comprehension(*node, '{', '}');
    case SyntaxKind::kGeneratorExp:
      return comprehension(*node, '(', ')');
    case SyntaxKind::kcomprehension:
      return generator(*node);
    case SyntaxKind::kSlice:
      return slice(*node);
    case SyntaxKind::kStarred:
      out_ += '*';
      return expression(node->node("value"), Binding::kBitOr);
    case SyntaxKind::kNamedExpr: {
      const bool enclosed = place > Binding::kNamed;
      open_if(enclosed);
      expression(node->node("target"), Binding::kAtom);
      out_ += " := ";
      expression(node->node("value"), Binding::kAtom);
      return close_if(enclosed);
    }
    case SyntaxKind::kAwait:
      return keyword_form(*node, "await", Binding::kAwait, place);
    case SyntaxKind::kYield:
      return keyword_form(*node, "yield", Binding::kYield, place);
    case SyntaxKind::kYieldFrom:
      return keyword_form(*node, "yield from", Binding::kYield, place);
    case SyntaxKind::kJoinedStr:
      return joined(*node);
    case SyntaxKind::kFormattedValue:
      return formatted_value(*node);
    case SyntaxKind::karguments:
      return arguments(*node);
    case SyntaxKind::karg:
      return argument(*node);
    case SyntaxKind::kkeyword:
      if (const std::string_view name = node->text("arg"); name.empty()) {
        out_ += "**";
      } else {
        (out_ += name) += '=';
      }
      return expression(node->node("value"));
    case SyntaxKind::kalias:
      out_ += node->text("name");
      if (const std::string_view name = node->text("asname"); !name.empty()) (out_ += " as ") += name;
      return;
    case SyntaxKind::kwithitem:
      expression(node->node("context_expr"));
      if (Node target = node->node("optional_vars")) {
        out_ += " as ";
        expression(target);
      }
      return;
    default:
      TRL_CHECK(pattern(*node, place), "a node that can be written by itself");
  }
}

void UnparseWriter::comma_list(const Nodes& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != 0) out_ += ", ";
    expression(items[i]);
  }
}

void UnparseWriter::tuple_items(const Nodes& items) {
  comma_list(items);
  if (items.size() == 1) out_ += ',';
}

void UnparseWriter::comprehension(const SyntaxNode& node, char open, char close) {
  out_ += open;
  if (Node key = node.node("key")) {
    expression(key);
    out_ += ": ";
    expression(node.node("value"));
  } else {
    expression(node.node("elt"));
  }
  for (Node part : node.nodes("generators")) generator(*part);
  out_ += close;
}

void UnparseWriter::generator(const SyntaxNode& node) {
  const SyntaxValue* async = node.field("is_async");
  out_ += async != nullptr && *async == SyntaxValue(std::int64_t{1}) ? " async for " : " for ";
  expression(node.node("target"), Binding::kTuple);
  out_ += " in ";
  expression(node.node("iter"), Binding::kOr);
  for (Node condition : node.nodes("ifs")) {
    out_ += " if ";
    expression(condition, Binding::kOr);
  }
}

void UnparseWriter::dictionary(const SyntaxNode& node) {
  const Nodes &keys = node.nodes("keys"), &values = node.nodes("values");
  TRL_CHECK(keys.size() == values.size(), "a dictionary has a value a key");
  out_ += '{';
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i != 0) out_ += ", ";
    if (keys[i] == nullptr) {
      out_ += "**";
      expression(values[i], Binding::kBitOr);
    } else {
      expression(keys[i]);
      out_ += ": ";
      expression(values[i]);
    }
  }
  out_ += '}';
}

void UnparseWriter::attribute(const SyntaxNode& node) {
  Node base = node.node("value");
  expression(base, Binding::kAtom);
  const SyntaxValue* value = base->is("Constant") ? base->field("value") : nullptr;
  const auto* other = value == nullptr ? nullptr : std::get_if<OtherConstant>(value);
  // 3.real is no attribute but a number that goes wrong.
  if (value != nullptr && (std::holds_alternative<std::int64_t>(*value) || std::holds_alternative<bool>(*value) ||
                           (other != nullptr && other->kind == "int")))
    out_ += ' ';
  (out_ += '.') += node.text("attr");
}

void UnparseWriter::call_arguments(const Nodes& positional, const Nodes& keywords) {
  out_ += '(';
  comma_list(positional);
  if (!positional.empty() && !keywords.empty()) out_ += ", ";
  comma_list(keywords);
  out_ += ')';
}

void UnparseWriter::subscript(const SyntaxNode& node) {
  expression(node.node("value"), Binding::kAtom);
  out_ += '[';
  Node index = node.node("slice");
  TRL_CHECK(index != nullptr, "a subscript has an index");
  if (index->is("Tuple") && !index->nodes("elts").empty()) {
    tuple_items(index->nodes("elts"));
  } else {
    expression(index);
  }
  out_ += ']';
}

void UnparseWriter::slice(const SyntaxNode& node) {
  if (Node lower = node.node("lower")) expression(lower);
  out_ += ':';
  if (Node upper = node.node("upper")) expression(upper);
  if (Node step = node.node("step")) {
    out_ += ':';
    expression(step);
  }
}

void UnparseWriter::argument(const SyntaxNode& node) {
  out_ += node.text("arg");
  if (Node annotation = node.node("annotation")) {
    out_ += ": ";
    expression(annotation);
  }
}

void UnparseWriter::arguments(const SyntaxNode& node) {
  const Nodes &early = node.nodes("posonlyargs"), &plain = node.nodes("args"), &defaults = node.nodes("defaults");
  const std::size_t before = out_.size(), count = early.size() + plain.size();
  const auto separate = [&] {
    if (out_.size() != before) out_ += ", ";
  };
  const auto with_default = [&](Node parameter, Node value) {
    argument(*parameter);
    if (value == nullptr) return;
    out_ += '=';
    expression(value);
  };
  TRL_CHECK(defaults.size() <= count, "no more defaults than parameters");
  for (std::size_t i = 0; i < count; ++i) {
    separate();
    with_default(i < early.size() ? early[i] : plain[i - early.size()],
                 i + defaults.size() < count ? nullptr : defaults[i + defaults.size() - count]);
    if (i + 1 == early.size()) out_ += ", /";
  }
  const Nodes &named = node.nodes("kwonlyargs"), &named_defaults = node.nodes("kw_defaults");
  Node rest = node.node("vararg");
  if (rest != nullptr || !named.empty()) {
    separate();
    out_ += '*';
    if (rest != nullptr) argument(*rest);
  }
  for (std::size_t i = 0; i < named.size(); ++i) {
    out_ += ", ";
    with_default(named[i], i < named_defaults.size() ? named_defaults[i] : nullptr);
  }
  if (Node keywords = node.node("kwarg")) {
    separate();
    out_ += "**";
    argument(*keywords);
  }
}

void UnparseWriter::constant(const SyntaxNode& node) {
  const SyntaxValue* value = node.field("value");
  TRL_CHECK(value != nullptr, "a constant has a value");
  if (node.text("kind") == "u") out_ += 'u';
  constant_value(*value);
}

void UnparseWriter::constant_value(const SyntaxValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (avoid_backslashes_) return append_quoted(*text, {std::begin(kAllQuotes), std::end(kAllQuotes)}, out_);
    return append_text_repr(*text, out_);
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    out_ += std::to_string(*integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    append_real(*real, out_);
  } else if (const auto* truth = std::get_if<bool>(&value)) {
    out_ += *truth ? "True" : "False";
  } else if (const auto* other = std::get_if<OtherConstant>(&value)) {
    out_ += other->text;
  } else {
    TRL_CHECK(std::holds_alternative<NoneValue>(value), "a constant's value");
    out_ += "None";
  }
}

}  // namespace tritonrl::syntax
