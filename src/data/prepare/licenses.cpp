#include "data/prepare/licenses.h"

#include <algorithm>

#include "text/chars.h"

namespace tritonrl::data {
namespace {

// Those that ask for no more than the notice.
constexpr std::string_view kPermissive[] = {
    "0bsd",          "afl-3.0",      "apache-1.1",   "apache-2.0",   "artistic-2.0",
    "blueoak-1.0.0", "bsd-1-clause", "bsd-2-clause", "bsd-3-clause", "bsd-3-clause-clear",
    "bsd-4-clause",  "bsl-1.0",      "cc0-1.0",      "isc",          "mit",
    "mit-0",         "ms-pl",        "ncsa",         "postgresql",   "psf-2.0",
    "python-2.0",    "unlicense",    "upl-1.0",      "wtfpl",        "x11",
    "zlib"};

bool same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return text::lower(x) == text::lower(y); });
}

bool allows(std::string_view allowed, std::string_view license) {
  if (same(allowed, "permissive")) {
    return std::any_of(std::begin(kPermissive), std::end(kPermissive),
                       [&](std::string_view known) { return same(known, license); });
  }
  return same(allowed, license);
}

}  // namespace

bool LicenseFilter::accepts(const Example& example) const {
  const bool any =
      std::any_of(allowed.begin(), allowed.end(), [](const std::string& name) { return same(name, "all"); });
  if (any || !example.states_licenses) return true;
  if (example.licenses.empty()) return false;
  return std::all_of(example.licenses.begin(), example.licenses.end(), [&](const std::string& license) {
    return std::any_of(allowed.begin(), allowed.end(), [&](const std::string& name) { return allows(name, license); });
  });
}

}  // namespace tritonrl::data
