#pragma once

#include <cstdint>
#include <string_view>

namespace tritonrl::base {

// Spreads a number's bits over all 64: equal numbers stay equal, others look random.
constexpr std::uint64_t mix64(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

// A fast hash for tables that live in one program or one folder; the same on every machine. No protection against
// someone who looks for collisions: sha256.h is for that.
constexpr std::uint64_t hash64(std::string_view bytes, std::uint64_t before = 0) {
  std::uint64_t hash = mix64(before);
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return mix64(hash ^ bytes.size());
}

}  // namespace tritonrl::base
