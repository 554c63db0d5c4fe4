#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "python/interpreter.h"
#include "sandbox/policy.h"
#include "syntax/tree.h"

namespace tritonrl::python {

struct ParsedSource {
  std::optional<syntax::SyntaxTree> tree;  // none: it does not parse
  std::string error;                       // the parser's message, or that the parser gave up or died of it
  int line = 0;                            // of the error; 0 where it has none
  std::string normal;  // Python's own unparse without comments and docstrings; where it was asked for
};

struct SyntaxReaderOptions {
  Interpreter interpreter;
  sandbox::Policy policy;  // `wall_ms` and `cpu_seconds` hold for each text
  std::string library;     // libtritonrl_sandbox_enter.so
};

// Python's own parser, in a confined process without torch that serves many texts and is replaced when one kills it.
// Nothing of the texts is executed. One object a thread; several may live at once.
class SyntaxReader {
 public:
  // UserError if the interpreter cannot serve.
  explicit SyntaxReader(const SyntaxReaderOptions& options);
  ~SyntaxReader();
  SyntaxReader(const SyntaxReader&) = delete;
  SyntaxReader& operator=(const SyntaxReader&) = delete;

  // One result a text, in their order. Texts must be UTF-8. InfrastructureError if the machine fails.
  std::vector<ParsedSource> parse(std::span<const std::string_view> texts, bool normalise = false);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tritonrl::python
