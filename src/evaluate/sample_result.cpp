#include "evaluate/sample_result.h"

#include "text/code_hash.h"

namespace tritonrl::evaluate {

judge::Submission submission_of(SampleResult& answer, const record::Task& task) {
  judge::Submission out;
  out.id = answer.id + "#" + (answer.greedy ? "greedy" : std::to_string(answer.index));
  out.task = task;
  out.take_answer(answer.text);
  answer.extraction = out.extraction.value_or("the answer is empty");
  answer.program = text::code_hash(out.code);
  return out;
}

}  // namespace tritonrl::evaluate
