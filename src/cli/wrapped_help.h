#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace CLI {
class FormatterBase;
}

namespace tritonrl::cli {

// Of the terminal that the standard output is; else what COLUMNS says; else 80.
std::size_t help_width();

// The text in lines of at most `width` characters, cut between words; all but the first begin with `indent` spaces, and
// the first already has `used` characters. A word that is longer than a line is cut behind a comma, or stands out.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent, std::size_t used);

// Help in lines of that width.
std::shared_ptr<CLI::FormatterBase> wrapped_help(std::size_t width);

}  // namespace tritonrl::cli
