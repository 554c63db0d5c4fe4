#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tritonrl::optimize {

// A module's file, its class, and the project that the file belongs to.
struct ModulePlace {
  std::filesystem::path file;
  std::string cls;             // empty: not named
  std::filesystem::path root;  // folder that holds the project's files: of the outermost package, else the file's own
  std::string package;         // its import name
};

// "net.py", "net.py:Block" or "package.module:Block", the last looked for in `python_paths`. UserError where there is
// no such file.
ModulePlace find_place(const std::string& name, const std::vector<std::string>& python_paths);

}  // namespace tritonrl::optimize
