#pragma once

#include <cstdint>

#include "teacher/families/draw.h"
#include "teacher/families/idioms.h"

namespace tritonrl::teacher {

// How a module's author writes: drawn once a module, so that habits hold throughout it. Percentages where not said
// otherwise.
struct Style {
  enum class Functional : std::uint8_t { kImportAs, kFromNn, kFullPath, kNnPath };
  Functional functional = Functional::kImportAs;
  bool nn_from_torch = false;  // from torch import nn
  bool super_names_class = false;
  bool hints = false;  // type hints of arguments
  bool constructor_last = false;
  int function_form = 40, method_form = 30, module_form = 30;  // weights of the spellings of an operator
  int statement = 40;                                          // an intermediate value gets a name
  int reassign = 50;                                           // that name is the one that the value came from
  int augmented = 10;                                          // x += y where it may be
  int keyword = 60;                                            // dim=-1 rather than -1
  int negative_dim = 60;
  int literal = 40, attribute = 40, argument = 30;  // weights of the places of a number
  int constant = 60;                                // sizes as constants of the file
  int odd_names = 20;                               // names that say nothing
  int whole_numbers = 30;                           // 2 rather than 2.0
  bool camel = false;
};

Style draw_style(Draw& draw, IdiomUse& idioms);

}  // namespace tritonrl::teacher
