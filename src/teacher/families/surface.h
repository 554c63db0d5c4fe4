#pragma once

#include <string>
#include <string_view>

#include "teacher/families/draw.h"
#include "teacher/families/style.h"

namespace tritonrl::teacher {

// How the file around the formulas is written, beyond what Style says: annotations, where numbers stand, how inputs are
// made. Drawn apart from what is computed, by a seed of its own. Percentages where not said otherwise.
struct Surface {
  bool real = false;  // written as people's files are; else nothing below is seen
  bool realistic_sizes = false;
  bool renamed = true;    // its names may be drawn once more (GenerateOptions::rename)
  bool own_name = false;  // the model's class is not called Model

  std::string_view tensor = "torch.Tensor";  // as annotations call it
  bool results = false;                      // forward(...) -> torch.Tensor
  bool none = false;                         // __init__(...) -> None
  std::string_view base = "nn.Module";       // of classes; "Module": imported
  bool future = false;                       // from __future__ import annotations
  bool typing = false;                       // an import of typing that may be of no use
  int keeps = 0;                             // an argument of the constructor is an attribute, needed or not

  int given_constants = 0;  // what the constructor is given is a constant of the file
  int products = 0;         // a constant of the file is a product: 8 * 2
  bool together = false;    // constants in one assignment: a, b = (1, 2)
  bool keywords = false;    // get_init_inputs as KernelBook has it: [[], {'dim': 4}]

  enum class Inputs { kList, kNamed, kTuple };
  Inputs inputs = Inputs::kList;  // of get_inputs: [torch.rand(2)]; x = torch.rand(2), then [x]; (torch.rand(2), …)
  enum class Sizes { kPlain, kList, kTuple, kStarred };
  Sizes sizes = Sizes::kPlain;                   // torch.rand(a, b), ([a, b]), ((a, b)), (a, *shape)
  std::string_view maker = "randn", after = {};  // torch.rand(a) * 2 - 1
};

// Also changes the habits of `style` that real files have more of.
Surface draw_surface(Draw& draw, Style& style);

}  // namespace tritonrl::teacher
