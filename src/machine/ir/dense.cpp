#include "machine/ir/dense.h"

#include <algorithm>
#include <optional>
#include <string>

#include "machine/ir/numbers.h"
#include "machine/ir/types.h"

namespace tritonrl::machine {
namespace {

// The values come before the type that gives them meaning, so they are read when it is known.
class DenseReader {
 public:
  DenseReader(IrCursor& cursor, const Type& type, std::size_t end) : cursor_(cursor), type_(type), end_(end) {}

  Dense read() {
    const char first = cursor_.peek();
    if (first == '"') return blob();
    Dense dense;
    if (first == '[') {
      list(dense, 0);
      if (static_cast<std::int64_t>(dense.bits.size()) != type_.count()) cursor_.fail("elements do not fit the type");
    } else {
      dense.bits.push_back(element());
    }
    finish(dense);
    return dense;
  }

 private:
  std::uint64_t element() {
    if (cursor_.accept_word("true")) return truth(1);
    if (cursor_.accept_word("false")) return truth(0);
    const std::size_t start = cursor_.offset();
    const auto bits = encode_number(cursor_.number(), type_.scalar);
    if (!bits) throw IrError{start, "a number that " + to_string(type_.scalar) + " does not hold"};
    return *bits;
  }

  std::uint64_t truth(std::uint64_t value) {
    if (!is_integer(type_.scalar)) cursor_.fail("a truth value in a tensor of numbers");
    return value;
  }

  void list(Dense& dense, std::size_t axis) {
    cursor_.expect("[");
    std::int64_t size = 0;
    do {
      ++size;
      if (axis + 1 < type_.shape.size()) {
        list(dense, axis + 1);
      } else {
        dense.bits.push_back(element());
      }
    } while (cursor_.accept(","));
    cursor_.expect("]");
    if (size != type_.shape[axis]) cursor_.fail("elements do not fit the type");
  }

  Dense blob() {
    const std::size_t start = cursor_.offset();
    const std::string hex = cursor_.string();
    Dense dense;
    if (hex.size() < 4 || hex.compare(0, 2, "0x") != 0 || hex.size() % 2 != 0) {
      throw IrError{start, "expected hexadecimal digits"};
    }
    std::vector<std::uint8_t> bytes;
    bytes.reserve(hex.size() / 2);
    for (std::size_t i = 2; i < hex.size(); i += 2) {
      const int high = digit(hex[i], start), low = digit(hex[i + 1], start);
      bytes.push_back(static_cast<std::uint8_t>(high * 16 + low));
    }
    const auto count = static_cast<std::size_t>(type_.count());
    const auto size = static_cast<std::size_t>(size_of(type_.scalar));
    if (type_.scalar == Scalar::kI1) {
      read_truths(bytes, count, dense, start);
    } else if (bytes.size() == size || bytes.size() == size * count) {
      for (std::size_t at = 0; at < bytes.size(); at += size) {
        std::uint64_t bits = 0;
        for (std::size_t k = 0; k < size; ++k) bits |= std::uint64_t{bytes[at + k]} << (8 * k);
        dense.bits.push_back(bits);
      }
    } else {
      throw IrError{start, "elements do not fit the type"};
    }
    finish(dense);
    return dense;
  }

  // Packed eight to a byte by older printers, one a byte by newer ones; one byte for all.
  static void read_truths(const std::vector<std::uint8_t>& bytes, std::size_t count, Dense& dense, std::size_t start) {
    if (bytes.size() == count) {
      for (const std::uint8_t byte : bytes) dense.bits.push_back(byte & 1);
    } else if (bytes.size() == (count + 7) / 8) {
      for (std::size_t i = 0; i < count; ++i) dense.bits.push_back((bytes[i / 8] >> (i % 8)) & 1);
    } else if (bytes.size() == 1) {
      dense.bits.push_back(bytes[0] & 1);
    } else {
      throw IrError{start, "elements do not fit the type"};
    }
  }

  static int digit(char c, std::size_t start) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    throw IrError{start, "expected hexadecimal digits"};
  }

  void finish(Dense& dense) {
    if (cursor_.peek() != '>' || cursor_.offset() != end_) cursor_.fail("expected '>'");
    dense.splat = std::all_of(dense.bits.begin(), dense.bits.end(), [&](auto bits) { return bits == dense.bits[0]; });
    if (dense.splat) dense.bits.resize(1);
  }

  IrCursor& cursor_;
  const Type& type_;
  std::size_t end_;  // of the closing '>'
};

}  // namespace

std::pair<Dense, Type> read_dense(IrCursor& cursor, std::int64_t max_elements) {
  if (!cursor.accept_word("dense")) cursor.fail("expected 'dense'");
  if (cursor.peek() != '<') cursor.fail("expected '<'");
  const std::size_t open = cursor.offset();
  cursor.skip_balanced();
  const std::size_t close = cursor.offset();
  cursor.expect(":");
  const Type type = read_type(cursor, max_elements);
  if (type.kind != Type::Kind::kTensor || type.scalar == Scalar::kPointer) {
    Dense unknown;
    unknown.bits.push_back(0);
    if (type.kind == Type::Kind::kOpaque) return {unknown, type};
    cursor.fail("expected a type of a tensor of numbers");
  }
  const std::size_t after = cursor.offset();
  cursor.seek(open + 1);
  Dense dense = DenseReader(cursor, type, close - 1).read();
  cursor.seek(after);
  return {std::move(dense), type};
}

}  // namespace tritonrl::machine
