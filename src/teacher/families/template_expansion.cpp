#include "teacher/families/template_expansion.h"

#include <cstdlib>

namespace tritonrl::teacher {

InputKind input_kind(std::string_view word) {
  if (word == "uniform") return InputKind::kUniform;
  if (word == "index") return InputKind::kIndex;
  if (word == "mask") return InputKind::kMask;
  if (word == "binary") return InputKind::kZeroOne;
  if (word == "sign") return InputKind::kSign;
  if (word == "distribution") return InputKind::kDistribution;
  if (word == "number") return InputKind::kNumber;
  TRL_CHECK(word == "normal", "an input of an unknown kind: " + std::string(word));
  return InputKind::kNormal;
}

void TemplateExpansion::plan() {
  page_.idioms.note("template:" + of_.name);
  for (const ModuleTemplate::Argument& argument : of_.arguments)
    values_.push_back(argument.letter != 0 ? "" : page_.draw.one_of(argument.values));
  for (const auto& [letter, of] : of_.multiples) {
    int value = std::atoi(of.c_str());
    for (std::size_t at = 0; at < of_.arguments.size(); ++at)
      if (of_.arguments[at].name == of) value = std::atoi(values_[at].c_str());
    page_.sizes.multiple(letter, std::max(1, value));
  }
  if (of_.walks && page_.surface.real) page_.sizes.keep_small();  // a thousand steps are no example
  for (const auto& [letter, value] : of_.least) page_.sizes.at_least(letter, value);
  for (const std::string& shape : of_.shapes) page_.sizes.need(shape);
  for (const ModuleTemplate::Argument& argument : of_.arguments)
    if (argument.letter != 0) page_.sizes.need(std::string(1, argument.letter));
}

void TemplateExpansion::derive() {
  for (const ModuleTemplate::Derived& one : of_.derived) {
    int by = std::atoi(one.by.c_str());
    for (std::size_t at = 0; at < of_.arguments.size(); ++at)
      if (of_.arguments[at].name == one.by)
        by = of_.arguments[at].letter != 0 ? page_.sizes[of_.arguments[at].letter] : std::atoi(values_[at].c_str());
    if (one.by.size() == 1 && one.by[0] >= 'A') by = page_.sizes[one.by[0]];
    const int from = page_.sizes[one.from];
    page_.sizes.set(one.letter, one.sign == '/'   ? from / by
                                : one.sign == '*' ? from * by
                                : one.sign == '+' ? from + by
                                                  : from - by);
  }
}

const std::string& TemplateExpansion::name(int slot, bool attribute, NameSet& names) {
  std::string& chosen = names_[static_cast<std::size_t>(slot)];
  if (!chosen.empty()) return chosen;
  std::string_view hint = of_.slots[static_cast<std::size_t>(slot)];
  if (hint.front() >= 'A' && hint.front() <= 'Z') {
    chosen = draw_name(page_.draw, page_.style, hint, NameRole::kClass, page_.file_names);
    return chosen;
  }
  const bool of_file = hint.ends_with("_fn");
  const NameRole role = of_file ? NameRole::kFunction : attribute ? NameRole::kAttribute : NameRole::kLocal;
  // conv1, conv2: the numbers are the author's.
  std::string_view digits;
  while (hint.size() > 1 && hint.back() == '_') hint.remove_suffix(1);
  const std::string_view stem = hint;
  while (hint.size() > 1 && hint.back() >= '0' && hint.back() <= '9') hint.remove_suffix(1);
  digits = stem.substr(hint.size());
  if (!digits.empty() && page_.draw.chance(60)) {
    std::string plain(hint);
    plain += digits;
    if (!names.has(plain)) {
      names.add(plain);
      chosen = plain;
      return chosen;
    }
  }
  chosen = draw_name(page_.draw, page_.style, hint, role, of_file ? page_.file_names : names,
                     of_file ? &page_.model.names : &page_.file_names);
  return chosen;
}

// Arguments that forward needs become attributes of the same name.
void TemplateExpansion::keep_arguments(ClassText& owner) {
  for (const ModuleTemplate::Argument& argument : of_.arguments) {
    const std::string& text = names_[static_cast<std::size_t>(argument.slot)];
    if (!argument.kept || !owner.names.has(text)) continue;  // a number stands there itself
    if (!owner.names.has("self." + text)) {
      owner.names.add("self." + text);
      add_line(owner.init, 8, "self." + text + " = " + text);
    }
    kept_[static_cast<std::size_t>(argument.slot)] = text;
  }
}

void TemplateExpansion::choose_arguments(ClassText& owner, bool own_class) {
  for (std::size_t at = 0; at < of_.arguments.size(); ++at) {
    const ModuleTemplate::Argument& argument = of_.arguments[at];
    std::string& text = names_[static_cast<std::size_t>(argument.slot)];
    if (!own_class) {
      text = argument.letter != 0 ? page_.size_text(owner, argument.letter)
                                  : page_.constructor_number(owner, values_[at], argument.name);
      continue;
    }
    const bool literal = argument.letter == 0 && page_.draw.chance(25);
    if (literal) {
      text = values_[at];
      continue;
    }
    ClassText::Argument made;
    made.name = text = draw_name(
        page_.draw, page_.style,
        argument.letter != 0 && page_.draw.chance(50) ? Sizes::hint(argument.letter) : std::string_view(argument.name),
        NameRole::kArgument, owner.names);
    made.letter = argument.letter;
    made.type =
        argument.letter != 0 || values_[at].find_first_not_of("0123456789") == std::string::npos ? "int" : "float";
    if (argument.letter != 0) {
      made.given = page_.size_text(page_.model, argument.letter);
    } else {
      if (values_[at].front() == '\'') made.type = "str";
      if (values_[at] == "True" || values_[at] == "False") made.type = "bool";
      if (values_[at].front() == '(') made.type = "tuple";
      if (page_.draw.chance(60)) made.fallback = values_[at];
      if (made.fallback.empty() || page_.draw.chance(50))
        made.given = page_.constructor_number(page_.model, values_[at], argument.name);
    }
    owner.add_argument(std::move(made));
  }
  keep_arguments(owner);
}

void TemplateExpansion::expand(const Pieces& pieces, std::string& out, Body& body, const Piece* macro) {
  Draw& draw = page_.draw;
  for (const Piece& piece : pieces) {
    switch (piece.kind) {
      case Piece::Kind::kText:
        out += piece.text;
        break;
      case Piece::Kind::kName:
        if (in_forward_ && !piece.attribute)
          for (const ModuleTemplate::Argument& argument : of_.arguments)
            if (argument.slot == piece.slot && !kept_[static_cast<std::size_t>(argument.slot)].empty()) out += "self.";
        out += name(piece.slot, piece.attribute, body.names);
        break;
      case Piece::Kind::kChoice: {
        std::vector<int> weights = piece.weights;
        for (std::size_t at = 0; at < weights.size(); ++at)
          if (!piece.words[at].empty()) weights[at] = page_.idioms.weight(piece.words[at], weights[at]);
        const std::size_t at = static_cast<std::size_t>(draw.weighted(weights));
        if (!piece.words[at].empty()) page_.idioms.note(piece.words[at]);
        expand(piece.branches[at], out, body, macro);
        break;
      }
      case Piece::Kind::kMacro: {
        // Arguments are expanded once: a macro that uses one twice repeats the same text.
        Piece filled{.kind = Piece::Kind::kMacro};
        for (const Pieces& argument : piece.branches) {
          std::string text;
          expand(argument, text, body, macro);
          filled.words.push_back(std::move(text));
        }
        expand(template_library().macro(piece.text).body, out, body, &filled);
        break;
      }
      case Piece::Kind::kParameter:
        TRL_CHECK(macro != nullptr && static_cast<std::size_t>(piece.slot) < macro->words.size(),
                  "a macro has fewer arguments");
        out += macro->words[static_cast<std::size_t>(piece.slot)];
        break;
      case Piece::Kind::kFunctional:
        out += page_.functional(piece.text);
        break;
      case Piece::Kind::kActivation:
      case Piece::Kind::kGate:
      case Piece::Kind::kUnary: {
        Value v;
        expand(piece.branches[0], v.text, body, macro);
        v.plain = v.text.find_first_of(" +-*/(") == std::string::npos;
        Formula formula(body);
        v.range = {.size = 3};
        if (piece.kind == Piece::Kind::kActivation) out += formula.activation(v).text;
        if (piece.kind == Piece::Kind::kUnary) out += formula.unary(v).text;
        if (piece.kind == Piece::Kind::kGate)
          out += formula.named_unary(draw.word({"sigmoid", "sigmoid", "sigmoid", "hardsigmoid", "tanh"}), v).text;
        break;
      }
      case Piece::Kind::kNumber: {
        const std::string value = draw.one_of(piece.words);
        out += in_forward_ || body.owner == nullptr ? page_.number(body.owner, value, piece.text)
                                                    : page_.constructor_number(*body.owner, value, piece.text);
        break;
      }
      case Piece::Kind::kHint:
        if (page_.style.hints) out += piece.text == kTensorHint ? page_.tensor_hint() : piece.text;
        break;
      case Piece::Kind::kSuper:
        if (page_.style.super_names_class)
          out += "super(" + name(piece.slot, false, body.names) + ", self).__init__()";
        else
          out += "super().__init__()";
        break;
    }
  }
}

void TemplateExpansion::plant(const TemplateLine& line, std::string& out, int indent, ClassText* owner,
                              NameSet& names) {
  if (!page_.draw.chance(45)) return;
  page_.idioms.note("form:planted_formula");
  Body body{.page = page_, .owner = owner, .lines = out, .indent = indent, .names = names};
  Formula formula(body);
  std::vector<Value> scope;
  for (const TemplateLine::Operand& operand : line.operands) {
    const std::string text = (operand.attribute ? "self." : "") + name(operand.slot, operand.attribute, names);
    scope.push_back({.text = text,
                     .shape = operand.shape,
                     .range = {.size = 3, .nonnegative = operand.nonnegative, .from = -12, .to = 12},
                     .plain = true});
  }
  const Value start = scope.front();
  const bool reuse = !line.operands.front().attribute && page_.draw.chance(60);
  Value v = formula.dense(start, scope, page_.draw.of({1, 2, 3, 3, 4, 5, 6, 8}), reuse ? start.text : std::string());
  v = formula.tame(std::move(v));
  if (v.text == start.text) return;
  if (start.range.nonnegative && !v.range.nonnegative)
    v = formula.positive(std::move(v));  // as what follows expects it
  if (v.plain && !line.operands.front().attribute && page_.draw.chance(70)) {
    names_[static_cast<std::size_t>(line.operands.front().slot)] = v.text;  // from here on it has the new name
    return;
  }
  body.line(start.text + " = " + v.text);
}

void TemplateExpansion::write_lines(const std::vector<TemplateLine>& lines, std::string& out, int indent,
                                    ClassText* owner, NameSet& names) {
  for (const TemplateLine& line : lines) {
    if (line.dense) {
      plant(line, out, indent + line.indent, owner, names);
      continue;
    }
    std::string text, extra;
    // What the line needs in front of it (a formula's statements) is written first.
    Body body{.page = page_, .owner = owner, .lines = extra, .indent = indent + line.indent, .names = names};
    expand(line.pieces, text, body, nullptr);
    out += extra;
    if (text.empty() || text == "pass") continue;
    std::string_view rest = text;
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      add_line(out, indent + line.indent, rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
    add_line(out, indent + line.indent, rest);
  }
}

void TemplateExpansion::add_inputs(ClassText& owner, bool first_is_given) {
  for (std::size_t at = 0; at < of_.inputs.size(); ++at) {
    const ModuleTemplate::Input& input = of_.inputs[at];
    if (first_is_given && input.slot == 0) continue;
    std::string& text = names_[static_cast<std::size_t>(input.slot)];
    const std::string hint = of_.slots[static_cast<std::size_t>(input.slot)];
    text = draw_name(page_.draw, page_.style, hint, NameRole::kLocal, owner.names, &page_.file_names);
    if (owner.is_model)
      page_.add_input(text, input.shape, input_kind(input.kind), input.most);
    else
      owner.forward_arguments += ", " + text + page_.tensor_hint();
  }
}

std::vector<std::string> TemplateExpansion::further_inputs(bool first_is_given) {
  std::vector<std::string> result;
  for (const ModuleTemplate::Input& input : of_.inputs) {
    if (first_is_given && input.slot == 0) continue;
    result.push_back(
        page_.input(of_.slots[static_cast<std::size_t>(input.slot)], input.shape, input_kind(input.kind), input.most));
  }
  return result;
}

std::string TemplateExpansion::write_inside(ClassText& owner, const std::string& x) {
  derive();
  page_.needs_math = page_.needs_math || of_.needs_math;
  if (!x.empty()) names_[0] = x;
  choose_arguments(owner, false);
  add_inputs(owner, !x.empty());
  NameSet top_names;
  write_lines(of_.top, page_.top, 0, nullptr, top_names);
  if (!of_.top.empty()) page_.top.insert(0, "\n");
  write_lines(of_.init, owner.init, 8, &owner, owner.names);
  in_forward_ = true;
  std::string methods;
  write_lines(of_.methods, methods, 4, &owner, owner.names);
  owner.methods += methods;
  write_lines(of_.forward, owner.forward, 8, &owner, owner.names);
  std::string result;
  Body body{.page = page_, .owner = &owner, .lines = owner.forward, .indent = 8, .names = owner.names};
  expand(of_.result, result, body, nullptr);
  return result;
}

std::string TemplateExpansion::write_class(std::string& name_out) {
  derive();
  page_.needs_math = page_.needs_math || of_.needs_math;
  ClassText own;
  own.is_model = false;
  const std::string_view hint = page_.draw.chance(60) ? std::string_view(of_.name) : "Block";
  own.name = name_out = draw_name(page_.draw, page_.style, hint, NameRole::kClass, page_.file_names);
  choose_arguments(own, true);
  names_[0] = draw_name(page_.draw, page_.style, "x", NameRole::kLocal, own.names);
  own.forward_arguments = ", " + names_[0] + page_.tensor_hint();
  add_inputs(own, true);
  NameSet top_names;
  write_lines(of_.top, page_.top, 0, nullptr, top_names);
  write_lines(of_.init, own.init, 8, &own, own.names);
  in_forward_ = true;
  write_lines(of_.methods, own.methods, 4, &own, own.names);
  write_lines(of_.forward, own.forward, 8, &own, own.names);
  std::string result;
  Body body{.page = page_, .owner = &own, .lines = own.forward, .indent = 8, .names = own.names};
  expand(of_.result, result, body, nullptr);
  add_line(own.forward, 8, "return " + result);
  page_.write_class(own, page_.top);
  page_.top += "\n";
  std::string call = own.name + "(";
  bool first = true, keywords = page_.draw.chance(25);
  for (const ClassText::Argument& argument : own.arguments) {
    if (argument.given.empty()) continue;
    if (!first) call += ", ";
    first = false;
    if (keywords) call += argument.name + "=";
    call += argument.given;
  }
  return call + ")";
}

}  // namespace tritonrl::teacher
