#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tritonrl::python {

// A complaint of MLIR's, as it prints them: `kernel.py:12:8: error: reason`.
struct Diagnostic {
  std::string reason;
  int line = 0;  // in kSourceFile; 0: it names no line there
};

// The first complaint in what a compilation printed.
std::optional<Diagnostic> find_diagnostic(std::string_view log);

// Why LLVM ended the process, if it said so.
std::optional<std::string> last_words(std::string_view log);

// Whether a process died because it could not have more memory.
bool ran_out_of_memory(std::string_view log);
std::string out_of_memory(std::int64_t memory_bytes);

}  // namespace tritonrl::python
