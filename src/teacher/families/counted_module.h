#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tritonrl::teacher {

// A module in its usual form (usual_form.h), said plainly (syntax/plain_form.h), with names that are counted
// (rename_identifiers.h): it computes the same.
struct CountedModule {
  std::string text;   // in Python's normal form
  std::string shown;  // the same without what only gives parameters their first values (first_values.h), which neither
                      // prompts nor what is learnt from repeats; equal names
  std::string entry_point;
  std::map<std::string, std::string, std::less<>> names;  // what stood for each counted name
};

// None: the text could not be read, or `entry_point` is none of its classes.
std::optional<CountedModule> counted_module(std::string_view text, std::string_view entry_point);

}  // namespace tritonrl::teacher
