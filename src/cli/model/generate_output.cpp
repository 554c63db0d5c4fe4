#include "cli/model/generate_output.h"

#include <iostream>

#include "cli/terminal_text.h"

namespace tritonrl::cli {

bool GenerateOutput::text(std::string_view new_text) {
  if (options_.stream) {
    print(new_text);
    std::cout << std::flush;
  }
  return std::cout.good();
}

bool GenerateOutput::sample(const record::Sample& sample) {
  const bool cancelled = sample.finish == record::FinishReason::kCancelled;
  if (options_.stream) {
    std::cout << "\n";
  } else if (cancelled) {
    return std::cout.good();
  } else if (options_.json) {
    std::cout << to_json(sample) << "\n";
  } else {
    if (options_.samples > 1) {
      std::cout << "--- sample " << sample.index << " (" << sample.tokens.size() << " tokens, "
                << name_of(sample.finish) << ")\n";
    }
    print(sample.text);
    std::cout << "\n";
  }
  std::cout << std::flush;
  written_ += !cancelled;
  return std::cout.good();
}

}  // namespace tritonrl::cli
