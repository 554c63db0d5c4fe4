#pragma once

#include <string>

#include "optimize/optimize.h"

namespace tritonrl::optimize {

std::string first_line(const std::string& text);

// "gated_mlp.py:GatedMLP"; without the folders that the file lies in.
std::string name_of(const Subject& subject);
// "B = 1, T = 1024"; empty: there are no ranges.
std::string sizes_text(const Sizes& sizes);

// One line of the table, without its end: who wrote it, what became of it, its speed-up.
std::string table_head();
std::string table_line(const Tried& tried);
std::string table_line(const RangeProof& proof);

// "1.52 times eager torch (modelled on h200: 105.2 us to 69.4 us)"
std::string speed_text(const record::Verdict& verdict);
// What was found and what it means, for a person; where nothing passed: what was tried and why each failed.
std::string summary_text(const Subject& subject, const Optimized& optimized);

}  // namespace tritonrl::optimize
