#include "optimize/module_list.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "base/error.h"

namespace tritonrl::optimize {
namespace {

namespace fs = std::filesystem;

std::vector<ListedModule> of_folder(const fs::path& folder) {
  std::vector<ListedModule> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".py" && entry.is_regular_file())
      out.push_back({.id = entry.path().stem().string(), .request = {.place = entry.path().string()}});
  }
  if (out.empty())
    throw base::UserError("optimize", folder.string() + ": has no Python files; name a folder of modules");
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return out;
}

// "level1/19_ReLU": a file of that name can lie in a folder of results, and nowhere else.
bool names_a_file(const std::string& id) {
  const fs::path path(id);
  if (id.empty() || path.is_absolute() || !path.has_filename()) return false;
  return std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".." || part == "."; });
}

}  // namespace

std::vector<ListedModule> read_modules(const fs::path& path) {
  std::error_code unreachable;
  if (fs::is_directory(path, unreachable)) return of_folder(path);
  std::ifstream file(path);
  if (!file)
    throw base::UserError("optimize",
                          path.string() + ": cannot be read; --batch names a file of JSON lines or a folder");
  std::vector<ListedModule> out;
  std::set<std::string> ids;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string where = path.string() + ":" + std::to_string(number);
    const base::Result<ListedModule> read = base::from_json<ListedModule>(line, "the line");
    if (!read.ok())
      throw base::UserError("optimize",
                            where + ": " + read.error() + "; write {\"id\": \"name\", \"module\": \"net.py:Block\"}");
    ListedModule module = read.value();
    if (!names_a_file(module.id))
      throw base::UserError("optimize", where + ": id \"" + module.id + "\" cannot be the name of a file of results");
    if (!ids.insert(module.id).second)
      throw base::UserError("optimize", where + ": id \"" + module.id + "\" comes twice");
    const std::string place = module.request.place;
    const fs::path beside = path.parent_path() / place.substr(0, place.rfind(".py") + 3);
    if (fs::exists(beside, unreachable)) module.request.place = (path.parent_path() / place).string();
    out.push_back(std::move(module));
  }
  if (out.empty()) throw base::UserError("optimize", path.string() + ": has no modules");
  return out;
}

}  // namespace tritonrl::optimize
