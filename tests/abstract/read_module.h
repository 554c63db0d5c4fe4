#pragma once

#include <string>
#include <string_view>

#include "abstract/difficulty.h"

namespace tritonrl::abstract {

// What forward_operators makes of a text, through Python's own parser. A text that does not parse fails the test.
ForwardOperators read_module(std::string_view source, const std::string& entry_point = {});

// The computing operators in one line, "conv2d batch_norm relu*": the star marks repeated ones.
std::string computing(const ForwardOperators& forward);
std::string computing(std::string_view source, const std::string& entry_point = {});

// A text whose Model has this constructor and this forward, each given as lines separated by "; " or newlines with
// their own further indentation; forward takes x.
std::string model(std::string_view constructor, std::string_view forward);

}  // namespace tritonrl::abstract
