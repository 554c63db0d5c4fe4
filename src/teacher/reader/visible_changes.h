#pragma once

#include <set>

#include "syntax/tree.h"
#include "teacher/reader/region_reader.h"

namespace tritonrl::teacher {

// The calls in the function with `inplace=True` (F.relu(x, inplace=True), a module nn.ReLU(True)) whose change of their
// operand somebody sees: it is read afterwards under a name of its own, or it is the caller's (`callers_see`: not of
// the forward that we are asked for, whose caller is done with its inputs). They must change it, so they stay in torch.
std::set<const syntax::SyntaxNode*> visible_changes(const syntax::SyntaxNode& function, const RegionReader& reader,
                                                    const Facts& facts, bool callers_see);

}  // namespace tritonrl::teacher
