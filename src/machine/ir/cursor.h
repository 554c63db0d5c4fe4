#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tritonrl::machine {

// What is wrong with the text, and where. Thrown inside the reader only; read_ir makes a Failure of it.
struct IrError {
  std::size_t offset = 0;
  std::string message;
};

// A number as written; what it means depends on the type that follows it.
struct IrNumber {
  std::string_view text;  // without the sign
  bool negative = false;
  bool hex = false;    // text after "0x"
  bool point = false;  // has a decimal point: a float
};

// A place in the text and the tokens of MLIR. Blanks and comments before a token are skipped.
class IrCursor {
 public:
  explicit IrCursor(std::string_view text) : text_(text) {}

  std::string_view text() const { return text_; }
  std::size_t offset() const { return offset_; }
  void seek(std::size_t offset) { offset_ = offset; }
  [[noreturn]] void fail(std::string message) const { throw IrError{offset_, std::move(message)}; }

  char peek();  // first character of the next token; '\0' at the end
  bool accept(std::string_view punctuation);
  void expect(std::string_view punctuation);
  std::string_view peek_word();  // letters, digits, '_', '$', '.'; empty if the next token is no word
  std::string_view word();
  bool accept_word(std::string_view word);
  std::string_view suffix();  // what follows '%', '^', '#' or '@'
  std::string string();       // between quotes, escapes resolved
  bool at_number();
  IrNumber number();
  std::int64_t integer();
  // From an opening bracket to behind the one that closes it, whatever is between them.
  void skip_balanced();
  // To the end of the line in which no bracket is open.
  void skip_statement();

 private:
  void skip_space();
  void skip_string();

  std::string_view text_;
  std::size_t offset_ = 0;
};

// The value of an integer as written, in two's complement; false if 64 bits do not hold it.
bool to_bits(const IrNumber& number, std::uint64_t& bits);

}  // namespace tritonrl::machine
