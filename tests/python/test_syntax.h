#pragma once

#include <string>
#include <string_view>

#include "python/syntax_reader.h"

namespace tritonrl::python {

// Of the build's interpreter and this machine's best sandbox.
SyntaxReaderOptions test_syntax_options();

// One warm reader for all tests of a program.
SyntaxReader& test_syntax();

// One text through it.
ParsedSource parse_text(std::string_view text, bool normalise = false);

// The tree as tests/syntax/dump_syntax.py writes Python's own.
std::string dump(const syntax::SyntaxNode& node);

}  // namespace tritonrl::python
