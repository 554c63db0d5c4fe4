#pragma once

#include <string>

#include "report/document.h"

namespace tritonrl::report {

// One file that opens without a network: style and pictures are inside, scripts are none, and its own policy forbids
// any, so that text which escaped escaping could do nothing.
std::string html_page(const Document& document);

// For a terminal, a pull request or an issue: tables, bars and curves as characters.
std::string markdown_page(const Document& document);

}  // namespace tritonrl::report
