#pragma once

#include <string_view>

namespace tritonrl::base {

// A checkout without Git LFS has small text files in place of large ones. Whether these bytes begin one.
inline bool is_git_lfs_pointer(std::string_view head) {
  return head.starts_with("version https://git-lfs");
}

// Goes after the file's name in an error.
inline constexpr std::string_view kGitLfsComplaint =
    "is a Git LFS pointer, not the file that it stands for; run `git lfs pull` in its checkout";

}  // namespace tritonrl::base
