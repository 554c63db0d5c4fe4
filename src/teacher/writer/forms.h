#pragma once

#include <optional>
#include <string>
#include <vector>

#include "teacher/writer/region_text.h"

namespace tritonrl::teacher {

// The forms of kernels, by what a region holds. None: this one cannot be written so.

// Elements alone, perhaps behind a source kernel.
std::optional<RegionText> pointwise_text(const Graph& graph, const std::vector<RegionOutput>& outputs,
                                         const Schedule& schedule);
// Reductions of rows: one program a row.
std::optional<RegionText> rows_text(const Graph& graph, const std::vector<RegionOutput>& outputs,
                                    const Schedule& schedule);
// Reductions of everything, or of few long rows: partial results first.
std::optional<RegionText> split_text(const Graph& graph, const std::vector<RegionOutput>& outputs,
                                     const Schedule& schedule);

// A plain value as Python writes it: "(1, 1)".
std::string constant_text(const Fact& fact);

}  // namespace tritonrl::teacher
