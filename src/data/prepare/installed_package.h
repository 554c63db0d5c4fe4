#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::data {

// A Python package as it lies on the disk.
struct InstalledPackage {
  std::string name;                   // by which it is imported: "timm"
  std::filesystem::path folder;       // with its __init__.py
  std::string distribution, version;  // of its metadata: "timm", "1.0.9"; empty where it has none
  std::vector<std::string> licenses;  // SPDX names as far as the metadata tell them
};

// Looks in the folders that an interpreter imports from, without importing anything. None: no package of this name is
// there.
std::optional<InstalledPackage> find_package(const std::string& name, const std::vector<std::string>& paths);

// The licences that a METADATA file states: License-Expression, License, classifiers.
std::vector<std::string> licenses_of_metadata(std::string_view metadata);

}  // namespace tritonrl::data
