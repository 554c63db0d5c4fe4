#include "data/prepare/installed_package.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "tests/base/scratch_folder.h"

namespace tritonrl::data {
namespace {

using Names = std::vector<std::string>;

TEST(Metadata, StatesLicences) {
  EXPECT_EQ(licenses_of_metadata("Name: a\nLicense-Expression: MIT AND (Apache-2.0 OR BSD-2-Clause)\nLicense: GPL\n"),
            (Names{"MIT", "Apache-2.0", "BSD-2-Clause"}));
  EXPECT_EQ(licenses_of_metadata("License: Apache 2.0\n"), Names{"Apache-2.0"});
  EXPECT_EQ(licenses_of_metadata("License: see file\nClassifier: License :: OSI Approved :: BSD License\n"),
            Names{"BSD-3-Clause"});
  EXPECT_EQ(
      licenses_of_metadata("Classifier: License :: OSI Approved :: GNU Lesser General Public License v3 (LGPLv3)\n"),
      Names{"LGPL-3.0"});
  EXPECT_EQ(licenses_of_metadata("Name: a\n\nLicense: MIT\n"), Names{});  // in the description
  EXPECT_EQ(licenses_of_metadata("License: Proprietary, ask us\n"), Names{"Proprietary, ask us"});
}

TEST(Package, IsFoundWithItsMetadata) {
  const base::ScratchFolder scratch;
  const std::filesystem::path site = scratch.path("site");
  std::filesystem::create_directories(site / "nets");
  std::filesystem::create_directories(site / "some_nets-1.2.dist-info");
  base::write_file_atomically(site / "nets/__init__.py", "raise ImportError('never imported')\n");
  EXPECT_EQ(find_package("nets", {site})->licenses, Names{});
  base::write_file_atomically(site / "some_nets-1.2.dist-info/RECORD", "a.py,,\nnets/__init__.py,,\n");
  base::write_file_atomically(site / "some_nets-1.2.dist-info/METADATA", "License: MIT\n");
  const auto found = find_package("nets", {"/nonexistent", site});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->distribution, "some_nets");
  EXPECT_EQ(found->version, "1.2");
  EXPECT_EQ(found->licenses, Names{"MIT"});
  EXPECT_FALSE(find_package("other", {site}).has_value());
  EXPECT_FALSE(find_package("../site/nets", {site}).has_value());
}

}  // namespace
}  // namespace tritonrl::data
