#pragma once

#include <optional>
#include <string_view>

#include "teacher/facts/facts.h"

namespace tritonrl::teacher::operators {

// What is known of an argument: the fact that was noted, or what a literal says by itself (a number, a text, None, a
// tuple of them, float('inf'), torch.float32). Unknown for all else.
Fact fact_of(const syntax::SyntaxNode& node, const Facts& facts);

// A dtype as torch and Python spell it, "float32", "torch.half", "long", "bool"; none for other words.
std::optional<program::DType> dtype_named(std::string_view word);
// The fact of a dtype: kOther, with torch's name of it.
Fact dtype_fact(program::DType dtype);
std::optional<program::DType> dtype_of(const Fact& fact);

// Exact values; none where they are not known.
std::optional<std::int64_t> integer_in(const Fact& fact);  // of kInt and kBool
std::optional<double> number_in(const Fact& fact);         // of kFloat, too
// A list of integers, or one integer as a list of one.
std::optional<Shape> integers_in(const Fact& fact);

}  // namespace tritonrl::teacher::operators
