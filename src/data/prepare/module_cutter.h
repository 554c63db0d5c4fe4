#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "python/syntax_reader.h"

namespace tritonrl::data {

// A module class with all that it needs, cut out of its project: a text that stands alone, but for inputs.
struct CutClass {
  std::string name;                   // of the class
  std::string code;                   // imports, helpers and the class; empty: it cannot stand alone
  std::string problem;                // why not: "needs `PretrainedConfig` of another package"
  std::vector<std::string> packages;  // others that it has something of
};

struct CutFile {
  std::vector<CutClass> classes;  // that derive from nn.Module and have a forward, in the order of the text
  bool has_inputs = false;        // the file defines get_inputs: it is a task as it is
  std::string error;              // it does not parse
  int line = 0;
};

// Cuts classes out of the files of one project: functions, classes and constants of the same file, and of other files
// of the project that are imported by name, come along; imports of packages that every recording has (torch, math,
// typing, numpy, einops and the like) stay. Methods that nothing in the text asks for by name, nor Python or torch of
// themselves, are left out with what they alone need. Nothing is executed. For one thread.
class ModuleCutter {
 public:
  // `root` is the folder that holds the project's files, under the import name `package`. `others`: packages by their
  // import names and folders that things may be taken from as well. A class of more than `most_bytes` with its helpers
  // is left where it is: longer ones teach little.
  ModuleCutter(std::unique_ptr<python::SyntaxReader> reader, std::filesystem::path root, std::string package,
               const std::map<std::string, std::filesystem::path>& others = {},
               std::size_t most_bytes = std::size_t{24} << 10);
  ~ModuleCutter();

  // UserError if the file cannot be read. What the file defines by the names of `also` comes along with each class.
  CutFile cut(const std::filesystem::path& file, const std::vector<std::string>& also = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tritonrl::data
