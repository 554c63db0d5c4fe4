#pragma once

#include <span>

#include "judge/rules/rule.h"

namespace tritonrl::judge {

// The parts of the table (rule_table.h), each in the file that has its functions.
std::span<const Rule> file_rules();
std::span<const Rule> program_rules();
std::span<const Rule> work_rules();
std::span<const Rule> stability_rules();
std::span<const Rule> target_rules();
std::span<const Rule> output_rules();
std::span<const Rule> kernel_rules();
std::span<const Rule> time_rules();

}  // namespace tritonrl::judge
