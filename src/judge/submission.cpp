#include "judge/judge.h"
#include "text/extract_code.h"

namespace tritonrl::judge {

void Submission::take_answer(std::string_view answer) {
  code.clear();
  extraction.reset();
  if (answer.empty()) return;  // as if nothing had been handed in
  text::ExtractedCode extracted = text::extract_code(answer);
  code = std::move(extracted.code);
  extraction = std::move(extracted.reason);
}

}  // namespace tritonrl::judge
