#include "tests/syntax/library_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>

#include "base/files.h"
#include "base/subprocess.h"
#include "tests/paths.h"
#include "tests/python/test_syntax.h"

namespace tritonrl::syntax {
namespace {

base::CommandResult ask(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {python::test_syntax_options().interpreter.executable, "-B",
                                      source_path("tests/syntax/library_files.py")};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return base::run_command(command, std::chrono::minutes(10));
}

}  // namespace

std::vector<LibraryFile> library_files(bool deep) {
  const base::CommandResult listed = ask({"list", deep ? "deep" : "shallow"});
  EXPECT_EQ(listed.exit_code, 0) << listed.errors;
  std::vector<LibraryFile> out;
  std::istringstream lines(listed.output);
  for (std::string path; std::getline(lines, path);) out.push_back({path, base::read_file(path)});
  return out;
}

std::vector<std::string> unparsed_by_python(const std::vector<LibraryFile>& files) {
  const std::string folder = ::testing::TempDir() + "/tritonrl_unparsed_" + std::to_string(::getpid());
  std::string paths;
  for (const LibraryFile& file : files) paths += file.path + "\n";
  std::ofstream(folder + ".paths") << paths;
  const base::CommandResult done = ask({"unparse", folder + ".paths", folder + ".texts"});
  EXPECT_EQ(done.exit_code, 0) << done.errors;
  std::vector<std::string> out;
  const std::string all = base::read_file(folder + ".texts");
  for (std::size_t begin = 0, end = 0; (end = all.find('\0', begin)) != std::string::npos; begin = end + 1)
    out.push_back(all.substr(begin, end - begin));
  std::remove((folder + ".paths").c_str());
  std::remove((folder + ".texts").c_str());
  EXPECT_EQ(out.size(), files.size());
  return out;
}

bool python_is_3_11() {
  return ask({"version"}).output == "3.11\n";
}

}  // namespace tritonrl::syntax
