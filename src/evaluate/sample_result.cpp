#include "evaluate/sample_result.h"

#include <cstdio>

#include "base/hash64.h"
#include "text/python_tokens.h"

namespace tritonrl::evaluate {
namespace {

std::string program_hash(const std::string& code) {
  if (code.empty()) return "";
  std::uint64_t hash = 0;
  for (const text::PythonToken& token : text::python_tokens(code)) hash = base::hash64(token.text, hash);
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

}  // namespace

judge::Submission submission_of(SampleResult& answer, const record::Task& task) {
  judge::Submission out;
  out.id = answer.id + "#" + (answer.greedy ? "greedy" : std::to_string(answer.index));
  out.task = task;
  out.take_answer(answer.text);
  answer.extraction = out.extraction.value_or("the answer is empty");
  answer.program = program_hash(out.code);
  return out;
}

}  // namespace tritonrl::evaluate
