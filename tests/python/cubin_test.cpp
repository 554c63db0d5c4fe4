#include "python/cubin.h"

#include <gtest/gtest.h>

#include <random>

namespace tritonrl::python {
namespace {

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i, value >>= 8) out += static_cast<char>(value);
}

std::string number(std::uint64_t value, int bytes) {
  std::string out;
  put(out, value, bytes);
  return out;
}

struct Part {
  std::string name, contents;
  std::uint32_t type = 1, link = 0, info = 0;
};

// An ELF file as ptxas lays it out: header, contents, table of sections.
std::string elf(std::vector<Part> parts) {
  std::string names(1, '\0'), body;
  std::vector<std::uint64_t> name_at, offset;
  parts.push_back({.name = ".shstrtab", .contents = {}, .type = 3});
  for (const Part& part : parts) {
    name_at.push_back(names.size());
    names += part.name + '\0';
  }
  parts.back().contents = names;
  for (const Part& part : parts) {
    offset.push_back(64 + body.size());
    body += part.contents;
  }
  std::string out(
      "\x7f"
      "ELF\x02\x01\x01\x33\x07",
      9);
  out.resize(16);
  put(out, 2, 2);
  put(out, 190, 2);
  out.resize(40);
  put(out, 64 + body.size(), 8);
  out.resize(58);
  put(out, 64, 2);
  put(out, parts.size(), 2);
  put(out, parts.size() - 1, 2);
  out += body;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    put(out, name_at[i], 4);
    put(out, parts[i].type, 4);
    put(out, 0, 16);
    put(out, offset[i], 8);
    put(out, parts[i].contents.size(), 8);
    put(out, parts[i].link, 4);
    put(out, parts[i].info, 4);
    put(out, 0, 16);
  }
  return out;
}

std::string attribute(int kind, std::uint32_t symbol, std::uint32_t value) {
  return std::string("\x04") + static_cast<char>(kind) + number(8, 2) + number(symbol, 4) + number(value, 4);
}

std::string symbol(std::uint32_t name) {
  return number(name, 4) + std::string(20, '\0');
}

// A kernel `k` of 90 registers and 16 bytes of stack beside another function.
std::vector<Part> parts(std::uint32_t registers = 90, std::uint32_t stack = 16) {
  const std::string info = std::string("\x03\x50\x00\x00", 4) + attribute(0x2f, 2, 40) + attribute(0x11, 2, 8) +
                           attribute(0x2f, 1, registers) + attribute(0x11, 1, stack);
  return {{.name = "", .contents = "", .type = 0},
          {.name = ".strtab", .contents = std::string("\0k\0other\0", 9), .type = 3},
          {.name = ".symtab", .contents = symbol(0) + symbol(1) + symbol(3), .type = 2, .link = 1},
          {.name = ".nv.info", .contents = info, .type = 0x70000000, .link = 2},
          {.name = ".text.k", .contents = std::string(128, '\x12'), .type = 1, .info = 1},
          {.name = ".nv.shared.k", .contents = "", .type = 8}};
}

TEST(Cubin, SaysRegistersAndStack) {
  const base::Result<CubinInfo> info = read_cubin(elf(parts()), "k");
  ASSERT_TRUE(info.ok()) << info.error();
  EXPECT_EQ(info.value().registers, 90);
  EXPECT_EQ(info.value().stack_bytes, 16);
}

TEST(Cubin, OlderFormKeepsRegistersInTheSectionTable) {
  std::vector<Part> old = parts();
  old[3].contents.clear();
  old[4].info = (33u << 24) | 5;
  const base::Result<CubinInfo> info = read_cubin(elf(old), "k");
  ASSERT_TRUE(info.ok()) << info.error();
  EXPECT_EQ(info.value().registers, 33);
}

TEST(Cubin, NonsenseIsRefused) {
  const std::string good = elf(parts());
  EXPECT_FALSE(read_cubin("", "k").ok());
  EXPECT_FALSE(read_cubin("\x7f"
                          "ELF",
                          "k")
                   .ok());
  EXPECT_FALSE(read_cubin(good, "").ok());
  EXPECT_FALSE(read_cubin(good, "j").ok());
  EXPECT_FALSE(read_cubin(good, "other").ok());  // a symbol without code
  EXPECT_FALSE(read_cubin(elf(parts(256)), "k").ok());
  EXPECT_FALSE(read_cubin(elf(parts(0xffffffff)), "k").ok());
  EXPECT_FALSE(read_cubin(elf(parts(90, 0xffffffff)), "k").ok());
  std::string other_machine = good;
  other_machine[18] = 62;
  EXPECT_FALSE(read_cubin(other_machine, "k").ok());
  std::string far_table = good;
  far_table.replace(40, 8, std::string(8, '\xff'));
  EXPECT_FALSE(read_cubin(far_table, "k").ok());
}

TEST(Cubin, AnyPrefixAndAnyFlippedBytesAreAnAnswer) {
  const std::string good = elf(parts());
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(read_cubin(good.substr(0, size), "k").ok()) << size;
  }
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = good;
    for (int flips = 1 + static_cast<int>(random() % 6); flips > 0; --flips) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    const base::Result<CubinInfo> info = read_cubin(bytes, "k");
    if (!info.ok()) continue;
    EXPECT_GT(info.value().registers, 0);
    EXPECT_LE(info.value().registers, 255);
    EXPECT_GE(info.value().stack_bytes, 0);
  }
}

}  // namespace
}  // namespace tritonrl::python
