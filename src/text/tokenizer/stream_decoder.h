#pragma once

#include <string>

#include "text/tokenizer/tokenizer.h"

namespace tritonrl::text {

// Text as tokens arrive. What add() returns is always whole characters; the parts joined, with finish() at the end, are
// decode() of all tokens, each invalid byte as U+FFFD.
class StreamDecoder {
 public:
  explicit StreamDecoder(Tokenizer tokenizer, bool skip_special = true);

  std::string add(TokenId id);
  std::string finish();  // bytes that never became a character; ready for another text afterwards

 private:
  Tokenizer tokenizer_;
  bool skip_special_;
  std::string pending_;
};

}  // namespace tritonrl::text
