#pragma once

#include <span>
#include <string>

#include "text/prompt.h"

namespace tritonrl::cli {

// The task's class: `given`, or what the text says; empty where it cannot be read.
std::string entry_point_of(const std::string& source, const std::string& given);

// What a model is asked for the module of a task: the words of training data (`tritonrl prepare`) in the same form. A
// module whose text we cannot parse is shown as it is, as class `Model`. `entry_point`: the task's class; empty: found
// in the text.
// `facts` and `strict`: as PromptModule has them.
std::string task_prompt(const std::string& source, const text::PromptOptions& options,
                        const std::string& entry_point = "", std::span<const text::LeafFact> facts = {},
                        bool strict = false);

}  // namespace tritonrl::cli
