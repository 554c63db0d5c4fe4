#include "machine/numbers/float_formats.h"

namespace tritonrl::machine {
namespace {

template <class Format>
double widen(std::uint64_t bits) {
  return Format::widen(static_cast<typename Format::Storage>(bits));
}

template <class Format>
std::uint64_t narrow(double value) {
  return Format::template narrow<>(to_odd_float(value));
}

}  // namespace

double to_double(Scalar scalar, std::uint64_t bits) {
  switch (scalar) {
    case Scalar::kF8E4M3:
      return widen<F8E4M3>(bits);
    case Scalar::kF8E5M2:
      return widen<F8E5M2>(bits);
    case Scalar::kF8E4M3B15:
      return widen<F8E4M3B15>(bits);
    case Scalar::kF8E4M3FNUZ:
      return widen<F8E4M3Fnuz>(bits);
    case Scalar::kF8E5M2FNUZ:
      return widen<F8E5M2Fnuz>(bits);
    case Scalar::kF16:
      return widen<Half>(bits);
    case Scalar::kBF16:
      return widen<BFloat16>(bits);
    case Scalar::kF32:
      return bits_as<float>(static_cast<std::uint32_t>(bits));
    case Scalar::kF64:
      return bits_as<double>(bits);
    default:
      return 0;
  }
}

std::uint64_t from_double(Scalar scalar, double value) {
  switch (scalar) {
    case Scalar::kF8E4M3:
      return narrow<F8E4M3>(value);
    case Scalar::kF8E5M2:
      return narrow<F8E5M2>(value);
    case Scalar::kF8E4M3B15:
      return narrow<F8E4M3B15>(value);
    case Scalar::kF8E4M3FNUZ:
      return narrow<F8E4M3Fnuz>(value);
    case Scalar::kF8E5M2FNUZ:
      return narrow<F8E5M2Fnuz>(value);
    case Scalar::kF16:
      return narrow<Half>(value);
    case Scalar::kBF16:
      return narrow<BFloat16>(value);
    case Scalar::kF32:
      return bits_as<std::uint32_t>(static_cast<float>(value));
    case Scalar::kF64:
      return bits_as<std::uint64_t>(value);
    default:
      return 0;
  }
}

}  // namespace tritonrl::machine
