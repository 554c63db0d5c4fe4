#pragma once

#include <cstdint>
#include <span>

#include "text/tokenizer/tokenizer.h"

namespace tritonrl::rl {

// How many tokens at the beginning of an answer are its plan: lines of comments before the first line of code. A token
// that holds the end of the plan and the beginning of the code belongs to the code. 0: there is no plan, or no code.
std::int64_t plan_tokens(const text::Tokenizer& tokenizer, std::span<const std::int32_t> answer);

}  // namespace tritonrl::rl
