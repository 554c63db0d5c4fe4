#include "machine/arithmetic/dot.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

#include "base/check.h"
#include "machine/arithmetic/dot_kernel.h"
#include "machine/arithmetic/dot_operand.h"

namespace tritonrl::machine {
namespace {

// Sums of this many products of two signed bytes are exact in a float (1024 · 2¹⁴ = 2²⁴).
constexpr std::int64_t kExactInt8 = 1024;

// The products of parts that are summed, the smallest first; the last is that of the leading parts. As Triton lowers
// tf32x3, bf16x3 (two parts) and bf16x6 (three).
struct PartPair {
  int a, b;
};
constexpr std::array<PartPair, 6> kPartPairs = {{{1, 1}, {2, 0}, {0, 2}, {1, 0}, {0, 1}, {0, 0}}};

std::span<const PartPair> pairs_of(int parts) {
  const std::span<const PartPair> all = kPartPairs;
  return parts == 1 ? all.last(1) : parts == 2 ? all.last(3) : all;
}

bool is_fp8(Scalar scalar) {
  return scalar >= Scalar::kF8E4M3 && scalar <= Scalar::kF8E5M2FNUZ;
}

constexpr std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

// Whether b is copied into panels: where rows end inside a group of columns, and where rows are so long that a panel's
// lines would fall on few cache sets, if there are rows of a enough to pay for it.
bool packs(const Dot& dot) {
  return dot.n % kColumnGroup != 0 || (dot.n >= 256 && dot.m >= 64 && dot.k >= 64);
}

// How a product is done, and where in the scratch memory its pieces lie (in elements, each aligned).
struct Plan {
  Parts a, b;
  bool pack = false;
  bool sum_apart = false;  // d is not float, or c is added last
  std::int64_t a_size = 0, b_size = 0, sum_size = 0;

  bool a_in_place() const { return a.widen[0] == nullptr; }
  bool b_in_place() const { return b.widen[0] == nullptr && !pack; }
  std::int64_t size() const { return a.count * a_size + b.count * b_size + sum_size; }
};

Plan plan_of(const Dot& dot) {
  Plan plan;
  if (dot.a != Scalar::kF64) {
    plan.a = parts_of(dot.a, dot.precision);
    plan.b = parts_of(dot.b, dot.precision);
  }
  plan.pack = packs(dot);
  plan.sum_apart = plan.a.count > 1 || dot.accumulator == Scalar::kF16 || dot.accumulator == Scalar::kI32;
  if (!plan.a_in_place()) plan.a_size = round_up(dot.m * dot.k, kColumnGroup);
  if (!plan.b_in_place())
    plan.b_size = round_up(plan.pack ? dot.k * round_up(dot.n, kPanel) : dot.k * dot.n, kColumnGroup);
  if (plan.sum_apart) plan.sum_size = round_up(dot.m * dot.n, kColumnGroup);
  return plan;
}

template <class T>
void copy_row(Widen widen, const std::byte* from, T* to, std::int64_t count) {
  if constexpr (std::is_same_v<T, float>) {
    if (widen != nullptr) return widen(from, to, count);
  }
  std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
}

template <class T>
void pack_panels(const Dot& dot, Widen widen, const std::byte* b, T* panels) {
  const std::int64_t element = size_of(dot.b);
  for (std::int64_t j = 0; j < dot.n; j += kPanel) {
    const std::int64_t columns = std::min(kPanel, dot.n - j);
    for (std::int64_t i = 0; i < dot.k; ++i, panels += kPanel) {
      copy_row(widen, b + (i * dot.n + j) * element, panels, columns);
      std::fill(panels + columns, panels + kPanel, T{0});
    }
  }
}

// The operands of one batch, made ready to multiply.
template <class T>
class Operands {
 public:
  Operands(const Dot& dot, const Plan& plan, const std::byte* a, const std::byte* b, T* scratch)
      : dot_(dot), plan_(plan) {
    for (int part = 0; part < plan.a.count; ++part) {
      a_[part] = plan.a_in_place() ? reinterpret_cast<const T*>(a) : scratch;
      if (!plan.a_in_place()) copy_row(plan.a.widen[part], a, scratch, dot.m * dot.k);
      scratch += plan.a_size;
    }
    for (int part = 0; part < plan.b.count; ++part) {
      b_[part] = plan.b_in_place() ? reinterpret_cast<const T*>(b) : scratch;
      if (plan.pack) {
        pack_panels(dot, plan.b.widen[part], b, scratch);
      } else if (!plan.b_in_place()) {
        copy_row(plan.b.widen[part], b, scratch, dot.k * dot.n);
      }
      scratch += plan.b_size;
    }
  }

  // d = the product of two parts over k from `begin` to `end`, + c unless that is null.
  void multiply_parts(PartPair pair, std::int64_t begin, std::int64_t end, const T* c, T* d) const {
    const std::int64_t ldb = plan_.pack ? kPanel : dot_.n;
    multiply({.m = dot_.m,
              .n = dot_.n,
              .k = end - begin,
              .a = a_[pair.a] + begin,
              .lda = dot_.k,
              .b = b_[pair.b] + begin * ldb,
              .ldb = ldb,
              .panel_stride = plan_.pack ? kPanel * dot_.k : kPanel,
              .c = c,
              .d = d});
  }

 private:
  const Dot& dot_;
  const Plan& plan_;
  const T* a_[3] = {};
  const T* b_[3] = {};
};

void run_int8(const Dot& dot, const Operands<float>& operands, const std::int32_t* c, std::int32_t* d, float* sum) {
  for (std::int64_t begin = 0; begin < dot.k; begin += kExactInt8) {
    operands.multiply_parts({0, 0}, begin, std::min(dot.k, begin + kExactInt8), nullptr, sum);
    for (std::int64_t i = 0; i < dot.m * dot.n; ++i) {  // wraps around like the hardware
      d[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(c[i]) +
                                       static_cast<std::uint32_t>(static_cast<std::int32_t>(sum[i])));
    }
    c = d;
  }
}

void run_parts(const Dot& dot, int parts, const Operands<float>& operands, const float* c, float* d, float* sum) {
  const std::int64_t count = dot.m * dot.n;
  const float* before = nullptr;
  for (const PartPair pair : pairs_of(parts)) {
    if (pair.a == 0 && pair.b == 0) {
      // An infinite operand leaves NaNs in its small parts; the leading product alone must decide.
      for (std::int64_t i = 0; i < count; ++i) sum[i] = sum[i] == sum[i] ? sum[i] : 0.0f;
    }
    operands.multiply_parts(pair, 0, dot.k, before, sum);
    before = sum;
  }
  for (std::int64_t i = 0; i < count; ++i) d[i] = sum[i] + c[i];
}

void run_float(const Dot& dot, const Plan& plan, const std::byte* a, const std::byte* b, const void* c, void* d,
               float* scratch) {
  const Operands<float> operands(dot, plan, a, b, scratch);
  float* sum = scratch + plan.a.count * plan.a_size + plan.b.count * plan.b_size;
  if (dot.accumulator == Scalar::kI32) {
    run_int8(dot, operands, static_cast<const std::int32_t*>(c), static_cast<std::int32_t*>(d), sum);
  } else if (dot.accumulator == Scalar::kF16) {
    widen_half(c, sum, dot.m * dot.n);
    operands.multiply_parts({0, 0}, 0, dot.k, sum, sum);
    narrow_half(sum, d, dot.m * dot.n);
  } else if (plan.a.count > 1) {
    run_parts(dot, plan.a.count, operands, static_cast<const float*>(c), static_cast<float*>(d), sum);
  } else {
    operands.multiply_parts({0, 0}, 0, dot.k, static_cast<const float*>(c), static_cast<float*>(d));
  }
}

void run_double(const Dot& dot, const Plan& plan, const std::byte* a, const std::byte* b, const void* c, void* d,
                double* scratch) {
  const Operands<double> operands(dot, plan, a, b, scratch);
  operands.multiply_parts({0, 0}, 0, dot.k, static_cast<const double*>(c), static_cast<double*>(d));
}

}  // namespace

DotPrecision dot_precision(std::string_view text) {
  if (text == "tf32") return DotPrecision::kTf32;
  if (text == "tf32x3") return DotPrecision::kTf32x3;
  if (text == "bf16x3") return DotPrecision::kBf16x3;
  if (text == "bf16x6") return DotPrecision::kBf16x6;
  return DotPrecision::kIeee;
}

bool supported(const Dot& dot) {
  if (dot.batch <= 0 || dot.m <= 0 || dot.n <= 0 || dot.k <= 0) return false;
  if (dot.a != dot.b && !(is_fp8(dot.a) && is_fp8(dot.b))) return false;
  if (is_fp8(dot.a) || dot.a == Scalar::kF16) {
    return dot.accumulator == Scalar::kF32 || dot.accumulator == Scalar::kF16;
  }
  switch (dot.a) {
    case Scalar::kF32:
    case Scalar::kBF16:
      return dot.accumulator == Scalar::kF32;
    case Scalar::kF64:
      return dot.accumulator == Scalar::kF64;
    case Scalar::kI8:
      return dot.accumulator == Scalar::kI32;
    default:
      return false;
  }
}

std::int64_t scratch_bytes(const Dot& dot) {
  return plan_of(dot).size() * (dot.a == Scalar::kF64 ? 8 : 4);
}

void run_dot(const Dot& dot, const void* a, const void* b, const void* c, void* d, void* scratch) {
  TRL_CHECK(supported(dot), "a matrix product that is not supported");
  const Plan plan = plan_of(dot);
  const auto* a_bytes = static_cast<const std::byte*>(a);
  const auto* b_bytes = static_cast<const std::byte*>(b);
  const auto* c_bytes = static_cast<const std::byte*>(c);
  auto* d_bytes = static_cast<std::byte*>(d);
  for (std::int64_t i = 0; i < dot.batch; ++i) {
    const std::int64_t at = i * dot.m * dot.n * size_of(dot.accumulator);
    const std::byte* a_one = a_bytes + i * dot.m * dot.k * size_of(dot.a);
    const std::byte* b_one = b_bytes + i * dot.k * dot.n * size_of(dot.b);
    if (dot.a == Scalar::kF64) {
      run_double(dot, plan, a_one, b_one, c_bytes + at, d_bytes + at, static_cast<double*>(scratch));
    } else {
      run_float(dot, plan, a_one, b_one, c_bytes + at, d_bytes + at, static_cast<float*>(scratch));
    }
  }
}

}  // namespace tritonrl::machine
