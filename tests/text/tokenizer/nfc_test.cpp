#include "text/tokenizer/nfc.h"

#include <gtest/gtest.h>

#include "text/tokenizer/utf8.h"

namespace tritonrl::text {
namespace {

std::string utf8(const std::u32string& text) {
  std::string out;
  for (const char32_t c : text) append_utf8(out, c);
  return out;
}

std::string nfc(const std::u32string& text) {
  std::string storage;
  return std::string(normalise_nfc(utf8(text), storage));
}

TEST(Nfc, ComposesAndOrders) {
  EXPECT_EQ(nfc(U"cafe\u0301!"), utf8(U"caf\u00E9!"));
  EXPECT_EQ(nfc(U"\u212B\u2126"), utf8(U"\u00C5\u03A9"));
  EXPECT_EQ(nfc(U"o\u0302\u0323"), utf8(U"\u1ED9"));  // below before above, then both compose
  EXPECT_EQ(nfc(U"a\u0301\u0316"), utf8(U"\u00E1\u0316"));
  EXPECT_EQ(nfc(U"a\u0300\u0301"), utf8(U"\u00E0\u0301"));  // the second of a class is blocked
  EXPECT_EQ(nfc(U"\u0301a"), utf8(U"\u0301a"));             // nothing to stand on
  EXPECT_EQ(nfc(U"\u0958"), utf8(U"\u0915\u093C"));         // never composed
  EXPECT_EQ(nfc(U"\u1100\u1161\u11A8"), utf8(U"\uAC01"));
  EXPECT_EQ(nfc(U"\uAC00\u11A8\u11A8"), utf8(U"\uAC01\u11A8"));
  EXPECT_EQ(nfc(U"x\u00E9\u0316y\u00E9"), utf8(U"x\u00E9\u0316y\u00E9"));
}

TEST(Nfc, TextInNfcIsItself) {
  for (const std::u32string text : {U"", U"plain", U"caf\u00E9 \u6F22\u5B57 \uAC01 \U0001F600"}) {
    const std::string bytes = utf8(text);
    std::string storage;
    EXPECT_EQ(normalise_nfc(bytes, storage).data(), bytes.data());
  }
}

TEST(Nfc, NormalisingTwiceChangesNothing) {
  EXPECT_EQ(NfcTables::get().compositions.size(), 940u);
  for (const auto& [pair, result] : NfcTables::get().compositions) {
    const std::u32string composed(1, result);
    EXPECT_EQ(nfc({static_cast<char32_t>(pair >> 32), static_cast<char32_t>(pair)}), utf8(composed))
        << std::hex << static_cast<unsigned>(result);
    EXPECT_EQ(nfc(composed), utf8(composed));
  }
}

TEST(Nfc, TheFastPathsLimitHolds) {
  for (const char32_t c : NfcTables::get().touched) EXPECT_GE(c, char32_t{0x300});
}

}  // namespace
}  // namespace tritonrl::text
