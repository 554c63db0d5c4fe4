#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "tests/base/expectations.h"
#include "tests/paths.h"

namespace tritonrl::weights {

// Files that scripts/make_weights_goldens.py made with the reference packages.
inline std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(source_path("tests/weights/goldens")) / name;
}

inline std::string golden_text(const std::string& name) {
  return base::read_file(golden(name));
}

inline std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

using base::error_of;
using base::expect_contains;
using base::write_text;

}  // namespace tritonrl::weights
