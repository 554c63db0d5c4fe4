#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "base/error.h"
#include "base/files.h"

namespace tritonrl::weights {

// Files that scripts/make_weights_goldens.py made with the reference packages.
inline std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(TRITONRL_SOURCE_DIR) / "tests/weights/goldens" / name;
}

inline std::string golden_text(const std::string& name) {
  return base::read_file(golden(name));
}

inline std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// The message of the UserError that `action` throws; fails if it throws none.
template <typename Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const base::UserError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "expected \"" << part << "\" in: " << text;
}

}  // namespace tritonrl::weights
