#pragma once

#include <string>

namespace tritonrl::report {

inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The lines of Markdown that are not within fences.
inline std::string unfenced(const std::string& markdown) {
  std::string out, fence;
  std::size_t at = 0;
  for (std::size_t end; (end = markdown.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string line = markdown.substr(at, end - at);
    if (fence.empty() && line.rfind("```", 0) == 0) {
      fence = line.substr(0, line.find_first_not_of('`'));
    } else if (fence.empty()) {
      out += line + "\n";
    } else if (line == fence) {
      fence.clear();
    }
  }
  return fence.empty() ? out : "a fence never ends: <";
}

}  // namespace tritonrl::report
