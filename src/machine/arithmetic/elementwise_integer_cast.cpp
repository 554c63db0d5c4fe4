#include "machine/arithmetic/elementwise_find.h"

namespace tritonrl::machine {
namespace {

// Truncations keep the low bits, so only the source's signedness matters.
Elementwise resize(Scalar from, Scalar to, bool is_signed) {
  return for_integer(from, [&]<Scalar From> {
    return for_integer(to, [&]<Scalar To> {
      return is_signed ? vector_loop<Same, UnsignedOf<To>, ElementOf<From>>()
                       : vector_loop<Same, UnsignedOf<To>, UnsignedOf<From>>();
    });
  });
}

template <int Size>
TRL_OPERATION(AddPointer, std::uint64_t, (std::uint64_t pointer, T offset),
              pointer + static_cast<std::uint64_t>(static_cast<std::int64_t>(offset)) * Size)

Elementwise add_pointer(Scalar offset, int size) {
  using Address = Plain<std::uint64_t>;
  return for_integer(offset, [&]<Scalar S>() -> Elementwise {
    return size == 1   ? vector_loop<AddPointer<1>, Address, Address, ElementOf<S>>()
           : size == 2 ? vector_loop<AddPointer<2>, Address, Address, ElementOf<S>>()
           : size == 4 ? vector_loop<AddPointer<4>, Address, Address, ElementOf<S>>()
           : size == 8 ? vector_loop<AddPointer<8>, Address, Address, ElementOf<S>>()
                       : nullptr;
  });
}

struct Row {
  std::string_view name;
  bool is_signed;
};

constexpr Row kRows[] = {
    {"arith.extsi", true},         {"arith.extui", false},   {"arith.trunci", true},   {"arith.index_cast", true},
    {"arith.index_castui", false}, {"tt.int_to_ptr", false}, {"tt.ptr_to_int", false},
};

}  // namespace

ElementwiseOp find_integer_cast(const ElementwiseRequest& request) {
  if (request.result != 0) return {};
  if (request.name == "tt.addptr") {
    if (!request.has_operands(2) || request.in[0] != Scalar::kPointer || request.out != Scalar::kPointer) return {};
    return {add_pointer(request.in[1], size_of(request.element)), ArithmeticClass::kInteger, 1};
  }
  const Row* row = find_row(kRows, request.name);
  if (row == nullptr || !request.has_operands(1)) return {};
  return {resize(as_fixed_width(request.in[0]), as_fixed_width(request.out), row->is_signed), ArithmeticClass::kInteger,
          1};
}

}  // namespace tritonrl::machine
