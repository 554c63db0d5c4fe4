#pragma once

#include <string>
#include <string_view>

namespace tritonrl::text {

// An answer taken apart: what the model says, and what it only thinks.
struct AnswerLayers {
  std::string answer;    // outside all thinking, cut at the first token that ends a turn
  std::string final;     // what <answer> holds, if there is one; the last of several
  std::string thinking;  // the rest, as a last resort
};
AnswerLayers split_layers(std::string_view text);

}  // namespace tritonrl::text
