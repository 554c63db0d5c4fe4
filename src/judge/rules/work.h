#pragma once

#include <map>
#include <string>

#include "program/operator_table.h"
#include "program/program.h"
#include "program/target.h"

namespace tritonrl::judge {

// The operator of a step that computes; null: it is none.
const program::Operator* computing_operator(const program::Step& step);

// Modelled seconds of the last forward's ATen calls, launch overheads left out.
struct AtenWork {
  double arithmetic = 0;
  double rearrangement = 0;
  double copies = 0;                     // casts too
  std::map<std::string, int> operators;  // computing calls by plain name
};
AtenWork aten_work(const program::Program& program, const program::Target& target);

}  // namespace tritonrl::judge
