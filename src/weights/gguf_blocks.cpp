#include "weights/gguf_blocks.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "base/check.h"

// Built with -ffp-contract=off: a fused multiply-add would round once where the reference rounds twice.

namespace tritonrl::weights {
namespace {

constexpr std::array<std::string_view, 42> kNames = {
    "F32",        "F16",        "Q4_0",       "Q4_1",  "Q4_2",     "Q4_3",     "Q5_0",     "Q5_1",    "Q8_0",
    "Q8_1",       "Q2_K",       "Q3_K",       "Q4_K",  "Q5_K",     "Q6_K",     "Q8_K",     "IQ2_XXS", "IQ2_XS",
    "IQ3_XXS",    "IQ1_S",      "IQ4_NL",     "IQ3_S", "IQ2_S",    "IQ4_XS",   "I8",       "I16",     "I32",
    "I64",        "F64",        "IQ1_M",      "BF16",  "Q4_0_4_4", "Q4_0_4_8", "Q4_0_8_8", "TQ1_0",   "TQ2_0",
    "IQ4_NL_4_4", "IQ4_NL_4_8", "IQ4_NL_8_8", "MXFP4", "NVFP4",    "Q1_0"};

float half_at(const std::uint8_t* bytes) {
  const std::uint32_t half = bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
  const std::uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 0x1fu, fraction = half & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  // Subnormal: a multiple of 2^-24, exact in a float.
  const float value = static_cast<float>(fraction) * 0x1p-24f;
  return sign != 0 ? -value : value;
}

void unpack_q4_0(const std::uint8_t* block, float* values) {
  const float scale = half_at(block);
  for (int i = 0; i < 16; ++i) {
    values[i] = scale * static_cast<float>((block[2 + i] & 15) - 8);
    values[i + 16] = scale * static_cast<float>((block[2 + i] >> 4) - 8);
  }
}

void unpack_q4_1(const std::uint8_t* block, float* values) {
  const float scale = half_at(block), least = half_at(block + 2);
  for (int i = 0; i < 16; ++i) {
    values[i] = scale * static_cast<float>(block[4 + i] & 15) + least;
    values[i + 16] = scale * static_cast<float>(block[4 + i] >> 4) + least;
  }
}

void unpack_q8_0(const std::uint8_t* block, float* values) {
  const float scale = half_at(block);
  for (int i = 0; i < 32; ++i) values[i] = static_cast<float>(static_cast<std::int8_t>(block[2 + i])) * scale;
}

// 256 elements: 128 bytes of low halves, 64 of high pairs of bits, 16 scales, one scale of the scales. Each half of the
// block is four runs of 32 that share their bytes.
void unpack_q6_k(const std::uint8_t* block, float* values) {
  const std::uint8_t* const scales = block + 192;
  const float scale = half_at(block + 208);
  for (int half = 0; half < 2; ++half) {
    const std::uint8_t* const low = block + 64 * half;
    const std::uint8_t* const high = block + 128 + 32 * half;
    for (int run = 0; run < 4; ++run) {
      for (int i = 0; i < 32; ++i) {
        const int nibble = run < 2 ? low[32 * (run % 2) + i] & 15 : low[32 * (run % 2) + i] >> 4;
        const int quant = (nibble | (high[i] >> (2 * run) & 3) << 4) - 32;
        const int at = 128 * half + 32 * run + i;
        const float step = scale * static_cast<float>(static_cast<std::int8_t>(scales[at / 16]));
        values[at] = step * static_cast<float>(quant);
      }
    }
  }
}

}  // namespace

std::optional<GgufType> gguf_type(std::uint32_t number) {
  switch (static_cast<GgufType>(number)) {
    case GgufType::kF32:
    case GgufType::kF16:
    case GgufType::kQ4_0:
    case GgufType::kQ4_1:
    case GgufType::kQ8_0:
    case GgufType::kQ6_K:
    case GgufType::kBf16:
      return static_cast<GgufType>(number);
  }
  return std::nullopt;
}

std::string gguf_type_name(std::uint32_t number) {
  return number < kNames.size() ? std::string(kNames[number]) : "type " + std::to_string(number);
}

std::string_view supported_gguf_types() {
  return "F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q6_K";
}

GgufBlock block_of(GgufType type) {
  switch (type) {
    case GgufType::kF32:
      return {.elements = 1, .bytes = 4};
    case GgufType::kF16:
    case GgufType::kBf16:
      return {.elements = 1, .bytes = 2};
    case GgufType::kQ4_0:
      return {.elements = 32, .bytes = 18};
    case GgufType::kQ4_1:
      return {.elements = 32, .bytes = 20};
    case GgufType::kQ8_0:
      return {.elements = 32, .bytes = 34};
    case GgufType::kQ6_K:
      return {.elements = 256, .bytes = 210};
  }
  base::check_failed("known type", __FILE__, __LINE__, "a GGUF type without a block");
}

Dtype loaded_dtype(GgufType type) {
  if (type == GgufType::kF16) return Dtype::kF16;
  return type == GgufType::kBf16 ? Dtype::kBf16 : Dtype::kF32;
}

bool is_quantised(GgufType type) {
  return block_of(type).elements > 1;
}

void unpack_blocks(GgufType type, std::span<const std::byte> blocks, std::span<float> values) {
  const GgufBlock size = block_of(type);
  TRL_CHECK(blocks.size() % size.bytes == 0 && blocks.size() / size.bytes * size.elements == values.size(),
            "as many values as the blocks hold");
  const auto* block = reinterpret_cast<const std::uint8_t*>(blocks.data());
  for (std::size_t at = 0; at < values.size(); at += size.elements, block += size.bytes) {
    float* const out = values.data() + at;
    switch (type) {
      case GgufType::kQ4_0:
        unpack_q4_0(block, out);
        break;
      case GgufType::kQ4_1:
        unpack_q4_1(block, out);
        break;
      case GgufType::kQ8_0:
        unpack_q8_0(block, out);
        break;
      case GgufType::kQ6_K:
        unpack_q6_k(block, out);
        break;
      case GgufType::kF32:
      case GgufType::kF16:
      case GgufType::kBf16:
        base::check_failed("quantised", __FILE__, __LINE__, "a type without blocks");
    }
  }
}

}  // namespace tritonrl::weights
