#pragma once

#include <string>
#include <vector>

namespace tritonrl::syntax {

struct LibraryFile {
  std::string path, text;
};

// The files of the build's interpreter that Python can read as UTF-8: its standard library (the folder itself; with its
// packages, tests excepted, if `deep`) and torch.nn if it has torch. In the order of their paths.
std::vector<LibraryFile> library_files(bool deep);

// Python's own ast.unparse of each, docstrings included.
std::vector<std::string> unparsed_by_python(const std::vector<LibraryFile>& files);

// Whether the build's interpreter is the Python whose trees and spelling ours are.
bool python_is_3_11();

}  // namespace tritonrl::syntax
