#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tritonrl::text {

// Canonical composition (NFC) of valid UTF-8. Returns `text` itself if nothing changes, else a view of `storage`.
std::string_view normalise_nfc(std::string_view text, std::string& storage);

// What it goes by, but for Hangul syllables, which are computed. One for the process, built at first use.
struct NfcTables {
  std::unordered_map<char32_t, std::uint8_t> orders;            // of marks, which sort by it
  std::unordered_map<char32_t, std::u32string> decompositions;  // their parts may decompose further
  std::unordered_map<std::uint64_t, char32_t> compositions;     // by pair(first, second)
  std::vector<char32_t> touched;                                // text without any of these is in NFC already

  static const NfcTables& get();
  static std::uint64_t pair(char32_t first, char32_t second) { return std::uint64_t{first} << 32 | second; }

 private:
  NfcTables();
};

}  // namespace tritonrl::text
