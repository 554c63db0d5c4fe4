#include "optimize/module_place.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "text/chars.h"

namespace tritonrl::optimize {
namespace {

namespace fs = std::filesystem;

bool is_identifier(std::string_view name) {
  return !name.empty() && text::leading_word(name) == name;
}

bool is_file(const fs::path& path) {
  std::error_code unreachable;
  return fs::is_regular_file(path, unreachable);
}

// "package.module" in the folders of the interpreter.
std::optional<fs::path> installed(const std::string& name, const std::vector<std::string>& python_paths) {
  fs::path below;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t dot = std::min(name.find('.', at), name.size());
    const std::string part = name.substr(at, dot - at);
    if (!is_identifier(part)) return std::nullopt;
    below /= part;
    at = dot + 1;
  }
  for (const std::string& folder : python_paths) {
    const fs::path module = fs::path(folder) / (below.string() + ".py"),
                   package = fs::path(folder) / below / "__init__.py";
    if (is_file(package)) return package;
    if (is_file(module)) return module;
  }
  return std::nullopt;
}

}  // namespace

ModulePlace find_place(const std::string& name, const std::vector<std::string>& python_paths) {
  ModulePlace out;
  std::string file = name;
  const std::size_t colon = name.rfind(':');
  if (!is_file(name) && colon != std::string::npos) {
    file = name.substr(0, colon);
    out.cls = name.substr(colon + 1);
    if (!is_identifier(out.cls))
      throw base::UserError("optimize", name + ": '" + out.cls + "' is no name of a class; write FILE:Class");
  }
  std::error_code unreachable;
  if (is_file(file)) {
    out.file = file;
  } else if (const std::optional<fs::path> found = installed(file, python_paths)) {
    out.file = *found;
  } else if (fs::is_directory(file, unreachable)) {
    throw base::UserError("optimize", file + ": is a folder; name one file of it, and the class: FILE:Class");
  } else {
    const bool like_file = file.ends_with(".py") || file.find('/') != std::string::npos;
    throw base::UserError("optimize", file + ": there is no such file" +
                                          (like_file ? "; check the path"
                                                     : ", and no module of that name in the Python environment; name a "
                                                       "file, or package.module:Class of something installed"));
  }
  fs::path top = fs::absolute(out.file).lexically_normal().parent_path();
  while (is_file(top / "__init__.py") && is_file(top.parent_path() / "__init__.py")) top = top.parent_path();
  out.root = top;
  out.package = top.filename().string();
  if (!is_identifier(out.package)) out.package = "project";
  return out;
}

}  // namespace tritonrl::optimize
