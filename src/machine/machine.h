#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "base/result.h"
#include "machine/counters.h"
#include "machine/ir/ir.h"
#include "machine/memory.h"
#include "program/target.h"

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::machine {

struct MachineOptions {
  const program::Target* target = nullptr;  // for counters; none: h200
  int threads = 1;                // programs executed at once; more than one: no race check, atomics in any order
  std::int64_t wall_ms = 60'000;  // of one launch
  std::int64_t value_bytes = std::int64_t{1} << 30;  // for the values of one program
  std::int64_t sample = 0;        // execute that many programs of the grid (its corners and a spread); 0: all
  std::uint64_t sample_seed = 0;  // which of them
  bool check_races = true;
  bool check_undefined = true;  // reads of memory that nobody wrote
  bool count = true;
  bool cover = true;  // note which places of the source were executed
  // Accesses out of bounds and misaligned ones stop nothing either: their lanes are left out, and read zeros.
  bool go_on = false;
  bool check_hints = false;  // whether what a kernel tells its compiler is true
  int warps = 0;             // of one program, for lanes that meet in memory without a barrier; 0, 1: all is in order
  bool check_orders =
      false;  // where atomics order programs: also whether they do when programs begin the other way round
  bool check_masked = false;  // whether results depend on what lanes read that a mask without `other` turned off
  bool nan_origin = false;    // find the first operation that makes a NaN out of none
  int max_findings = 16;      // kept of each kind
  std::size_t max_printed_bytes = 64 << 10;  // of device prints
  void fields(base::FieldVisitor& field);    // without `target` and `sample`
};

// A place in a kernel's source file, as Triton's locations have it.
struct SourcePosition {
  static constexpr int kSecondRound = 3, kThirdRound = 4;
  int line = 0;    // from 1
  int column = 0;  // from 0
  // Of a select between floats by arguments alone: 1 where its condition held, 2 where not. Of a loop that hands values
  // on to its next round: 3 where there was a second one, 4 a third. Else 0.
  int side = 0;
  // In what types it computes: 0 for float32 as it is, else a number of its own for each type and each precision of
  // products. The same text may stand for another operation where a constant says so.
  int form = 0;
  bool is_round() const { return side == kSecondRound || side == kThirdRound; }
  bool operator==(const SourcePosition&) const = default;
  auto operator<=>(const SourcePosition& other) const {  // the sides of one operation follow one another
    return std::tie(line, column, form, side) <=> std::tie(other.line, other.column, other.form, other.side);
  }
};

// Something wrong with a launch, in words for a person and fields for a program.
struct Finding {
  enum class Kind : std::uint8_t {
    kOutOfBounds,    // an access outside every live tensor, or across the end of one
    kMisaligned,     // an address that is not a multiple of the element's size
    kRace,           // programs that touch one place, at least one writing another value, in no order
    kUndefinedRead,  // memory that nobody wrote
    kMaskedValue,    // what is stored depends on a lane that a load's mask turned off, and that no `other` defines
    kFalseHint,      // tl.assume, tl.multiple_of and their like promise what is not so
    kAssert,         // tl.device_assert
    kTimeout,
    kMemory,         // values beyond MachineOptions::value_bytes
    kNotExecutable,  // an operation that the machine does not know
    kNan,            // nan_origin's answer
  };
  Kind kind = Kind::kOutOfBounds;
  std::string message;
  std::string operation;  // "tt.load"
  int line = 0;           // in the kernel's source file as compiled; 0: unknown
  int location = -1;      // index into the module's locations
  std::array<std::int64_t, 3> program = {0, 0, 0};
  std::string tensor;       // name of the allocation that was missed or raced for
  std::int64_t offset = 0;  // bytes from its start
  std::int64_t times = 1;   // accesses at this place that were found to be so
  void fields(base::FieldVisitor& field);
};

std::span<const char* const> enum_names(Finding::Kind);
std::string to_string(Finding::Kind kind);  // "out_of_bounds"

// A descriptor made by the host (TMA), whole.
struct DescriptorArgument {
  std::uint64_t base = 0;
  std::vector<std::int64_t> shape, strides;
  bool nan_outside = false, rounds_to_tf32 = false;  // as in program::Descriptor
};

// One parameter of the compiled kernel: an integer (of any width, i1 included), a float, a pointer, a descriptor.
struct PointerArgument {
  std::uint64_t address = 0;
};
using Argument = std::variant<std::int64_t, double, PointerArgument, DescriptorArgument>;

struct LaunchOutcome {
  bool completed = false;  // every program that was to run ran to its end
  std::vector<Finding>
      findings;  // the fault that stopped the launch is the last; races and undefined reads stop nothing
  Counters counters;
  std::string printed;
  // Where MachineOptions::cover: places in the kernel's source file of operations that at least one program executed,
  // sorted, each once. Only operations that make results: accesses, atomics, dots, reductions, scans, float arithmetic
  // and its comparisons, math, selects between floats. A call counts where it is written in that file, innermost first.
  std::vector<SourcePosition> covered;

  const Finding* find(Finding::Kind kind) const;
};

// A kernel made ready: lowered once, launched many times. Thread-safe for launches on different memories.
class Kernel {
 public:
  // Takes the module's public function. `source_file` is the file whose lines findings name (ir.h, place_in). A Failure
  // is a module that cannot be: types that do not fit. An operation that is not known fails when it is executed.
  static base::Result<Kernel> make(Module module, std::string source_file);
  Kernel(Kernel&&) noexcept;
  Kernel& operator=(Kernel&&) noexcept;
  ~Kernel();

  const Module& module() const;
  // `arguments`: one for each parameter of the compiled kernel (constants are gone there). The text that the arguments
  // do not fit is a finding of kind kNotExecutable.
  LaunchOutcome launch(std::array<std::int64_t, 3> grid, std::span<const Argument> arguments, Memory& memory,
                       const MachineOptions& options = {}) const;

 private:
  struct Impl;
  explicit Kernel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tritonrl::machine
