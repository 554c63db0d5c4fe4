#include "teacher/families/page.h"

#include <algorithm>

namespace tritonrl::teacher {

void add_line(std::string& out, int indent, std::string_view line) {
  out.append(static_cast<std::size_t>(indent), ' ');
  out += line;
  out += '\n';
}

std::string decimal(int hundredths) {
  std::string text = std::to_string(hundredths / 100) + '.';
  const int rest = hundredths % 100;
  text += static_cast<char>('0' + rest / 10);
  if (rest % 10 != 0) text += static_cast<char>('0' + rest % 10);
  return text;
}

void ClassText::add_argument(Argument argument) {
  // Given without a default, given with one, not given: as calls by position need it.
  const auto rank = [](const Argument& one) { return one.given.empty() ? 2 : one.fallback.empty() ? 0 : 1; };
  auto at = arguments.begin();
  while (at != arguments.end() && rank(*at) <= rank(argument)) ++at;
  arguments.insert(at, std::move(argument));
}

Page::Page(std::uint64_t seed, bool held_out_allowed, bool realistic)
    : draw(seed), idioms(held_out_allowed), sizes(draw, realistic) {
  style = draw_style(draw, idioms);
}

std::string Page::functional(std::string_view name) {
  static constexpr std::string_view kPrefixes[] = {"F.", "F.", "torch.nn.functional.", "nn.functional."};
  needs_functional_ = true;
  if (style.functional == Style::Functional::kNnPath) idioms.note("spelling:nn_functional_path");
  std::string result(kPrefixes[static_cast<std::size_t>(style.functional)]);
  return result += name;
}

std::string Page::size_constant(char letter) {
  if (letter < 'A') return std::string(1, letter);
  const std::string value = std::to_string(sizes[letter]);
  std::string& name = constant_names_[static_cast<std::size_t>(letter) % 64];
  if (name.empty()) {
    if (!draw.chance(style.constant)) {
      name = value;
    } else {
      name = draw_name(draw, style, Sizes::hint(letter), NameRole::kConstant, file_names);
      constants_ += name + " = " + value + "\n";
    }
  }
  return name;
}

std::string Page::size_text(ClassText& owner, char letter) {
  if (letter < 'A') return std::string(1, letter);
  for (const ClassText::Argument& argument : owner.arguments)
    if (argument.letter == letter) return argument.name;
  const bool as_argument = letter <= 'Z' && draw.chance(style.argument + 30);
  if (!as_argument) return std::to_string(sizes[letter]);
  ClassText::Argument argument;
  argument.type = "int";
  argument.letter = letter;
  argument.given = size_constant(letter);
  // The same name as the constant's, as most people do.
  const bool same = argument.given.front() > '9' && !owner.names.has(argument.given) && draw.chance(60);
  argument.name = same ? argument.given : draw_name(draw, style, Sizes::hint(letter), NameRole::kArgument, owner.names);
  if (same) owner.names.add(argument.name);
  if (draw.chance(6)) argument.fallback = std::to_string(sizes[letter]);
  const std::string name = argument.name;
  owner.add_argument(std::move(argument));
  return name;
}

std::string Page::shape_text(ClassText& owner, std::string_view shape) {
  std::string text;
  for (const char letter : shape) {
    if (!text.empty()) text += ", ";
    text += size_text(owner, letter);
  }
  return text;
}

std::string Page::constructor_number(ClassText& owner, std::string_view value, std::string_view hint) {
  const int literal = draw.weighted({style.literal + 20, style.argument});
  if (literal == 0) return std::string(value);
  ClassText::Argument argument;
  argument.name = draw_name(draw, style, hint, NameRole::kArgument, owner.names);
  argument.type =
      value.find('.') == std::string_view::npos && value.find('e') == std::string_view::npos ? "int" : "float";
  if (value.starts_with('\'')) argument.type = "str";
  if (value == "True" || value == "False") argument.type = "bool";
  if (owner.is_model ? draw.chance(40) : draw.chance(70)) argument.fallback = value;
  if (argument.fallback.empty() || draw.chance(50)) argument.given = value;
  const std::string name = argument.name;
  owner.add_argument(std::move(argument));
  return name;
}

std::string Page::number(ClassText* owner, std::string_view value, std::string_view hint) {
  if (owner == nullptr) return std::string(value);
  switch (draw.weighted({style.literal + 10, style.attribute, style.argument})) {
    case 0:
      return std::string(value);
    case 1:
      return attribute(*owner, hint, value);
    default: {
      const std::string name = constructor_number(*owner, value, hint);
      if (name == value) return name;
      if (owner->names.has("self." + name)) return attribute(*owner, hint, name);
      // self.scale = scale: the attribute has the argument's name.
      owner->names.add("self." + name);
      add_line(owner->init, 8, "self." + name + " = " + name);
      return "self." + name;
    }
  }
}

std::string Page::attribute(ClassText& owner, std::string_view hint, std::string_view expression) {
  const std::string name = "self." + draw_name(draw, style, hint, NameRole::kAttribute, owner.names);
  add_line(owner.init, 8, name + " = " + std::string(expression));
  return name;
}

std::string Page::input_values(std::string_view shape, InputKind kind, char most) {
  std::string dims;
  for (const char letter : shape) {
    if (!dims.empty()) dims += ", ";
    dims += size_constant(letter);
  }
  const std::string tuple = "(" + dims + (shape.size() == 1 ? ",)" : ")");
  switch (kind) {
    case InputKind::kNormal:
      return draw.chance(10) ? "torch.randn([" + dims + "])" : "torch.randn(" + dims + ")";
    case InputKind::kUniform:
      return draw.chance(10) ? "torch.rand([" + dims + "])" : "torch.rand(" + dims + ")";
    case InputKind::kIndex:
      return "torch.randint(0, " + size_constant(most) + ", " + tuple + ")";
    case InputKind::kMask:
      return "torch.rand(" + dims + std::string(draw.word({") > 0.5", ") > 0.3", ") < 0.7"}));
    case InputKind::kZeroOne:
      return draw.chance(50) ? "torch.randint(0, 2, " + tuple + ").float()"
                             : "(torch.rand(" + dims + ") > 0.5).float()";
    case InputKind::kSign:
      return "torch.randint(0, 2, " + tuple + ").float() * 2 - 1";
  }
  return "";
}

std::string Page::input(std::string_view hint, std::string_view shape, InputKind kind, char most) {
  const std::string name = draw_name(draw, style, hint, NameRole::kLocal, model.names, &file_names);
  add_input(name, shape, kind, most);
  return name;
}

void Page::add_input(const std::string& name, std::string_view shape, InputKind kind, char most) {
  model.forward_arguments += ", " + name + (style.hints ? ": torch.Tensor" : "");
  file_names.add(name);  // get_inputs may have it beside the constants
  inputs_.emplace_back(name, input_values(shape, kind, most));
}

void Page::write_class(const ClassText& text, std::string& out) {
  out += "\nclass " + text.name + "(nn.Module):\n";
  std::string constructor = "    def __init__(self";
  for (const ClassText::Argument& argument : text.arguments) {
    constructor += ", " + argument.name;
    if (style.hints && !argument.type.empty()) constructor += ": " + std::string(argument.type);
    if (!argument.fallback.empty()) constructor += "=" + argument.fallback;
  }
  constructor += "):\n";
  if (style.super_names_class) {
    constructor += "        super(" + text.name + ", self).__init__()\n";
  } else {
    constructor += "        super().__init__()\n";
  }
  constructor += text.init;
  const bool needed = !text.init.empty() || !text.arguments.empty() || draw.chance(85);
  if (needed && !style.constructor_last) out += constructor;
  const bool methods_first = draw.chance(40);
  if (methods_first) out += text.methods;
  out += "\n    def forward(self" + text.forward_arguments + "):\n" + text.forward;
  if (!methods_first) out += text.methods;
  if (needed && style.constructor_last) out += "\n" + constructor;
}

std::string Page::text() {
  std::string main;
  write_class(model, main);
  std::string made, result;
  result = "import torch\n";
  result += style.nn_from_torch ? "from torch import nn\n" : "import torch.nn as nn\n";
  if (needs_functional_ || draw.chance(15)) {
    if (style.functional == Style::Functional::kImportAs) result += "import torch.nn.functional as F\n";
    if (style.functional == Style::Functional::kFromNn) result += "from torch.nn import functional as F\n";
  }
  if (needs_math) result += "import math\n";
  result += top;
  result += main;
  std::string list;
  const int form = draw.weighted({70, 20, 10});
  for (const auto& [name, values] : inputs_) {
    if (form == 1) made += "    " + name + " = " + values + "\n";
    if (!list.empty()) list += ", ";
    list += form == 1 ? name : values;
  }
  std::string given;
  for (const ClassText::Argument& argument : model.arguments) {
    if (argument.given.empty()) continue;
    if (!given.empty()) given += ", ";
    given += argument.given;
  }
  result += "\n" + constants_ + "\ndef get_inputs():\n" + made;
  result += form == 2 && inputs_.size() > 1 ? "    return (" + list + ")\n" : "    return [" + list + "]\n";
  result += "\ndef get_init_inputs():\n    return [" + given + "]\n";
  return result;
}

}  // namespace tritonrl::teacher
