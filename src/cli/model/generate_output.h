#pragma once

#include <string>
#include <string_view>

#include "record/sample.h"

namespace tritonrl::cli {

struct GenerateOutputOptions {
  bool json = false;    // a line of JSON a sample
  bool stream = false;  // the text of the only sample as it grows
  int samples = 1;      // that will come; several get a heading each
};

// Writes samples to the standard output. Those that were cancelled are left out, but for what was streamed of them.
class GenerateOutput {
 public:
  explicit GenerateOutput(const GenerateOutputOptions& options) : options_(options) {}

  // False once nobody reads any more.
  bool text(std::string_view new_text);
  bool sample(const record::Sample& sample);

  int written() const { return written_; }

 private:
  GenerateOutputOptions options_;
  int written_ = 0;
};

}  // namespace tritonrl::cli
