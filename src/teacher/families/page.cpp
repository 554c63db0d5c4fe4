#include "teacher/families/page.h"

#include <algorithm>
#include <cstdlib>

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

Page::Page(std::uint64_t seed, const ModuleOptions& options)
    : draw(seed),
      idioms(options.held_out),
      surface_draw(base::mix64(seed ^ 0x73757266616365)),
      style(draw_style(draw, idioms)),
      surface(options.real_styles ? draw_surface(surface_draw, style) : Surface{}),
      sizes(draw, options.realistic_sizes || surface.realistic_sizes) {
  if (surface.base == "Module") file_names.add("Module");  // a class of that name would take its place
  if (surface.own_name) model.name = draw_name(surface_draw, style, "Net", NameRole::kClass, file_names);
  file_names.add(model.name);
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
      constants_.emplace_back(name, value);
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
  if (value.starts_with('(')) argument.type = "tuple";
  if (owner.is_model ? draw.chance(surface.real ? 60 : 40) : draw.chance(70)) argument.fallback = value;
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

// What torch.rand and its like are given.
std::string Page::input_sizes(std::string_view shape) {
  std::string dims;
  std::vector<std::string> each;
  for (const char letter : shape) {
    each.push_back(size_constant(letter));
    if (!dims.empty()) dims += ", ";
    dims += each.back();
  }
  switch (surface.sizes) {
    case Surface::Sizes::kPlain:
      return dims;
    case Surface::Sizes::kList:
      return "[" + dims + "]";
    case Surface::Sizes::kTuple:
      return "(" + dims + (each.size() == 1 ? ",)" : ")");
    case Surface::Sizes::kStarred: {
      if (each.size() < 2) return dims;
      std::string rest = "(";
      for (std::size_t at = 1; at < each.size(); ++at) rest += (at > 1 ? ", " : "") + each[at];
      rest += each.size() == 2 ? ",)" : ")";
      for (const auto& [name, value] : constants_)
        if (value == rest) return each[0] + ", *" + name;
      const std::string name = draw_name(surface_draw, style, "input_shape", NameRole::kConstant, file_names);
      constants_.emplace_back(name, rest);
      return each[0] + ", *" + name;
    }
  }
  return dims;
}

std::string Page::input_values(std::string_view shape, InputKind kind, char most) {
  if (kind == InputKind::kNumber) return decimal(draw.between(5, 300));
  if (surface.real) {
    const std::string inside = "(" + input_sizes(shape) + ")";
    if (kind == InputKind::kNormal) return "torch." + std::string(surface.maker) + inside + std::string(surface.after);
    if (kind == InputKind::kUniform) return "torch.rand" + inside;
    if (kind == InputKind::kDistribution)
      return surface_draw.chance(50) ? "torch.softmax(torch.randn" + inside + ", dim=-1)"
                                     : "torch.rand" + inside + ".softmax(dim=-1)";
  }
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
    case InputKind::kDistribution:
      return "torch.softmax(torch.randn(" + dims + "), dim=-1)";
    case InputKind::kNumber:
      break;
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
  const bool number = kind == InputKind::kNumber;
  model.forward_arguments += ", " + name + (number && style.hints ? ": float" : number ? "" : tensor_hint());
  file_names.add(name);  // get_inputs may have it beside the constants
  inputs_.emplace_back(name, input_values(shape, kind, most));
}

namespace {

// Whether what the body gives back last is one value.
bool returns_one(std::string_view body) {
  const std::size_t at = body.rfind("return ");
  if (at == std::string_view::npos) return false;
  int depth = 0;
  for (const char letter : body.substr(at)) {
    if (letter == '(' || letter == '[' || letter == '{') ++depth;
    if (letter == ')' || letter == ']' || letter == '}') --depth;
    if (letter == ',' && depth == 0) return false;
  }
  return true;
}

}  // namespace

void Page::write_class(const ClassText& text, std::string& out) {
  out += "\nclass " + text.name + "(nn.Module):\n";
  std::string constructor = "    def __init__(self";
  for (const ClassText::Argument& argument : text.arguments) {
    constructor += ", " + argument.name;
    if (style.hints && !argument.type.empty()) constructor += ": " + std::string(argument.type);
    if (!argument.fallback.empty()) constructor += "=" + argument.fallback;
  }
  constructor += surface.none ? ") -> None:\n" : "):\n";
  if (style.super_names_class) {
    constructor += "        super(" + text.name + ", self).__init__()\n";
  } else {
    constructor += "        super().__init__()\n";
  }
  if (surface.keeps > 0) {
    for (const ClassText::Argument& argument : text.arguments) {
      if (surface_draw.chance(surface.keeps) && !text.names.has("self." + argument.name))
        add_line(constructor, 8, "self." + argument.name + " = " + argument.name);
    }
  }
  constructor += text.init;
  const bool needed = !text.init.empty() || !text.arguments.empty() || draw.chance(85);
  if (needed && !style.constructor_last) out += constructor;
  const bool methods_first = draw.chance(40);
  if (methods_first) out += text.methods;
  out += "\n    def forward(self" + text.forward_arguments + ")";
  if (surface.results && returns_one(text.forward)) out += " -> " + std::string(surface.tensor);
  out += ":\n" + text.forward;
  if (!methods_first) out += text.methods;
  if (needed && style.constructor_last) out += "\n" + constructor;
}

// What the constructor is given as numbers becomes constants of the file, called like its arguments.
void Page::name_given_constants() {
  for (ClassText::Argument& argument : model.arguments) {
    const bool truth = argument.given == "True" || argument.given == "False";
    const bool number =
        !argument.given.empty() && argument.given.find_first_not_of("0123456789.-e(), ") == std::string::npos;
    if ((!number && !truth) || file_names.has(argument.name) || !surface_draw.chance(surface.given_constants)) continue;
    constants_.emplace_back(argument.name, argument.given);
    file_names.add(argument.name);
    argument.given = argument.name;
  }
}

std::string Page::constants_text() {
  std::string out;
  if (surface.together && constants_.size() > 1) {
    std::string names, values;
    bool plain = true;  // a value that names another constant comes later
    for (const auto& [name, value] : constants_) {
      plain = plain && value.front() <= '9' && value.front() != '(';
      names += (names.empty() ? "" : ", ") + name;
      values += (values.empty() ? "" : ", ") + value;
    }
    if (plain) return names + " = " + values + "\n";
  }
  for (std::size_t at = 0; at < constants_.size(); ++at) {
    const auto& [name, value] = constants_[at];
    out += name + " = ";
    if (surface.real && at + 1 < constants_.size() && constants_[at + 1].second == value) continue;  // a = b = 3
    const int whole = value.find_first_not_of("0123456789") == std::string::npos ? std::atoi(value.c_str()) : 0;
    if (surface.products > 0 && whole >= 8 && whole % 4 == 0 && surface_draw.chance(surface.products)) {
      const int factor = surface_draw.of({2, 4});
      out += std::to_string(whole / factor) + " * " + std::to_string(factor) + "\n";
    } else {
      out += value + "\n";
    }
  }
  return out;
}

std::string Page::text() {
  std::string main;
  write_class(model, main);
  std::string made, result;
  if (surface.future) result += "from __future__ import annotations\n";
  result += "import torch\n";
  result += style.nn_from_torch ? "from torch import nn\n" : "import torch.nn as nn\n";
  if (surface.base == "Module") result += "from torch.nn import Module\n";
  if (surface.tensor == "Tensor") result += "from torch import Tensor\n";
  if (surface.typing)
    result +=
        "from typing import " + std::string(surface_draw.word({"Optional", "Optional, Tuple", "List, Tuple"})) + "\n";
  if (needs_functional_ || draw.chance(15)) {
    if (style.functional == Style::Functional::kImportAs) result += "import torch.nn.functional as F\n";
    if (style.functional == Style::Functional::kFromNn) result += "from torch.nn import functional as F\n";
  }
  if (needs_math) result += "import math\n";
  result += top;
  result += main;
  std::string list;
  int form = draw.weighted({70, 20, 10});
  if (surface.real) form = static_cast<int>(surface.inputs);
  for (const auto& [name, values] : inputs_) {
    if (form == 1) made += "    " + name + " = " + values + "\n";
    if (!list.empty()) list += ", ";
    list += form == 1 ? name : values;
  }
  if (surface.given_constants > 0) name_given_constants();
  std::string given;
  for (const ClassText::Argument& argument : model.arguments) {
    if (argument.given.empty()) continue;
    if (!given.empty()) given += ", ";
    given += (surface.keywords ? "'" + argument.name + "': " : "") + argument.given;
  }
  if (surface.keywords) given = "[], {" + given + "}";
  result += "\n" + constants_text() + "\ndef get_inputs():\n" + made;
  result += form == 2 && inputs_.size() > 1 ? "    return (" + list + ")\n" : "    return [" + list + "]\n";
  result += "\ndef get_init_inputs():\n    return [" + given + "]\n";
  constexpr std::string_view kBase = "(nn.Module):";
  for (std::size_t at = result.find(kBase); surface.base != "nn.Module" && at != std::string::npos;
       at = result.find(kBase, at))
    result.replace(at + 1, kBase.size() - 3, surface.base);
  return result;
}

}  // namespace tritonrl::teacher
