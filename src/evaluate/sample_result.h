#pragma once

#include "judge/judge.h"
#include "record/sample_result.h"
#include "record/task.h"

namespace tritonrl::evaluate {

using record::SampleResult, record::kBadTask, record::kNoAnswer, record::kPromptTooLong;

// What the judge is given of the answer; keeps in `answer` what was found in it.
judge::Submission submission_of(SampleResult& answer, const record::Task& task);

}  // namespace tritonrl::evaluate
