#pragma once

#include <string>
#include <vector>

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::python {

// A Python that can record: torch >= 2.11 and triton >= 3.6.
struct Interpreter {
  std::string executable;
  std::string version, torch_version, triton_version;
  std::string torch_folder, arrow_folder;  // of these packages; empty: they are not there
  std::vector<std::string>
      paths;  // what it imports from, and its own prefix: what a confined process must be able to read
  void fields(base::FieldVisitor& field);  // all but the executable
};

// Asks the executable (without importing torch). UserError says what is missing and how to install it.
Interpreter probe_interpreter(const std::string& executable);
// The same, whatever torch and triton it has.
Interpreter read_interpreter(const std::string& executable);

// "2.13.0+cpu" >= "2.11"? Compares the leading numbers.
bool version_at_least(const std::string& version, int major, int minor);

}  // namespace tritonrl::python
