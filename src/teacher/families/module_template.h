#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::teacher {

// A piece of a template's text; what the language has is said in templates/README.md.
struct Piece {
  enum class Kind : std::uint8_t {
    kText,
    kName,
    kChoice,
    kMacro,
    kParameter,
    kFunctional,
    kActivation,
    kGate,
    kUnary,
    kNumber,
    kHint,
    kSuper
  };
  Kind kind = Kind::kText;
  std::string text = {};   // kText; kFunctional: the function; kNumber: the hint; kHint: the type; kMacro: its name
  int slot = 0;            // kName, kSuper; kParameter: which
  bool attribute = false;  // kName behind "self."
  std::vector<std::vector<Piece>> branches = {};  // kChoice; kMacro: arguments; kActivation…: the operand
  std::vector<std::string> words = {};            // kChoice: idiom of each branch or empty; kNumber: the values
  std::vector<int> weights = {};                  // kChoice
};
using Pieces = std::vector<Piece>;
inline constexpr std::string_view kTensorHint = ": torch.Tensor";  // of kHint: as the file calls tensors

struct TemplateLine {
  int indent = 0;
  bool dense = false;  // a formula is planted here; `operands` are in scope, the first is given the result
  Pieces pieces = {};
  struct Operand {
    int slot = 0;
    bool attribute = false;
    std::string shape;
    bool nonnegative = false;
  };
  std::vector<Operand> operands = {};
};

struct ModuleTemplate {
  struct Argument {
    std::string name;
    char letter = 0;                       // a size
    std::vector<std::string> values = {};  // or numbers to choose from
    int slot = 0;
    bool kept = false;  // forward needs it too
  };
  struct Input {
    int slot = 0;
    std::string shape, kind;
    char most = 0;
  };
  struct Derived {
    char letter, from, sign;  // h = H / 2: sign '/', `by` a number or the name of an argument
    std::string by;
  };
  std::string name, kind;  // "image", "seq", "vec", "wave", "whole" or "lone"
  int weight = 4;
  bool held_out = false;  // its idiom, "template:NAME", is
  std::vector<Argument> arguments = {};
  std::vector<Input> inputs = {};
  std::vector<std::pair<char, std::string>> multiples = {};
  std::vector<std::pair<char, int>> least = {};
  std::vector<std::string> shapes = {};
  std::vector<Derived> derived = {};
  std::vector<std::string> slots = {};  // the hints of the names
  bool needs_math = false;
  bool walks = false;  // a loop of Python's over a tensor's dimension
  std::vector<TemplateLine> top = {}, init = {}, methods = {}, forward = {};
  Pieces result = {};  // behind the last `return`
};

struct TemplateLibrary {
  struct Macro {
    std::string name;
    int parameters = 0;
    Pieces body;
  };
  std::vector<Macro> macros;
  std::vector<ModuleTemplate> templates;

  const Macro& macro(std::string_view name) const;
};

// Those that came with the program, read once.
const TemplateLibrary& template_library();

// TRL_CHECK where the text is none.
TemplateLibrary read_templates(std::string_view text);

}  // namespace tritonrl::teacher
