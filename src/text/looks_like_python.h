#pragma once

#include <string_view>

namespace tritonrl::text {

// Most statements of `text` have a Python shape, at least one does, and few lines look like another language.
bool looks_like_python(std::string_view text);

}  // namespace tritonrl::text
