#include "cli/candidate_file.h"

#include <filesystem>

#include "text/fences.h"
#include "text/python_scan.h"

namespace tritonrl::cli {
namespace {

// Python 3 has no backtick outside strings and comments.
bool has_fence_in_code(std::string_view text) {
  const std::string kinds = text::byte_kinds(text);
  for (std::size_t at = text.find("```"); at != std::string_view::npos; at = text.find("```", at + 3)) {
    if (kinds[at] == text::kCode) return true;
  }
  return false;
}

}  // namespace

bool is_answer(const std::string& name, std::string_view text) {
  const std::string extension = std::filesystem::path(name).extension().string();
  if (extension == ".md" || extension == ".markdown" || extension == ".txt") return true;
  if (extension == ".py") return has_fence_in_code(text);
  return !text::find_fenced_blocks(text).empty();
}

}  // namespace tritonrl::cli
