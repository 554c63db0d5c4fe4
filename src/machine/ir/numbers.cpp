#include "machine/ir/numbers.h"

#include <bit>
#include <charconv>

#include "machine/numbers/float_formats.h"

namespace tritonrl::machine {

std::uint64_t mask_of(Scalar scalar) {
  if (scalar == Scalar::kI1) return 1;
  const int bits = 8 * size_of(scalar);
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

std::optional<std::uint64_t> encode_number(const IrNumber& number, Scalar scalar) {
  const std::uint64_t mask = mask_of(scalar);
  if (is_integer(scalar)) {
    std::uint64_t bits = 0;
    if (!to_bits(number, bits)) return std::nullopt;
    // As unsigned or as two's complement.
    const std::uint64_t sign = mask ^ (mask >> 1);
    const std::uint64_t above = number.negative && bits != 0 ? ~mask | sign : ~mask;
    if ((bits & above) != (number.negative && bits != 0 ? above : 0)) return std::nullopt;
    return bits & mask;
  }
  if (!is_float(scalar)) return std::nullopt;
  if (number.hex) {
    std::uint64_t bits = 0;
    if (number.negative || !to_bits(number, bits) || (bits & ~mask) != 0) return std::nullopt;
    return bits;
  }
  const char* const end = number.text.data() + number.text.size();
  double value = 0;
  // An f32 is rounded once, from the decimal.
  if (scalar == Scalar::kF32) {
    float single = 0;
    const auto [stop, error] = std::from_chars(number.text.data(), end, single);
    if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
    if (error == std::errc()) return std::bit_cast<std::uint32_t>(number.negative ? -single : single);
  }
  const auto [stop, error] = std::from_chars(number.text.data(), end, value);
  if (stop != end || error != std::errc()) return std::nullopt;
  return from_double(scalar, number.negative ? -value : value);
}

}  // namespace tritonrl::machine
