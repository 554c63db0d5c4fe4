#include "machine/ir/attributes.h"

#include <charconv>

#include "machine/ir/dense.h"
#include "machine/ir/numbers.h"
#include "machine/ir/types.h"

namespace tritonrl::machine {
namespace {

// "16 : i32"; a float where it is written as one or its type says so.
Attribute read_number(IrCursor& cursor, std::int64_t max_elements) {
  const std::size_t start = cursor.offset();
  const IrNumber number = cursor.number();
  Type type;
  if (cursor.accept(":")) type = read_type(cursor, max_elements);
  std::uint64_t bits = 0;
  if (!number.point && !is_float(type.scalar) && to_bits(number, bits)) return static_cast<std::int64_t>(bits);
  double value = 0;
  const char* const end = number.text.data() + number.text.size();
  if (!number.hex && std::from_chars(number.text.data(), end, value).ptr == end) {
    return number.negative ? -value : value;
  }
  return std::string(cursor.text().substr(start, cursor.offset() - start));
}

// "array<i32: 1, 0>", behind its word.
Attribute read_array(IrCursor& cursor) {
  cursor.expect("<");
  const Scalar scalar = scalar_named(cursor.word());
  std::vector<std::int64_t> values;
  if (!is_integer(scalar)) cursor.fail("expected an array of integers");
  if (cursor.accept(":")) {
    do {
      if (cursor.accept_word("true")) {
        values.push_back(1);
      } else if (cursor.accept_word("false")) {
        values.push_back(0);
      } else {
        values.push_back(cursor.integer());
      }
    } while (cursor.accept(","));
  }
  cursor.expect(">");
  return values;
}

// "[1 : i32, 2 : i32]"; the text if they are not all integers.
Attribute read_list(IrCursor& cursor, std::int64_t max_elements) {
  const std::size_t start = cursor.offset();
  cursor.expect("[");
  std::vector<std::int64_t> values;
  bool integers = true;
  while (integers && cursor.peek() != ']') {
    integers = cursor.at_number();
    if (!integers) break;
    const Attribute value = read_number(cursor, max_elements);
    const auto* integer = std::get_if<std::int64_t>(&value);
    integers = integer != nullptr && (cursor.accept(",") || cursor.peek() == ']');
    if (integers) values.push_back(*integer);
  }
  if (integers) {
    cursor.expect("]");
    return values;
  }
  cursor.seek(start);
  cursor.skip_balanced();
  return std::string(cursor.text().substr(start, cursor.offset() - start));
}

// "#arith.fastmath<fast>" is "fast", "#tt.x" is "tt.x".
Attribute read_hash(IrCursor& cursor) {
  cursor.expect("#");
  const std::string_view name = cursor.suffix();
  if (cursor.peek() != '<') return std::string(name);
  const std::size_t open = cursor.offset() + 1;
  cursor.skip_balanced();
  return std::string(cursor.text().substr(open, cursor.offset() - 1 - open));
}

std::string read_symbol(IrCursor& cursor) {
  cursor.expect("@");
  return cursor.peek() == '"' ? cursor.string() : std::string(cursor.suffix());
}

}  // namespace

Attribute read_attribute(IrCursor& cursor, std::int64_t max_elements) {
  const char first = cursor.peek();
  const std::size_t start = cursor.offset();
  if (first == '"') return cursor.string();
  if (first == '@') return read_symbol(cursor);
  if (first == '#') return read_hash(cursor);
  if (first == '[') return read_list(cursor, max_elements);
  if (cursor.at_number()) return read_number(cursor, max_elements);
  if (first == '{') {
    cursor.skip_balanced();
  } else {
    const std::string_view word = cursor.peek_word();
    if (word == "true" || word == "false") return cursor.word() == "true";
    if (word == "unit") {
      cursor.word();
      return std::monostate();
    }
    if (word == "array") {
      cursor.word();
      return read_array(cursor);
    }
    if (word == "dense") return read_dense(cursor, max_elements).first;
    if (word == "loc") cursor.word();
    if (word == "loc" && cursor.peek() == '(') {
      cursor.skip_balanced();
    } else {
      read_type(cursor, max_elements);
    }
  }
  return std::string(cursor.text().substr(start, cursor.offset() - start));
}

void read_attribute_dictionary(IrCursor& cursor, std::int64_t max_elements, Attributes& attributes) {
  cursor.expect("{");
  if (cursor.accept("}")) return;
  do {
    std::string key = cursor.peek() == '"' ? cursor.string() : std::string(cursor.word());
    Attribute value;
    if (cursor.accept("=")) value = read_attribute(cursor, max_elements);
    attributes.emplace_back(std::move(key), std::move(value));
  } while (cursor.accept(","));
  cursor.expect("}");
}

std::pair<Dense, Type> read_constant(IrCursor& cursor, std::int64_t max_elements) {
  const std::string_view word = cursor.peek_word();
  if (word == "dense") return read_dense(cursor, max_elements);
  Dense dense;
  Type type;
  if (word == "true" || word == "false") {
    cursor.word();
    type.kind = Type::Kind::kScalar;
    type.scalar = Scalar::kI1;
    dense.bits.push_back(word == "true");
    if (cursor.accept(":")) type = read_type(cursor, max_elements);
    if (!is_integer(type.scalar)) cursor.fail("a truth value of another type");
  } else {
    const std::size_t start = cursor.offset();
    const IrNumber number = cursor.number();
    if (cursor.accept(":")) {
      type = read_type(cursor, max_elements);
    } else {  // MLIR's own defaults
      type.kind = Type::Kind::kScalar;
      type.scalar = number.point ? Scalar::kF64 : Scalar::kI64;
    }
    if (type.kind == Type::Kind::kScalar) {
      const auto bits = encode_number(number, type.scalar);
      if (!bits) throw IrError{start, "a number that " + to_string(type) + " does not hold"};
      dense.bits.push_back(*bits);
    }
  }
  if (type.kind == Type::Kind::kTensor) cursor.fail("expected dense<...> for a tensor");
  if (dense.bits.empty()) dense.bits.push_back(0);  // of a type that the machine does not know
  return {dense, type};
}

}  // namespace tritonrl::machine
