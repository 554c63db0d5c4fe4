#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generate/generator.h"
#include "text/tokenizer/tokenizer.h"

namespace tritonrl::generate {

// A Generator for tests of what stands behind one: answers from a script, without a model. Tokens are the tokenizer's,
// or one a byte where none is given; every log-probability is -1. Stop strings and max_new_tokens hold as for a model,
// the rest of the sampling options is ignored.
class ScriptedGenerator : public Generator {
 public:
  // The answer of sample `index` of a request.
  using Script = std::function<std::string(const GenerateRequest& request, int index)>;

  explicit ScriptedGenerator(Script script, std::optional<text::Tokenizer> tokenizer = std::nullopt);
  // One answer after the other, whoever asks; from the start again after the last.
  explicit ScriptedGenerator(std::vector<std::string> answers, std::optional<text::Tokenizer> tokenizer = std::nullopt);

  std::vector<record::Sample> generate(std::span<const GenerateRequest> requests,
                                       const GenerateEvents& events = {}) override;

  std::int64_t adapter_version = 0;  // what samples carry

 private:
  record::Sample answer(const GenerateRequest& request, int index, const GenerateEvents& events);
  std::vector<std::int32_t> tokens_of(const std::string& text) const;
  std::string text_of(std::span<const std::int32_t> tokens) const;

  Script script_;
  std::optional<text::Tokenizer> tokenizer_;
};

}  // namespace tritonrl::generate
