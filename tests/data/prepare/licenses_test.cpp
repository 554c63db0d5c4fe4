#include "data/prepare/licenses.h"

#include <gtest/gtest.h>

namespace tritonrl::data {
namespace {

Example with(std::vector<std::string> licenses) {
  Example example;
  example.licenses = std::move(licenses);
  example.states_licenses = true;
  return example;
}

TEST(LicenseFilter, TakesPermissiveOnesByDefault) {
  const LicenseFilter filter;
  EXPECT_TRUE(filter.accepts(with({"MIT"})));
  EXPECT_TRUE(filter.accepts(with({"apache-2.0", "BSD-3-Clause"})));
  EXPECT_FALSE(filter.accepts(with({"GPL-3.0"})));
  EXPECT_FALSE(filter.accepts(with({"MIT", "GPL-3.0"})));  // both hold
  EXPECT_FALSE(filter.accepts(with({})));                  // it should say and does not
  EXPECT_TRUE(filter.accepts(Example{}));                  // a source that knows no licences
}

TEST(LicenseFilter, TakesNamesAndAll) {
  const LicenseFilter named{.allowed = {"GPL-3.0", "permissive"}};
  EXPECT_TRUE(named.accepts(with({"gpl-3.0", "MIT"})));
  EXPECT_FALSE(named.accepts(with({"AGPL-3.0"})));
  const LicenseFilter all{.allowed = {"all"}};
  EXPECT_TRUE(all.accepts(with({"anything"})));
  EXPECT_TRUE(all.accepts(with({})));
}

}  // namespace
}  // namespace tritonrl::data
