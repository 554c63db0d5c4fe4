#pragma once

#include <cstddef>

#include "judge/referee.h"
#include "judge/task_case.h"

namespace tritonrl::judge {

// What the tensors of these take in memory: all that counts of them.
std::size_t held_bytes(const SizedTask& task);
std::size_t held_bytes(const TaskCase& task);
std::size_t held_bytes(const RowAnswer& answer);

}  // namespace tritonrl::judge
