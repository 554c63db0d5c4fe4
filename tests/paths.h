#pragma once

#include <string>

namespace tritonrl {

// Where this checkout and its build lie, and the interpreter that tests use. Asked at run time: files that have these
// paths compiled in come out of no cache that another checkout filled.
std::string source_path(const std::string& below);
std::string build_path(const std::string& below);

// TRITONRL_PYTHON of the environment, or the interpreter that was configured.
std::string test_python();

// An interpreter without anything installed; not a shim, whose start would cost more than the tests.
std::string plain_python();

}  // namespace tritonrl
