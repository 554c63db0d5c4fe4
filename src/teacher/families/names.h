#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "teacher/families/draw.h"
#include "teacher/families/style.h"

namespace tritonrl::teacher {

enum class NameRole : std::uint8_t { kAttribute, kLocal, kArgument, kFunction, kClass, kConstant };

// The names that are taken in one place (a class with its methods, a file).
class NameSet {
 public:
  bool has(std::string_view name) const;
  void add(std::string_view name) { names_.emplace_back(name); }

 private:
  std::vector<std::string> names_;
};

// A name for something described by `hint` ("channels", "gate", "x"): a common word for it, an abbreviation, or one
// that says nothing. Never a word of Python or an attribute that nn.Module has, never one of `taken` or `also`; it is
// added to `taken`.
std::string draw_name(Draw& draw, const Style& style, std::string_view hint, NameRole role, NameSet& taken,
                      const NameSet* also = nullptr);

// Another name in the place of one that a text has, of words and pieces of words; free of all that Python, torch and
// solutions use, and of `taken`, to which it is added.
std::string replacing_name(Draw& draw, std::string_view name, NameRole role, NameSet& taken);

// Whether Python, nn.Module or solutions use the name themselves.
bool is_reserved_name(std::string_view name);
// Whether Python has something of that name everywhere.
bool is_builtin_name(std::string_view name);
// Whether a layer of torch holds something of that name: who derives from one must not mean another thing by it.
bool is_layer_attribute(std::string_view name);

}  // namespace tritonrl::teacher
