#pragma once

#include <span>
#include <string_view>

namespace tritonrl::check {

// What can be found, by the names that reports give it.
struct Rule {
  std::string_view name;   // "out_of_bounds"
  std::string_view title;  // what it is, in a sentence
  std::string_view help;   // why it matters, and what to do
};

std::span<const Rule> rules();

}  // namespace tritonrl::check
