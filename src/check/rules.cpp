#include "check/rules.h"

namespace tritonrl::check {

std::span<const Rule> rules() {
  static constexpr Rule kRules[] = {
      {"out_of_bounds", "A kernel accesses memory outside every tensor.",
       "On a GPU it reads or destroys what happens to lie there, or the launch fails. Mask the lanes that are outside, "
       "and see that strides, lengths and grid belong to the tensor that is passed."},
      {"misaligned", "A kernel accesses an address that is no multiple of the element's size.",
       "On a GPU the launch fails. Let the pointer begin at a multiple of its element's size; descriptors need 16 "
       "bytes."},
      {"race", "Programs, or warps of one program, touch the same place and nothing orders them.",
       "The result depends on who comes first. Give each program its own place, use atomics, or, within a program, a "
       "barrier between."},
      {"undefined_read", "Memory is read that nothing has written.",
       "Memory of torch.empty holds anything. Fill it, or see that the grid and the masks of the kernel that writes it "
       "cover all of it."},
      {"masked_value", "What a program stores depends on lanes that a load's mask turned off.",
       "Without `other` they read anything. Give the load an `other` that leaves the result as it is: 0 for a sum, "
       "-inf for a maximum."},
      {"false_hint", "tl.assume, tl.multiple_of or their like promise what is not so.",
       "The compiler relies on it: accesses become wider than they may be. Remove the hint, or call the kernel as it "
       "says."},
      {"assert", "A tl.device_assert does not hold.", "The kernel says itself that this must not happen."},
      {"nan", "An operation makes a NaN from operands that have none.", "Look at its operands."},
      {"compile_error", "Triton does not compile the kernel.", "The message says what it refuses."},
      {"failed_assert", "An assertion of the script, or of a test, does not hold.",
       "The kernels ran with true values: what they calculate is not what was expected."},
  };
  return kRules;
}

}  // namespace tritonrl::check
