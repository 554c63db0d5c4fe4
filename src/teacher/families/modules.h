#pragma once

#include <string>
#include <vector>

#include "teacher/families/generate.h"
#include "teacher/families/page.h"

namespace tritonrl::teacher {

// The text of a module, before anyone looked at it.
struct DrawnModule {
  std::string text;                 // Python, with more brackets than its normal form has
  std::vector<std::string> idioms;  // that it was made of
  HeldOut held_out;                 // of those
  std::string entry_point = "Model";
  bool renamed = true;  // its names may be drawn once more
};

// A module of the family by that seed alone.
DrawnModule draw_module(Family family, std::uint64_t seed, const ModuleOptions& options = {});

// Each writes `page.model` (and helpers) whole.
void write_fusion(Page& page);
void write_single(Page& page);
void write_formula_module(Page& page);  // a dense formula and little else
void write_template_module(Page& page);
void write_lone_operator(Page& page);  // one operator, of a template of its own
void write_chain(Page& page);          // layers with formulas between them that share attributes

}  // namespace tritonrl::teacher
