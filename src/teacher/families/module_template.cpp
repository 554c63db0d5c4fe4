#include "teacher/families/module_template.h"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "base/check.h"
#include "base/embedded_file.h"
#include "teacher/families/idioms.h"

namespace tritonrl::teacher {

std::span<const base::EmbeddedFile> template_files();

namespace {

bool is_word(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         letter == '_';
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// "2,(3,5)" is 2 and (3, 5).
std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> values(1);
  int depth = 0;
  for (const char letter : text) {
    depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
    if (letter == ',' && depth == 0) {
      values.emplace_back();
    } else {
      values.back() += letter;
      if (letter == ',') values.back() += ' ';
    }
  }
  return values;
}

class PieceReader {
 public:
  PieceReader(std::string_view text, ModuleTemplate* of) : text_(text), of_(of) {}

  Pieces read(std::string_view stops = "") {
    Pieces pieces;
    std::string plain;
    int depth = 0;  // of round brackets: a ';' or ')' inside them is plain text
    const auto flush = [&] {
      if (plain.empty()) return;
      pieces.push_back({.text = plain});
      plain.clear();
    };
    while (at_ < text_.size()) {
      const char letter = text_[at_];
      if (depth == 0 && stops.find(letter) != std::string_view::npos) break;
      if (letter == '(') ++depth;
      if (letter == ')') --depth;
      if (letter == '\\') {
        plain += text_[at_ + 1] == 'n' ? '\n' : text_[at_ + 1];
        at_ += 2;
      } else if (letter == '$') {
        const bool attribute = plain.ends_with("self.");
        flush();
        ++at_;
        std::string hint = word();
        if (attribute && is_argument(hint)) hint += '_';  // the attribute and the argument are two names
        pieces.push_back({.kind = Piece::Kind::kName, .slot = slot(hint), .attribute = attribute});
      } else if (letter == '{') {
        flush();
        pieces.push_back(choice());
      } else if (letter == '~') {
        flush();
        pieces.push_back(call());
      } else if (letter == '%') {
        flush();
        pieces.push_back(number());
      } else if (letter == '`') {
        flush();
        pieces.push_back({.kind = Piece::Kind::kParameter, .slot = text_[at_ + 1] - '1'});
        at_ += 2;
      } else if (letter == '@' && at_ + 1 < text_.size() &&
                 (text_[at_ + 1] == 'T' || text_[at_ + 1] == 'I' || text_[at_ + 1] == 'N') &&
                 (at_ + 2 == text_.size() || !is_word(text_[at_ + 2]))) {
        flush();
        pieces.push_back({.kind = Piece::Kind::kHint,
                          .text = text_[at_ + 1] == 'T'   ? std::string(kTensorHint)
                                  : text_[at_ + 1] == 'I' ? ": int"
                                                          : ": float"});
        at_ += 2;
      } else if (text_.substr(at_).starts_with("@super($")) {
        flush();
        at_ += 8;
        pieces.push_back({.kind = Piece::Kind::kSuper, .slot = slot(word())});
        ++at_;
      } else {
        plain += letter;
        ++at_;
      }
    }
    flush();
    return pieces;
  }

 private:
  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    TRL_CHECK(at_ > begin, "a template's name is missing: " + std::string(text_));
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool is_argument(const std::string& hint) const {
    return of_ != nullptr && std::any_of(of_->arguments.begin(), of_->arguments.end(),
                                         [&](const ModuleTemplate::Argument& one) { return one.name == hint; });
  }

  int slot(const std::string& hint) {
    TRL_CHECK(of_ != nullptr, "a macro has no names of its own");
    const auto found = std::find(of_->slots.begin(), of_->slots.end(), hint);
    if (found != of_->slots.end()) return static_cast<int>(found - of_->slots.begin());
    of_->slots.push_back(hint);
    return static_cast<int>(of_->slots.size()) - 1;
  }

  // {a|3:b|!spelling:name:c}
  Piece choice() {
    Piece piece{.kind = Piece::Kind::kChoice};
    do {
      ++at_;
      int weight = 1;
      std::string idiom;
      if (at_ + 1 < text_.size() && text_[at_] >= '1' && text_[at_] <= '9' && text_[at_ + 1] == ':') {
        weight = text_[at_] - '0';
        at_ += 2;
      }
      if (at_ < text_.size() && text_[at_] == '!') {
        const std::size_t end = text_.find('!', at_ + 1);
        idiom = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
      }
      PieceReader inner(text_, of_);
      inner.at_ = at_;
      piece.branches.push_back(inner.read("|}"));
      at_ = inner.at_;
      piece.words.push_back(std::move(idiom));
      piece.weights.push_back(weight);
      TRL_CHECK(at_ < text_.size(), "a choice has no end: " + std::string(text_));
    } while (text_[at_] == '|');
    ++at_;
    return piece;
  }

  // ~F.name  ~act(..)  ~macro(..; ..)
  Piece call() {
    ++at_;
    if (text_.substr(at_).starts_with("F.")) {
      at_ += 2;
      return {.kind = Piece::Kind::kFunctional, .text = word()};
    }
    Piece piece{.kind = Piece::Kind::kMacro, .text = word()};
    if (piece.text == "act") piece.kind = Piece::Kind::kActivation;
    if (piece.text == "gate") piece.kind = Piece::Kind::kGate;
    if (piece.text == "unary") piece.kind = Piece::Kind::kUnary;
    TRL_CHECK(at_ < text_.size() && text_[at_] == '(', "a macro without brackets: " + std::string(text_));
    do {
      ++at_;
      while (at_ < text_.size() && text_[at_] == ' ') ++at_;
      PieceReader inner(text_, of_);
      inner.at_ = at_;
      piece.branches.push_back(inner.read(";)"));
      at_ = inner.at_;
      TRL_CHECK(at_ < text_.size(), "a macro has no end: " + std::string(text_));
    } while (text_[at_] == ';');
    ++at_;
    return piece;
  }

  // %scale=0.1,0.2%
  Piece number() {
    ++at_;
    const std::size_t end = text_.find('%', at_);
    const std::size_t equal = text_.find('=', at_);
    TRL_CHECK(end != std::string_view::npos && equal < end, "a number has another form: " + std::string(text_));
    Piece piece{.kind = Piece::Kind::kNumber, .text = std::string(text_.substr(at_, equal - at_))};
    piece.words = split(text_.substr(equal + 1, end - equal - 1), ',');
    at_ = end + 1;
    return piece;
  }

  std::string_view text_;
  ModuleTemplate* of_;
  std::size_t at_ = 0;
};

int slot_of(ModuleTemplate& of, std::string_view hint) {
  for (std::size_t at = 0; at < of.slots.size(); ++at)
    if (of.slots[at] == hint) return static_cast<int>(at);
  of.slots.emplace_back(hint);
  return static_cast<int>(of.slots.size()) - 1;
}

// "@dense $x BTD; $g B1D +"
TemplateLine read_dense(std::string_view text, int indent, ModuleTemplate& of) {
  TemplateLine line{.indent = indent, .dense = true};
  for (const std::string& part : split(text, ';')) {
    const std::vector<std::string> words = split(part, ' ');
    TRL_CHECK(words.size() >= 2, "a planted formula needs names and shapes: " + std::string(text));
    TemplateLine::Operand operand;
    operand.attribute = words[0].starts_with("self.$");
    operand.slot = slot_of(of, std::string_view(words[0]).substr(operand.attribute ? 6 : 1));
    operand.shape = words[1];
    operand.nonnegative = words.size() > 2 && words[2] == "+";
    line.operands.push_back(std::move(operand));
  }
  return line;
}

bool uses(const Pieces& pieces, int slot) {
  for (const Piece& piece : pieces) {
    if (piece.kind == Piece::Kind::kName && piece.slot == slot && !piece.attribute) return true;
    for (const Pieces& branch : piece.branches)
      if (uses(branch, slot)) return true;
  }
  return false;
}

// Arguments that forward needs must be kept by the constructor.
void note_kept_arguments(ModuleTemplate& of) {
  for (ModuleTemplate::Argument& argument : of.arguments) {
    argument.kept = uses(of.result, argument.slot);
    for (const auto* lines : {&of.methods, &of.forward})
      for (const TemplateLine& line : *lines) argument.kept = argument.kept || uses(line.pieces, argument.slot);
  }
}

void read_header(ModuleTemplate& of, std::string_view line) {
  const std::vector<std::string> words = split(line, ' ');
  if (words[0] == "args") {
    for (std::size_t at = 1; at < words.size(); ++at) {
      const std::size_t equal = words[at].find('=');
      ModuleTemplate::Argument argument{.name = words[at].substr(0, equal)};
      const std::string value = words[at].substr(equal + 1);
      if (value.size() == 1 && value[0] >= 'A' && value[0] <= 'Z')
        argument.letter = value[0];
      else
        argument.values = split_values(value);
      argument.slot = slot_of(of, argument.name);
      of.arguments.push_back(std::move(argument));
    }
  } else if (words[0] == "input") {
    of.inputs.push_back({.slot = slot_of(of, words[1]),
                         .shape = words[2],
                         .kind = words.size() > 3 ? words[3] : "normal",
                         .most = words.size() > 4 ? words[4][0] : '\0'});
    of.shapes.push_back(words[2]);
    if (words.size() > 4) of.shapes.push_back(words[4]);
  } else if (words[0] == "multiple") {
    of.multiples.emplace_back(words[1][0], words[2]);
  } else if (words[0] == "least") {
    of.least.emplace_back(words[1][0], std::atoi(words[2].c_str()));
  } else if (words[0] == "need") {
    for (std::size_t at = 1; at < words.size(); ++at) of.shapes.push_back(words[at]);
  } else if (words[0] == "derive") {
    // h=H/2
    for (std::size_t at = 1; at < words.size(); ++at)
      of.derived.push_back({words[at][0], words[at][2], words[at][3], words[at].substr(4)});
  } else {
    TRL_CHECK(false, "a template's head has another form: " + std::string(line));
  }
}

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// A template with a line `shapes BCL BCHW` is one for each of them: SHAPE stands for it, RANK for its dimensions behind
// the first two.
std::string with_shapes(std::string_view text) {
  constexpr std::string_view kHead = "== ", kShapes = "shapes ";
  std::string out;
  while (!text.empty()) {
    const std::size_t next = std::min(text.find("\n== ", 1), text.size() - 1) + 1;
    std::string block(text.substr(0, next));
    text.remove_prefix(next);
    const std::size_t line = block.starts_with(kHead) ? block.find('\n') + 1 : block.size();
    if (block.compare(std::min(line, block.size()), kShapes.size(), kShapes) != 0) {
      out += block;
      continue;
    }
    const std::size_t end = block.find('\n', line);
    for (const std::string& shape :
         split(std::string_view(block).substr(line + kShapes.size(), end - line - kShapes.size()), ' ')) {
      std::string copy = block.substr(0, line) + block.substr(end + 1);
      replace_all(copy, "SHAPE", shape);
      replace_all(copy, "RANK", std::to_string(static_cast<int>(shape.size()) - 2));
      out += copy + "\n";
    }
  }
  return out;
}

}  // namespace

const TemplateLibrary::Macro& TemplateLibrary::macro(std::string_view name) const {
  for (const Macro& one : macros)
    if (one.name == name) return one;
  TRL_CHECK(false, "no macro of that name: " + std::string(name));
  return macros.front();
}

TemplateLibrary read_templates(std::string_view source) {
  const std::string whole = with_shapes(source);
  std::string_view text = whole;
  TemplateLibrary library;
  ModuleTemplate* of = nullptr;
  std::vector<TemplateLine>* section = nullptr;
  bool in_forward = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("macro ")) {
      const std::size_t colon = line.find(": ");
      const std::vector<std::string> words = split(line.substr(6, colon - 6), ' ');
      library.macros.push_back({.name = words[0],
                                .parameters = static_cast<int>(words.size()) - 1,
                                .body = PieceReader(line.substr(colon + 2), nullptr).read()});
      continue;
    }
    if (line.starts_with("== ")) {
      const std::vector<std::string> words = split(line.substr(3), ' ');
      library.templates.push_back({.name = words[0],
                                   .kind = words[1],
                                   .weight = words.size() > 2 ? words[2][0] - '0' : 4,
                                   .held_out = is_held_out("template:" + words[0])});
      of = &library.templates.back();
      of->slots.emplace_back("x");
      section = nullptr;
      in_forward = false;
      continue;
    }
    TRL_CHECK(of != nullptr, "a line outside of a template: " + std::string(line));
    if (line == "top" || line == "init" || line == "methods" || line == "forward") {
      section = line == "top" ? &of->top : line == "init" ? &of->init : line == "methods" ? &of->methods : &of->forward;
      in_forward = line == "forward";
      continue;
    }
    if (section == nullptr) {
      read_header(*of, line);
      continue;
    }
    if (line.find("math.") != std::string_view::npos) of->needs_math = true;
    const std::size_t loop = line.find("in range(");
    if (loop != std::string_view::npos && line.find("(1)", loop) != std::string_view::npos) of->walks = true;
    const std::size_t indent = line.find_first_not_of(' ');
    const std::string_view rest = line.substr(indent);
    if (rest.starts_with("@dense ")) {
      section->push_back(read_dense(rest.substr(7), static_cast<int>(indent), *of));
    } else if (in_forward && indent == 0 && rest.starts_with("return ")) {
      of->result = PieceReader(rest.substr(7), of).read();
    } else {
      section->push_back({.indent = static_cast<int>(indent), .pieces = PieceReader(rest, of).read()});
    }
  }
  for (ModuleTemplate& one : library.templates) note_kept_arguments(one);
  return library;
}

const TemplateLibrary& template_library() {
  static const TemplateLibrary library = [] {
    std::string all;
    for (const base::EmbeddedFile& file : template_files()) all += std::string(file.text) + "\n";
    return read_templates(all);
  }();
  return library;
}

}  // namespace tritonrl::teacher
