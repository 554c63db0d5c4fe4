#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "syntax/tree.h"
#include "teacher/facts/facts.h"

namespace tritonrl::teacher {

// The module with drawn formulas behind one to three of its statements, where a float tensor gets its name or is
// returned: other modules of the same build, as many as there are seeds. Shapes stay. `text` is what `module` was read
// from, a line a statement. None: no such place, or the draw wants what the file does not have.
std::optional<std::string> planted_module(std::string_view text, const syntax::SyntaxNode& module, const Facts& facts,
                                          std::uint64_t seed);

}  // namespace tritonrl::teacher
