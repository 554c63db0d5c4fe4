#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace tritonrl::base {

// The whole file. UserError if it is missing, a directory, unreadable, longer than `limit` bytes or a Git LFS pointer.
std::string read_file(const std::filesystem::path& path, std::size_t limit = std::size_t{1} << 30);

// Writes aside, syncs and renames (base/aside_file.h).
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// All bytes to an open descriptor. UserError names `path` if they cannot be written.
void write_all(int fd, std::string_view bytes, const std::filesystem::path& path);

// The folders above a file that is to be written. UserError if they cannot be made.
void make_folder_of(const std::filesystem::path& file);

// Differs once the file or folder is another: its path, number, size and time of change.
std::string file_stamp(const std::filesystem::path& path);

}  // namespace tritonrl::base
