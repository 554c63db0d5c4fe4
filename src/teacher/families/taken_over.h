#pragma once

#include <string>
#include <string_view>

#include "teacher/families/counted_module.h"

namespace tritonrl::teacher {

// What an answer takes over from its module as it is (imports, constructors, helper functions and classes, and
// statements of functions that it changes in part: elision.h) need not be written by a model that would only copy it.
// An answer is short if it lacks them: a name that it uses and does not define is the module's (or what everybody calls
// so: F, math, nn), and so is a member that a class of it lacks (ModelNew's of the entry point, another's of the class
// of its name). A new class that the answer derives from another's and does not use itself, such as
// `class ReLU1(nn.ReLU)`, is used wherever a part that is the module's makes one of those.

// The solution of that module, made short; whole where filling in would not give the same parts.
std::string short_answer(std::string_view solution, std::string_view module, std::string_view entry_point);

// A short answer made whole; one that lacks nothing is given back in Python's normal form, one that cannot be read as
// it is. Comments before the first statement stay.
std::string whole_answer(std::string_view answer, std::string_view module, std::string_view entry_point);

// A short answer to a module of counted names, whole and with the names of the module itself: of attributes and
// methods, and of constructors' arguments, by which others may ask for them. Everything else keeps its counted name,
// which no other can be mistaken for.
std::string restored_answer(std::string_view answer, const CountedModule& module);

}  // namespace tritonrl::teacher
