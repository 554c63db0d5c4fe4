#pragma once

#include <string>
#include <string_view>

namespace tritonrl::cli {

// Whether a candidate's file holds a model's answer, from which code is to be extracted, or code. Markdown and text
// files are answers; a .py file is one only if it has a fence where Python cannot have one; anything else if it has a
// fence.
bool is_answer(const std::string& name, std::string_view text);

}  // namespace tritonrl::cli
