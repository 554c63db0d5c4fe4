#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abstract/forward_operators.h"
#include "program/program.h"

namespace tritonrl::abstract {

// How hard a task is: 1 one operator, 2 a fusion, 3 an architecture (KernelBench's own levels).
struct Difficulty {
  int level = 1;
  std::vector<std::string> why;  // what was counted, then the rule that decided
  bool from_program = false;     // told from a recorded program, else from the text
};

// By the operators of a recorded program (program/level.h).
Difficulty difficulty_of(const program::Program& program);

// By the text: the operators of forward, and the hints of the report's heuristics (several operations, chains such as
// conv, bn, relu, the words fused / fusion / combined, a reference of more than 50 tokens), each named in `why` where
// it holds.
Difficulty difficulty_of(const ForwardOperators& forward, std::string_view source);

// A hash of the sequence of computing operators, for splits and decontamination: 32 hexadecimal digits; empty where
// nothing is computed. Names, calls and order count; shapes, constants, views and identifiers do not.
std::string operator_hash(const ForwardOperators& forward);
std::string operator_hash(const program::Program& program);

}  // namespace tritonrl::abstract
