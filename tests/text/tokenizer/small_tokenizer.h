#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "base/files.h"
#include "base/json.h"
#include "tests/paths.h"
#include "text/tokenizer/tokenizer.h"
#include "text/tokenizer/tokenizer_json.h"

namespace tritonrl::text {

inline std::filesystem::path tokenizer_tests() {
  return source_path("tests/text/tokenizer");
}

// The real Qwen2.5 tokenizer, which is not part of the project and may be absent.
inline std::filesystem::path qwen_folder() {
  return source_path("../shared/data/qwen2_5");
}

inline base::Json small_tokenizer_document() {
  return base::Json::parse(base::read_file(tokenizer_tests() / "small.json"));
}

inline Tokenizer small_tokenizer() {
  return Tokenizer::from_file(tokenizer_tests() / "small.json");
}

// 256 bytes and the merges "a b", "ab c": small enough to know all ids by heart.
inline TokenizerParts tiny_parts() {
  TokenizerParts parts;
  for (int byte = 0; byte < 256; ++byte) {
    static const TokenizerParts small =
        parse_tokenizer_json(base::read_file(tokenizer_tests() / "small.json"), "small");
    parts.vocabulary.push_back(small.vocabulary[static_cast<std::size_t>(byte) + 3]);  // behind three special tokens
  }
  parts.vocabulary.insert(parts.vocabulary.end(), {"ab", "abc"});
  parts.merges = {{"a", "b"}, {"ab", "c"}};
  parts.split = Split::kGpt2;
  return parts;
}

}  // namespace tritonrl::text
