#include "machine/arithmetic/elementwise_find.h"

namespace tritonrl::machine {
namespace {

using Flag = UnsignedOf<Scalar::kI1>;

// Bytes, not bools: loops that store bools stay scalar.
TRL_INLINE std::uint8_t flag(bool value) {
  return value ? 1 : 0;
}

TRL_OPERATION(Equal, std::uint8_t, (T a, T b), flag(a == b))
TRL_OPERATION(NotEqual, std::uint8_t, (T a, T b), flag(a != b))
TRL_OPERATION(Less, std::uint8_t, (T a, T b), flag(a < b))
TRL_OPERATION(LessEqual, std::uint8_t, (T a, T b), flag(a <= b))
TRL_OPERATION(Greater, std::uint8_t, (T a, T b), flag(a > b))
TRL_OPERATION(GreaterEqual, std::uint8_t, (T a, T b), flag(a >= b))
TRL_OPERATION(LessOrGreater, std::uint8_t, (T a, T b), flag((a < b) | (a > b)))
TRL_OPERATION(Ordered, std::uint8_t, (T a, T b), flag((a == a) & (b == b)))
TRL_OPERATION(Unordered, std::uint8_t, (T a, T b), flag((a != a) | (b != b)))
TRL_OPERATION(UnorderedEqual, std::uint8_t, (T a, T b), flag(!((a < b) | (a > b))))
TRL_OPERATION(UnorderedLess, std::uint8_t, (T a, T b), flag(!(a >= b)))
TRL_OPERATION(UnorderedLessEqual, std::uint8_t, (T a, T b), flag(!(a > b)))
TRL_OPERATION(UnorderedGreater, std::uint8_t, (T a, T b), flag(!(a <= b)))
TRL_OPERATION(UnorderedGreaterEqual, std::uint8_t, (T a, T b), flag(!(a < b)))
TRL_OPERATION(Never, std::uint8_t, (T a, T b), flag((static_cast<void>(a), static_cast<void>(b), false)))
TRL_OPERATION(Always, std::uint8_t, (T a, T b), flag((static_cast<void>(a), static_cast<void>(b), true)))

template <class Op>
Elementwise signed_compare(Scalar scalar) {
  return for_integer(scalar, []<Scalar S> { return vector_loop<Op, Flag, ElementOf<S>, ElementOf<S>>(); });
}
template <class Op>
Elementwise unsigned_compare(Scalar scalar) {
  return for_integer(scalar, []<Scalar S> { return vector_loop<Op, Flag, UnsignedOf<S>, UnsignedOf<S>>(); });
}
template <class Op>
Elementwise float_compare(Scalar scalar) {
  return for_float(scalar, []<Scalar S> { return vector_loop<Op, Flag, ElementOf<S>, ElementOf<S>>(); });
}

struct Row {
  std::string_view name;
  Elementwise (*find)(Scalar);
};

constexpr Row kIntegerPredicates[] = {
    {"eq", unsigned_compare<Equal>},    {"ne", unsigned_compare<NotEqual>},
    {"slt", signed_compare<Less>},      {"sle", signed_compare<LessEqual>},
    {"sgt", signed_compare<Greater>},   {"sge", signed_compare<GreaterEqual>},
    {"ult", unsigned_compare<Less>},    {"ule", unsigned_compare<LessEqual>},
    {"ugt", unsigned_compare<Greater>}, {"uge", unsigned_compare<GreaterEqual>},
};

constexpr Row kFloatPredicates[] = {
    {"false", float_compare<Never>},
    {"oeq", float_compare<Equal>},
    {"ogt", float_compare<Greater>},
    {"oge", float_compare<GreaterEqual>},
    {"olt", float_compare<Less>},
    {"ole", float_compare<LessEqual>},
    {"one", float_compare<LessOrGreater>},
    {"ord", float_compare<Ordered>},
    {"ueq", float_compare<UnorderedEqual>},
    {"ugt", float_compare<UnorderedGreater>},
    {"uge", float_compare<UnorderedGreaterEqual>},
    {"ult", float_compare<UnorderedLess>},
    {"ule", float_compare<UnorderedLessEqual>},
    {"une", float_compare<NotEqual>},
    {"uno", float_compare<Unordered>},
    {"true", float_compare<Always>},
};

TRL_INLINE float magnitude(float a) {
  return __builtin_fabsf(a);
}
TRL_INLINE double magnitude(double a) {
  return __builtin_fabs(a);
}

TRL_OPERATION(IsNan, std::uint8_t, (T a), flag(a != a))
TRL_OPERATION(IsInfinite, std::uint8_t, (T a), flag(magnitude(a) == static_cast<T>(__builtin_inff())))
TRL_OPERATION(IsFinite, std::uint8_t, (T a), flag(magnitude(a) < static_cast<T>(__builtin_inff())))
struct IsNormal {
  template <class T>
  static TRL_INLINE std::uint8_t apply(T a) {
    constexpr T kSmallest = sizeof(T) == 4 ? static_cast<T>(__FLT_MIN__) : static_cast<T>(__DBL_MIN__);
    return flag((magnitude(a) < static_cast<T>(__builtin_inff())) & (magnitude(a) >= kSmallest));
  }
};

template <class Op>
Elementwise classify(Scalar scalar) {
  return for_float(scalar, []<Scalar S> { return vector_loop<Op, Flag, ElementOf<S>>(); });
}

constexpr Row kClasses[] = {
    {"math.isnan", classify<IsNan>},
    {"math.isinf", classify<IsInfinite>},
    {"math.isfinite", classify<IsFinite>},
    {"math.isnormal", classify<IsNormal>},
};

TRL_OPERATION(Select, T, (std::uint8_t condition, T yes, T no), choose(condition != 0, yes, no))

template <class T>
Elementwise select() {
  return vector_loop<Select, Plain<T>, Flag, Plain<T>, Plain<T>>();
}
Elementwise select_of(int bytes) {
  return bytes == 1   ? select<std::uint8_t>()
         : bytes == 2 ? select<std::uint16_t>()
         : bytes == 4 ? select<std::uint32_t>()
         : bytes == 8 ? select<std::uint64_t>()
                      : nullptr;
}

}  // namespace

ElementwiseOp find_comparison(const ElementwiseRequest& request) {
  if (request.result != 0) return {};
  if (request.name == "arith.select") {
    if (!request.has_operands(3) || request.in[0] != Scalar::kI1) return {};
    if (request.in[1] != request.out || request.in[2] != request.out) return {};
    return {select_of(size_of(request.out)), ArithmeticClass::kInteger, 1};
  }
  if (request.out != Scalar::kI1) return {};
  if (request.has_operands(1)) {
    const Row* row = find_row(kClasses, request.name);
    if (row == nullptr) return {};
    return {row->find(request.in[0]), ArithmeticClass::kFloat, 1};
  }
  if (!request.has_operands(2) || request.in[0] != request.in[1]) return {};
  const bool integers = request.name == "arith.cmpi";
  if (!integers && request.name != "arith.cmpf") return {};
  const std::string_view predicate = request.op.string("predicate");
  const Row* row = integers ? find_row(kIntegerPredicates, predicate) : find_row(kFloatPredicates, predicate);
  if (row == nullptr) return {};
  return {row->find(as_fixed_width(request.in[0])), integers ? ArithmeticClass::kInteger : ArithmeticClass::kFloat, 1};
}

}  // namespace tritonrl::machine
