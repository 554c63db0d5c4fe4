#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tritonrl::text {

struct FragmentOptions {
  std::size_t count = 300;           // at most so many
  std::size_t longest = 160;         // bytes of one
  std::size_t most_bytes = 8 << 20;  // of answers that are looked at; the rest is left alone
};

// Pieces of answers that are met again and again, word for word, and save most tokens as single ones: whole words,
// signs and indentation, over the ends of lines too ("\n    p = tl.program_id(0)\n"). None stands in a prompt, so what
// is read keeps its tokens. They are for BpeTrainerOptions::fragments, those that save most first; the same texts
// give the same list.
std::vector<std::string> frequent_fragments(std::span<const std::string> answers, std::span<const std::string> prompts,
                                            const FragmentOptions& options = {});

}  // namespace tritonrl::text
