#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abstract/forward_operators.h"

namespace tritonrl::abstract {

// The signs of difficulty that a text shows without being understood.
struct TextHints {
  bool several = false;          // more than one computing operator
  bool chain = false;            // a convolution or product, a norm, a pointwise operator, one after the other
  bool fusion_words = false;     // "fused", "fusion", "combined"
  bool long_text = false;        // more than 50 words and signs
  std::vector<std::string> why;  // one line for each that holds
};
TextHints text_hints(const ForwardOperators& forward, std::string_view source);

}  // namespace tritonrl::abstract
