#pragma once

#include <string>
#include <string_view>

namespace tritonrl::text {

// A line that can open a fenced block.
struct OpeningFence {
  char mark = 0;            // '`', '~' or '\''; 0: the line is none
  std::size_t length = 0;   // of the fence
  int quotes = 0;           // '>' in front of it
  std::string language;     // in lower case
  std::string code;         // what stands on the line behind the language, if that is code
  bool needs_code = false;  // only a fence if the next line is code: nothing else tells it from stray backticks
};
OpeningFence opening_fence(std::string_view line);

// How many `mark`s the line begins with, after white space.
std::size_t fence_length(std::string_view line, char mark);

// The line without up to `quotes` quote marks and the space behind each; `found` counts those it had.
std::string_view without_quotes(std::string_view line, int quotes, int* found);

}  // namespace tritonrl::text
