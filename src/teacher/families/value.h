#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "teacher/families/page.h"

namespace tritonrl::teacher {

// What is known of a tensor's numbers, so that formulas stay where float32 is exact enough.
struct Range {
  int size = 3;  // |v| is at most 2**size, roughly
  bool nonnegative = false;
  int floor = kNone;        // v is at least 2**floor
  bool exact = false;       // the very numbers of an input: nothing was rounded
  bool varied = true;       // along every dimension: a deviation of it is no rounding noise
  bool cut = false;         // many of its numbers may be the same bound: those of a block that may end in a relu
  int from = -20, to = 20;  // most of its numbers lie between these tenths
  static constexpr int kNone = -100;

  bool positive() const { return floor >= -8; }
  // The same, within what the size allows.
  int low() const { return std::max(from, nonnegative ? 0 : -(10 << std::clamp(size, 0, 12))); }
  int high() const { return std::max(low(), std::min(to, 10 << std::clamp(size, 0, 12))); }
};

// Where the numbers of an input lie.
inline Range input_range(const Page& page, InputKind kind = InputKind::kNormal) {
  if (kind != InputKind::kNormal) return {.size = 0, .nonnegative = true, .exact = true};
  if (page.surface.maker == "randn") return {.size = 2, .exact = true};
  if (page.surface.after.empty()) return {.size = 0, .nonnegative = true, .exact = true, .from = 0, .to = 10};
  return {.size = 0, .exact = true, .from = -10, .to = 10};
}

// An expression of a formula.
struct Value {
  std::string text = {};
  Letters shape = {};
  Range range = {};
  bool plain = false;  // a name or attribute: it may be written twice
  bool fresh = false;  // nobody else holds this tensor: it may be changed in place
};

// An expression that was built from another one: a new tensor without a name.
inline Value computed(Value v) {
  v.plain = false;
  v.fresh = true;
  return v;
}

// Where statements go: the body of a method or function.
struct Body {
  Page& page;
  ClassText* owner = nullptr;  // null: a plain function
  std::string& lines;
  int indent = 8;
  NameSet& names;

  void line(std::string_view text) { add_line(lines, indent, text); }
  std::string new_name(std::string_view hint) {
    return draw_name(page.draw, page.style, hint, NameRole::kLocal, names);
  }
};

}  // namespace tritonrl::teacher
