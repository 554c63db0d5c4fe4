#pragma once

#include <string>
#include <string_view>

namespace tritonrl::text {

// What a byte of Python source belongs to.
inline constexpr char kCode = 'c';
inline constexpr char kString = 's';  // quotes included
inline constexpr char kComment = '#';

// Follows strings, comments and brackets through Python source, one physical line at a time.
class PythonScanner {
 public:
  // `line` has no newline. Appends one of the kinds above to `kinds` for each byte.
  void scan(std::string_view line, std::string* kinds = nullptr);

  bool in_string() const { return quote_ != 0; }                                 // the next line begins inside a string
  int depth() const { return depth_; }                                           // open brackets
  bool in_statement() const { return in_string() || depth_ > 0 || continued_; }  // the next line goes on with this one

 private:
  std::size_t scan_string(std::string_view line, std::size_t at);

  char quote_ = 0;
  bool triple_ = false;
  bool continued_ = false;
  int depth_ = 0;
};

// One kind for each byte of `code`; a newline inside a string is kString, else kCode.
std::string byte_kinds(std::string_view code);

}  // namespace tritonrl::text
