#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "generate/generator.h"
#include "generate/stop_matcher.h"
#include "record/sample.h"
#include "text/tokenizer/stream_decoder.h"

namespace tritonrl::generate {

// A sample under way: takes token after token, says when it is finished, and tells its listener the text as soon as it
// is certain.
class GrowingSample {
 public:
  struct Limits {
    std::span<const std::int32_t> stop_tokens;  // the model's own; must outlive the sample
    std::int64_t max_tokens = 0;                // of the answer
    std::int64_t adapter_version = 0;
  };

  // Request and events must outlive it.
  GrowingSample(const GenerateRequest& request, int index, const text::Tokenizer& tokenizer, const Limits& limits,
                const GenerateEvents& events);

  // True once it is finished; nothing may be added then.
  bool add(std::int32_t token, float log_probability);
  void cancel();

  const record::Sample& sample() const { return sample_; }
  record::Sample take() { return std::move(sample_); }

 private:
  bool stops(std::int32_t token) const;
  void tell(const std::string& text);
  void finish(record::FinishReason reason);

  const GenerateRequest* request_;
  const GenerateEvents* events_;
  Limits limits_;
  text::StreamDecoder decoder_;
  StopMatcher matcher_;
  record::Sample sample_;
  bool unwanted_ = false;  // the listener has had enough
};

}  // namespace tritonrl::generate
