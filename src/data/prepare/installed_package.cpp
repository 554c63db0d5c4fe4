#include "data/prepare/installed_package.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "text/chars.h"

namespace tritonrl::data {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostMetadataBytes = std::size_t{4} << 20;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = text::lower(c);
  return out;
}

// What people write, in lower case, and the licence that it means. Longer ones first: "bsd" is in all of its kind.
std::string spdx_of(std::string_view words) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {{"apache", "Apache-2.0"},
                                                                             {"bsd-2-clause", "BSD-2-Clause"},
                                                                             {"bsd 2-clause", "BSD-2-Clause"},
                                                                             {"bsd-3-clause", "BSD-3-Clause"},
                                                                             {"bsd 3-clause", "BSD-3-Clause"},
                                                                             {"new bsd", "BSD-3-Clause"},
                                                                             {"modified bsd", "BSD-3-Clause"},
                                                                             {"bsd", "BSD-3-Clause"},
                                                                             {"isc", "ISC"},
                                                                             {"mozilla", "MPL-2.0"},
                                                                             {"mpl", "MPL-2.0"},
                                                                             {"lesser general", "LGPL-3.0"},
                                                                             {"lgpl", "LGPL-3.0"},
                                                                             {"affero", "AGPL-3.0"},
                                                                             {"agpl", "AGPL-3.0"},
                                                                             {"general public", "GPL-3.0"},
                                                                             {"gpl", "GPL-3.0"},
                                                                             {"unlicense", "Unlicense"},
                                                                             {"public domain", "CC0-1.0"},
                                                                             {"python software", "PSF-2.0"},
                                                                             {"mit", "MIT"}};
  const std::string text = lower(words);
  for (const auto& [part, name] : kNames) {
    if (text.find(part) != std::string::npos) return std::string(name);
  }
  return std::string(text::trim(words.substr(0, 60)));
}

std::string header(std::string_view line, std::string_view name) {
  return line.starts_with(name) ? std::string(text::trim(line.substr(name.size()))) : std::string();
}

// The folder of metadata whose list of files holds the package.
void read_metadata(const fs::path& site, InstalledPackage& package) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(site, ignored)) {
    if (entry.path().extension() == ".dist-info") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  for (const fs::path& folder : found) {
    try {
      const std::string files = base::read_file(folder / "RECORD", std::size_t{64} << 20);
      if (!files.starts_with(package.name + "/__init__.py,") &&
          files.find("\n" + package.name + "/__init__.py,") == std::string::npos)
        continue;
      const std::string metadata = base::read_file(folder / "METADATA", kMostMetadataBytes);
      const std::string stem = folder.stem().string();
      package.distribution = stem.substr(0, stem.find('-'));
      package.version = stem.find('-') == std::string::npos ? "" : stem.substr(stem.find('-') + 1);
      package.licenses = licenses_of_metadata(metadata);
      return;
    } catch (const base::UserError&) {  // no list, no metadata: another one may have them
    }
  }
}

}  // namespace

std::vector<std::string> licenses_of_metadata(std::string_view metadata) {
  std::string expression, license;
  std::vector<std::string> classifiers;
  for (std::size_t at = 0; at < metadata.size();) {
    const std::size_t end = std::min(metadata.find('\n', at), metadata.size());
    const std::string_view line = metadata.substr(at, end - at);
    if (text::trim(line).empty()) break;  // the description follows
    if (expression.empty()) expression = header(line, "License-Expression:");
    if (license.empty()) license = header(line, "License:");
    const std::string classifier = header(line, "Classifier: License ::");
    if (!classifier.empty() && classifier != "OSI Approved") classifiers.push_back(spdx_of(classifier));
    at = end + 1;
  }
  std::vector<std::string> out;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  };
  if (!expression.empty()) {
    // "MIT AND (Apache-2.0 OR BSD-2-Clause)": all are named, a filter wants all of them
    for (std::size_t at = 0; at < expression.size();) {
      const std::size_t end = std::min(expression.find_first_of(" ()", at), expression.size());
      const std::string word = expression.substr(at, end - at);
      if (word != "AND" && word != "OR" && word != "WITH") add(word);
      at = end + 1;
    }
  } else if (!classifiers.empty()) {
    for (const std::string& name : classifiers) add(name);
  } else if (!license.empty()) {
    add(spdx_of(license));
  }
  return out;
}

std::optional<InstalledPackage> find_package(const std::string& name, const std::vector<std::string>& paths) {
  const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return text::is_word(c); });
  if (!is_name) return std::nullopt;
  for (const std::string& path : paths) {
    std::error_code ignored;
    const fs::path folder = fs::path(path) / name;
    if (!fs::is_regular_file(folder / "__init__.py", ignored)) continue;
    InstalledPackage out;
    out.name = name;
    out.folder = folder;
    read_metadata(path, out);
    return out;
  }
  return std::nullopt;
}

}  // namespace tritonrl::data
