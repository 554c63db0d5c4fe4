#include "text/fence_line.h"

#include <algorithm>

#include "text/chars.h"
#include "text/code_block.h"
#include "text/python_lines.h"

namespace tritonrl::text {
namespace {

constexpr std::size_t kMinimum = 3;  // marks in a fence

std::size_t run_length(std::string_view text, char mark) {
  std::size_t n = 0;
  while (n < text.size() && text[n] == mark) ++n;
  return n;
}

// "- ", "* ", "+ ", "12. ", "3) "
std::size_t list_marker_length(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && n < 9 && is_digit(text[n])) ++n;
  bool numbered = n > 0 && n < text.size() && (text[n] == '.' || text[n] == ')');
  bool bullet = n == 0 && !text.empty() && (text[0] == '-' || text[0] == '*' || text[0] == '+');
  if (!numbered && !bullet) return 0;
  return n + 1 < text.size() && is_blank(text[n + 1]) ? n + 1 : 0;
}

std::string_view without_containers(std::string_view line, int* quotes) {
  while (true) {
    line = trim_left(line);
    if (line.starts_with('>')) {
      ++*quotes;
      line.remove_prefix(1);
      continue;
    }
    std::size_t marker = list_marker_length(line);
    if (marker == 0) return line;
    line.remove_prefix(marker);
  }
}

bool begins_code(std::string_view text) {
  LineShape shape = line_shape(text);
  return shape == LineShape::kImport || shape == LineShape::kDefinition;
}

// "python", "{.python .numberLines}", "python title=x", "py:kernel.py", "python import torch", "pythonimport torch"
void read_info(std::string_view info, OpeningFence* fence) {
  info = trim(info);
  if (begins_code(info)) {
    fence->code = info;
    return;
  }
  constexpr std::string_view kPython = "python";
  if (starts_with_ignoring_case(info, kPython) && begins_code(info.substr(kPython.size()))) {
    fence->language = kPython;
    fence->code = trim(info.substr(kPython.size()));
    return;
  }
  while (!info.empty() && (info[0] == '{' || info[0] == '.' || is_blank(info[0]))) info.remove_prefix(1);
  std::size_t n = std::min(info.find_first_of(" \t,:;{}[]("), info.size());
  std::transform(info.begin(), info.begin() + n, std::back_inserter(fence->language), lower);
  if (begins_code(info.substr(n))) fence->code = trim(info.substr(n));
}

// "Here is the code: ```python"
OpeningFence fence_behind_prose(std::string_view line) {
  std::size_t at = line.find("```");
  if (at == std::string_view::npos || line_shape(line) == LineShape::kComment) return {};
  OpeningFence fence;
  fence.length = run_length(line.substr(at), '`');
  std::string_view info = line.substr(at + fence.length);
  if (info.find('`') != std::string_view::npos) return {};
  read_info(info, &fence);
  fence.needs_code = trim(info).empty();
  if (!fence.needs_code && !is_python_language(fence.language)) return {};
  fence.mark = '`';
  return fence;
}

}  // namespace

OpeningFence opening_fence(std::string_view line) {
  OpeningFence fence;
  std::string_view text = without_containers(line, &fence.quotes);
  if (text.empty()) return {};
  char mark = text[0];
  fence.length = mark == '`' || mark == '~' || mark == '\'' ? run_length(text, mark) : 0;
  if (fence.length < kMinimum) return fence_behind_prose(line);
  std::string_view info = text.substr(fence.length);
  // By CommonMark, "```x```" is code within a line.
  if (mark == '`' && info.find('`') != std::string_view::npos) return {};
  read_info(info, &fence);
  // Python's own quotes, taken for a fence by some models.
  if (mark == '\'' && (!is_python_language(fence.language) || fence.length != kMinimum)) return {};
  fence.mark = mark;
  return fence;
}

std::size_t fence_length(std::string_view line, char mark) {
  std::size_t n = run_length(trim_left(line), mark);
  return n >= kMinimum ? n : 0;
}

std::string_view without_quotes(std::string_view line, int quotes, int* found) {
  *found = 0;
  while (*found < quotes) {
    std::string_view text = trim_left(line);
    if (!text.starts_with('>')) break;
    line = text.substr(1);
    if (line.starts_with(' ')) line.remove_prefix(1);
    ++*found;
  }
  return line;
}

}  // namespace tritonrl::text
