#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "teacher/families/draw.h"
#include "teacher/families/idioms.h"
#include "teacher/families/names.h"
#include "teacher/families/sizes.h"
#include "teacher/families/style.h"
#include "teacher/families/surface.h"

namespace tritonrl::teacher {

// A class that is being written.
struct ClassText {
  struct Argument {
    std::string name;
    std::string_view type;  // for hints: "int"
    std::string fallback;   // its default; empty: none
    std::string given;      // what the constructor is called with; empty: the default is left
    char letter = 0;        // the size that it carries, or 0
  };
  std::string name = "Model";
  bool is_model = true;
  std::vector<Argument> arguments;
  std::string init, forward;      // lines of the bodies, indented
  std::string forward_arguments;  // ", x, y"
  std::string methods;            // whole methods
  NameSet names;

  // Puts an argument where its default allows.
  void add_argument(Argument argument);
};

enum class InputKind : std::uint8_t { kNormal, kUniform, kIndex, kMask, kZeroOne, kSign, kDistribution, kNumber };

// How modules are drawn, whatever they are.
struct ModuleOptions {
  HeldOut held_out = {};  // may be used, and are favoured
  bool realistic_sizes = false;
  bool real_styles = false;  // Surface is drawn
};

// A file that is being written: imports, helpers, `Model`, sizes, get_inputs, get_init_inputs. Its text is Python,
// though not in normal form (brackets may be too many).
class Page {
 public:
  Page(std::uint64_t seed, const ModuleOptions& options);

  Draw draw;
  IdiomUse idioms;
  Draw surface_draw;  // of what `surface` decides: what is computed does not depend on it
  Style style;
  Surface surface;
  Sizes sizes;
  NameSet file_names;
  ClassText model;
  std::string top;  // functions and classes before Model
  bool needs_math = false;

  // A function of torch.nn.functional as this file calls it.
  std::string functional(std::string_view name);
  // ": torch.Tensor", where arguments have hints.
  std::string tensor_hint() const { return style.hints ? ": " + std::string(surface.tensor) : ""; }
  // A size where the inputs are made, and inside a class's constructor.
  std::string size_constant(char letter);
  std::string size_text(ClassText& owner, char letter);
  // "C, 1, 1" by the latter.
  std::string shape_text(ClassText& owner, std::string_view shape);
  // The number `value` as the constructor has it: itself, or an argument.
  std::string constructor_number(ClassText& owner, std::string_view value, std::string_view hint);
  // The number inside a method: itself, an attribute, an attribute from an argument. `owner` null: inside a plain
  // function.
  std::string number(ClassText* owner, std::string_view value, std::string_view hint);
  // An attribute whose value is the expression; "self.name".
  std::string attribute(ClassText& owner, std::string_view hint, std::string_view expression);
  // A new input of the model; its name in forward. `most`: of indices.
  std::string input(std::string_view hint, std::string_view shape, InputKind kind, char most = 0);
  // The input's name is chosen already.
  void add_input(const std::string& name, std::string_view shape, InputKind kind, char most = 0);

  void write_class(const ClassText& text, std::string& out);
  std::string text();

 private:
  std::string input_values(std::string_view shape, InputKind kind, char most);
  std::string input_sizes(std::string_view shape);
  void name_given_constants();
  std::string constants_text();

  bool needs_functional_ = false;
  std::vector<std::pair<std::string, std::string>> constants_;  // of the file: name and value
  std::array<std::string, 64> constant_names_;
  std::vector<std::pair<std::string, std::string>> inputs_;
};

void add_line(std::string& out, int indent, std::string_view line);
// A number written with so many hundredths: 250 → "2.5".
std::string decimal(int hundredths);

}  // namespace tritonrl::teacher
