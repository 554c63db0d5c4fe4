#include "generate/growing_sample.h"

#include <algorithm>

#include "generate/draws.h"

namespace tritonrl::generate {

using record::FinishReason;

GrowingSample::GrowingSample(const GenerateRequest& request, int index, const text::Tokenizer& tokenizer,
                             const Limits& limits, const GenerateEvents& events)
    : request_(&request),
      events_(&events),
      limits_(limits),
      decoder_(tokenizer, /*skip_special=*/true),
      matcher_(request.sampling.stop_strings) {
  sample_.id = request.id;
  sample_.index = index;
  sample_.prompt = request.prompt;
  sample_.seed = sample_seed(request.seed, index);
  sample_.adapter_version = limits.adapter_version;
}

bool GrowingSample::add(std::int32_t token, float log_probability) {
  sample_.tokens.push_back(token);
  sample_.log_probabilities.push_back(log_probability);
  if (stops(token)) {
    finish(FinishReason::kStopToken);
    return true;
  }
  tell(matcher_.add(decoder_.add(token)));
  if (matcher_.stopped()) {
    sample_.finish = FinishReason::kStopString;
    return true;
  }
  if (static_cast<std::int64_t>(sample_.tokens.size()) >= limits_.max_tokens) {
    finish(FinishReason::kLength);
    return true;
  }
  if (unwanted_) {
    cancel();
    return true;
  }
  return false;
}

void GrowingSample::cancel() {
  unwanted_ = true;
  finish(FinishReason::kCancelled);
}

bool GrowingSample::stops(std::int32_t token) const {
  const SamplingOptions& sampling = request_->sampling;
  if (sampling.ignore_stop_tokens) return false;
  return std::ranges::find(limits_.stop_tokens, token) != limits_.stop_tokens.end() ||
         std::ranges::find(sampling.stop_tokens, token) != sampling.stop_tokens.end();
}

void GrowingSample::tell(const std::string& text) {
  if (text.empty()) return;
  sample_.text += text;
  if (!unwanted_ && events_->on_text && !events_->on_text(sample_.id, sample_.index, text)) unwanted_ = true;
}

void GrowingSample::finish(FinishReason reason) {
  sample_.finish = reason;
  tell(matcher_.add(decoder_.finish()) + matcher_.finish());
}

}  // namespace tritonrl::generate
