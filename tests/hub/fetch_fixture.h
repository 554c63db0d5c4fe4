#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "hub/hub.h"
#include "tests/base/expectations.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::hub {

using base::error_of;
using base::expect_contains;
using base::write_text;

inline void expect_lacks(const std::string& text, const std::string& part) {
  EXPECT_EQ(text.find(part), std::string::npos) << "did not expect \"" << part << "\" in: " << text;
}

}  // namespace tritonrl::hub
