#pragma once

#include "program/program.h"
#include "runner/process/storages.h"

namespace tritonrl::runner {

// The real answer to a question about tensors as they are now. Stop if torch refuses.
program::Value answer_to(const program::Question& question, Storages& storages);

// Whether two answers are the same to the Python that asked: 1 and 1.0 and True are, and fractions up to rounding.
bool same_answer(const program::Value& a, const program::Value& b);

}  // namespace tritonrl::runner
