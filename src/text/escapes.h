#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tritonrl::text {

// The string of a JSON answer that holds the code: of those with line breaks the longest that names `entry_point`,
// else the longest. Nothing if `text` does not begin like JSON or no string has a line break. A cut document will do.
std::optional<std::string> json_code(std::string_view text, std::string_view entry_point);

// Code written on one line with "\n" for its line breaks; nothing if `text` is no such line.
std::optional<std::string> unescape_flat_code(std::string_view text);

// &lt; &gt; &amp; &quot; &#39; &nbsp; become characters if one stands outside Python's strings and comments;
// inside a string only, they are the string's own.
std::string unescape_html(std::string code);

}  // namespace tritonrl::text
