#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "teacher/families/draw.h"

namespace tritonrl::teacher {

// A shape in letters: "BCHW", "B1D". A capital letter is a size that is drawn (what it stands for: kSizeLetters), a
// small one a size that was told, a digit is itself.
using Letters = std::string;

// The sizes of a module's tensors.
class Sizes {
 public:
  Sizes(Draw& draw, bool realistic) : draw_(draw), realistic_(realistic) {}

  // Asked before fix: a shape that will occur, a letter that must be a multiple, or at least so large.
  void need(std::string_view shape);
  void multiple(char letter, int of);
  void at_least(char letter, int value);
  // Results will have so many times the elements of the shapes that were named.
  void keep_small() { realistic_ = false; }
  void leave_room(int times) { room_ = std::max(room_, times); }
  // Draws all sizes: different from each other, every needed shape within the limit of elements.
  void fix();
  bool fixed() const { return fixed_; }

  void set(char letter, int value) { values_[index(letter)] = value; }
  int operator[](char letter) const;
  bool known(char letter) const { return letter < 'A' || values_[index(letter)] > 0; }
  std::int64_t product(std::string_view shape) const;

  // What the letter stands for, as a hint for names: "batch", "channels".
  static std::string_view hint(char letter);

 private:
  static std::size_t index(char letter);
  int drawn(char letter);
  void grow(std::string_view shape);
  void shrink(std::string_view shape, std::int64_t limit);

  Draw& draw_;
  bool realistic_;
  bool fixed_ = false;
  int room_ = 1;
  std::vector<std::string> shapes_;
  std::array<int, 64> values_{}, multiples_{}, least_{};
};

}  // namespace tritonrl::teacher
