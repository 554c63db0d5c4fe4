// Rewrites module files: FILE... prints each solution, with --out FOLDER they are written there as FILE's name; the
// reasons of the others, and how many of each, come last. --strict, --fast choose policy and variant.
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "base/files.h"
#include "teacher/reader/rewrite.h"
#include "tests/teacher/traced/traced_module.h"

int main(int argc, char** argv) {
  using namespace tritonrl;
  namespace fs = std::filesystem;
  teacher::RewriteOptions options;
  std::string out;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--strict")
      options.policy = teacher::KernelPolicy::kStrict;
    else if (argument == "--fast")
      options.variant = teacher::Variant::kFast;
    else if (argument == "--out" && i + 1 < argc)
      out = argv[++i];
    else
      files.push_back(argument);
  }
  std::map<std::string, int> reasons;
  int done = 0;
  for (const std::string& file : files) {
    const teacher::TracedModule module = teacher::trace_module(base::read_file(file, std::size_t{1} << 20));
    std::string why = "not traced: " + module.error;
    std::optional<teacher::Rewritten> rewritten;
    if (module.error.empty()) rewritten = teacher::rewrite(module.tree->root(), module.facts, "", options, &why);
    if (!rewritten) {
      std::cout << "# " << file << ": " << why << "\n";
      ++reasons[why];
      continue;
    }
    ++done;
    if (out.empty())
      std::cout << "# " << file << "\n" << rewritten->solution << "\n";
    else
      base::write_file_atomically(fs::path(out) / fs::path(file).filename(), rewritten->solution);
  }
  std::cout << done << " of " << files.size() << " rewritten\n";
  for (const auto& [why, count] : reasons) std::cout << count << "  " << why << "\n";
  return 0;
}
