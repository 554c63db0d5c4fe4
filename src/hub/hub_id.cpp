#include <algorithm>

#include "hub/hub.h"

namespace tritonrl::hub {

bool is_repository_id(std::string_view name) {
  const auto is_part = [](std::string_view text) {
    return !text.empty() && text[0] != '.' && text[0] != '-' && text.size() <= 96 &&
           std::all_of(text.begin(), text.end(), [](char c) {
             return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                    c == '_' || c == '.';
           });
  };
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return is_part(name);
  return is_part(name.substr(0, slash)) && is_part(name.substr(slash + 1));
}

}  // namespace tritonrl::hub
