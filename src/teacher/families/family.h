#pragma once

#include "teacher/families/page.h"

namespace tritonrl::teacher {

// Each writes `page.model` (and helpers) whole.
void write_fusion(Page& page);
void write_single(Page& page);
void write_formula_module(Page& page);  // a dense formula and little else
void write_template_module(Page& page);

}  // namespace tritonrl::teacher
