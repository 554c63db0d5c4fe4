#include "cli/interpreter_libraries.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "base/error.h"
#include "cli/build_facts.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

// "2.13.0+cpu" -> "2.13"
std::string release_of(const std::string& version) {
  const std::size_t major = version.find('.');
  return major == std::string::npos ? version : version.substr(0, version.find_first_of(".+", major + 1));
}

std::string joined(const fs::path& torch, const fs::path& arrow) {
  return (torch / "lib").string() + (arrow.empty() ? "" : ":" + arrow.string());
}

// The version that a torch says of itself in torch/version.py; empty: there is none.
std::string version_in(const fs::path& torch) {
  std::ifstream file(torch / "version.py");
  for (std::string line; std::getline(file, line);) {
    const std::size_t open = line.find('\''), close = line.rfind('\'');
    if (line.starts_with("__version__") && open != std::string::npos && close > open)
      return line.substr(open + 1, close - open - 1);
  }
  return {};
}

// What the build was configured with, unless it is gone or another by now.
std::optional<std::string> folders_of_build() {
  const fs::path torch = kBuildFacts.torch_folder;
  if (torch.empty() || !same_release(version_in(torch), kBuildFacts.torch)) return std::nullopt;
  std::error_code unreachable;
  const fs::path arrow = kBuildFacts.arrow_folder;
  return joined(torch, fs::is_directory(arrow, unreachable) ? arrow : fs::path());
}

bool is_of_build(const std::string& python) {
  return !python.empty() && fs::absolute(python).lexically_normal() == fs::path(kBuildFacts.python);
}

[[noreturn]] void refuse(const std::string& python, const std::string& version) {
  const std::string wanted = release_of(kBuildFacts.torch);
  throw base::UserError(
      "torch", python + " has " + (version.empty() ? "no torch" : "torch " + version) +
                   ", and this tritonrl was built for torch " + wanted +
                   ": install that there (pip install 'torch==" + wanted +
                   ".*'), name another interpreter by --python or TRITONRL_PYTHON, or build tritonrl with this "
                   "one (cmake -DTRITONRL_PYTHON=" +
                   python + ")");
}

}  // namespace

bool same_release(const std::string& version, const std::string& other) {
  return !version.empty() && release_of(version) == release_of(other);
}

std::string library_folders(const MachineOptions& options, const python::Interpreter& interpreter) {
  if (std::string(kBuildFacts.torch).empty()) return {};
  if (same_release(interpreter.torch_version, kBuildFacts.torch) && !interpreter.torch_folder.empty())
    return joined(interpreter.torch_folder, interpreter.arrow_folder);
  if (!is_chosen(options)) {
    if (const auto own = folders_of_build()) return *own;
  }
  refuse(interpreter.executable, interpreter.torch_version);
}

std::string library_folders(const MachineOptions& options) {
  if (std::string(kBuildFacts.torch).empty()) return {};
  const std::string python = find_python(options);
  if (is_of_build(python)) {
    if (const auto own = folders_of_build()) return *own;
  }
  return library_folders(options, python::read_interpreter(python));
}

void load_arrow(const MachineOptions& options) {
  const std::string python = find_python(options);
  const fs::path arrow = is_of_build(python) && fs::is_directory(kBuildFacts.arrow_folder)
                             ? fs::path(kBuildFacts.arrow_folder)
                             : fs::path(python::read_interpreter(python).arrow_folder);
  std::error_code none;
  std::vector<std::string> libraries;
  for (const fs::directory_entry& entry : fs::directory_iterator(arrow, none)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("libarrow.so.") || name.starts_with("libparquet.so.")) libraries.push_back(entry.path());
  }
  std::ranges::sort(libraries);  // parquet needs arrow
  for (const std::string& library : libraries) ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace tritonrl::cli
