#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::python {

// A Triton function in a candidate's text: decorated by triton.jit (under autotune and heuristics too), made by a call
// of triton.jit, or handed to TorchInductor's async_compile.triton as text.
struct JitFunction {
  std::string name;
  int line = 0;
  bool real_body = false;   // more than docstring, pass, return and constants
  bool referenced = false;  // its name is read outside its own definition, so it can be launched
  void fields(base::FieldVisitor& field);
  bool operator==(const JitFunction&) const = default;
};

// What Python's parser says of a candidate's text, before any of it was executed.
struct SourceReport {
  bool parses = false;
  std::string error;             // where it does not: the parser's message, or why it was not parsed
  int line = 0;                  // of the error; 0 where it has none
  std::string code;              // that line
  bool has_entry_class = false;  // a class (or other name) that can be recorded: ModelNew, or the task's class
  std::vector<JitFunction> jit_functions;  // in the order of the text
  void fields(base::FieldVisitor& field);
  bool operator==(const SourceReport&) const = default;
};

// The report as recorder/source_check.py writes it; a failure where it has another form.
base::Result<SourceReport> source_report_from_json(const std::string& text);

}  // namespace tritonrl::python
