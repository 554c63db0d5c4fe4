#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "teacher/kernels/source_kernel.h"

// What convolutions and pooling share: text over the axes of space. Names of sizes begin with a letter for what they
// are and end with the axis: H, W the input's, OH the result's, KH the window's, SH stride, PH padding, DH dilation; h,
// xh are positions.
namespace tritonrl::teacher {

// Axes of space of an operator by the digit in its name; 0: none.
std::size_t axes_of(std::string_view op);

// Begins a kernel whose programs each have BLOCK of N results, one after the other: `o` and, where there is one, `m`.
void begin_elements(SourceKernel& kernel, const Schedule& schedule);
// Whether its loops over a window are unrolled; the kernel notes it.
bool unrolls(SourceKernel& kernel, const Schedule& schedule);

class Window {
 public:
  // One, two or three axes; the last is W.
  explicit Window(std::size_t axes);

  std::size_t axes() const { return axes_.size(); }

  // `pattern` for each axis with its letter for '@' and its small letter for '$'.
  std::vector<std::string> each(std::string_view pattern) const;
  std::string each(std::string_view pattern, std::string_view separator) const;

  // Pattern for one axis, with `index` for '#': its index in the flat one, as nested in sizes of the prefix ("O": OH,
  // OW). The outermost axis wraps too: something always lies outside.
  std::vector<std::string> each_index(std::string_view pattern, std::string_view flat, std::string_view prefix) const;
  // What lies outside of these axes: "o // (OH * OW)".
  std::string outside(std::string_view flat, std::string_view prefix) const;

  // "(plane * H + xh) * W + xw"
  std::string input_offset(const std::string& plane) const;
  // "(xh >= 0) & (xh < H) & (xw >= 0) & (xw < W)"
  std::string in_input() const;

  // The sizes above as parameters of the kernel; those that loops run over as constants.
  void pass_to(SourceKernel& kernel, const std::vector<std::string_view>& constants) const;

  // Loops over the window, kh, kw, around the body. `unrolled`: written out by the compiler.
  std::vector<std::string> loops(const std::vector<std::string>& body, bool unrolled) const;

 private:
  std::string axes_;
};

}  // namespace tritonrl::teacher
