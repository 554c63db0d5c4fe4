#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/result.h"

namespace tritonrl::teacher {

// Which solution of several is written.
enum class Variant : std::uint8_t {
  kCanonical,  // one regular form for everything
  kFast,       // the form that is fastest at the task's own sizes
};

// How a kernel goes over rows.
enum class RowForm : std::uint8_t {
  kLoop,     // a row a program, block after block
  kWhole,    // a row a program, as one block
  kSeveral,  // several rows a program, each as one block
  kColumns,  // several rows whose elements lie apart, block after block
  kSplit,    // several programs a row, whose partial results a further kernel joins
};
std::span<const char* const> enum_names(RowForm);  // "loop"

// Of tl.dot on float32. TF32 alone misses 1e-4; three of them hold it on the matrix units.
enum class DotPrecision : std::uint8_t { kIeee, kTf32x3 };
std::span<const char* const> enum_names(DotPrecision);  // "tf32x3"

// How the programs of a region's kernels share its work, and how each runs: it changes how fast they are and not what
// they compute. What is not said, the variant chooses. As text: "form=several rows=8 warps=4".
struct Schedule {
  // No words of the text.
  Variant variant = Variant::kCanonical;
  bool constant_divisors = false;  // what places of elements are divided by is compiled into the kernel

  std::optional<RowForm> form;      // of reductions of rows
  std::optional<int> rows;          // forms several and columns: rows of a program
  std::optional<int> parts;         // form split: programs of a row at most
  std::optional<int> block;         // elements that a program takes at once, of a row where there are rows
  std::optional<int> m, n, k;       // a product's tile: rows and columns of the result, and what is summed at once
  std::optional<DotPrecision> dot;  // of products
  bool grouped = false;             // a product's programs that share operands run close together
  bool unrolled = false;            // loops over a window are written out by the compiler
  std::optional<int> warps, stages;

  Schedule(Variant chosen = Variant::kCanonical) : variant(chosen) {}
  void fields(base::FieldVisitor& field);

  // "num_warps=8, num_stages=3": arguments of a launch.
  std::string launch_options() const;
};

// Whether a program may hold so many elements at once.
inline constexpr std::int64_t kMostAtOnce = 65536;

std::string to_text(const Schedule& schedule);
// Words between blanks. A failure names the word.
base::Result<Schedule> read_schedule(std::string_view words);
// The first word of `asked` that `taken` does not have: "form=whole"; empty: it was taken as it was asked.
std::string not_taken(const Schedule& asked, const Schedule& taken);

}  // namespace tritonrl::teacher
