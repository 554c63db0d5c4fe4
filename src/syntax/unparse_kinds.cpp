#include "syntax/unparse_kinds.h"

#include <array>
#include <cstddef>

namespace tritonrl::syntax {
namespace {

constexpr std::string_view kNames[] = {
#define TRITONRL_SYNTAX_KIND(name) #name,
    TRITONRL_SYNTAX_KINDS(TRITONRL_SYNTAX_KIND)
#undef TRITONRL_SYNTAX_KIND
};
constexpr std::size_t kCount = sizeof(kNames) / sizeof(kNames[0]);
constexpr std::size_t kSlots = 512;
constexpr unsigned char kFree = 255;
static_assert(kCount < kFree);

constexpr std::size_t slot_of(std::string_view name) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(name[i]); };
  return (name.size() * 37 + at(0) * 5 + at(name.size() / 2) * 17 + at(name.size() - 1) * 131u) % kSlots;
}

constexpr std::array<unsigned char, kSlots> kTable = [] {
  std::array<unsigned char, kSlots> table{};
  for (unsigned char& slot : table) slot = kFree;
  for (std::size_t i = 0; i < kCount; ++i) {
    std::size_t slot = slot_of(kNames[i]);
    while (table[slot] != kFree) slot = (slot + 1) % kSlots;
    table[slot] = static_cast<unsigned char>(i);
  }
  return table;
}();

}  // namespace

SyntaxKind syntax_kind(std::string_view name) {
  if (name.empty()) return SyntaxKind::kUnknown;
  for (std::size_t slot = slot_of(name); kTable[slot] != kFree; slot = (slot + 1) % kSlots) {
    if (kNames[kTable[slot]] == name) return static_cast<SyntaxKind>(kTable[slot]);
  }
  return SyntaxKind::kUnknown;
}

std::string_view syntax_name(SyntaxKind kind) {
  return kind == SyntaxKind::kUnknown ? std::string_view() : kNames[static_cast<std::size_t>(kind)];
}

}  // namespace tritonrl::syntax
