#include "generate/scripted_generator.h"

#include <memory>
#include <utility>

#include "base/check.h"
#include "generate/draws.h"
#include "generate/request_check.h"
#include "generate/stop_matcher.h"

namespace tritonrl::generate {
namespace {

ScriptedGenerator::Script in_turn(std::vector<std::string> answers) {
  TRL_CHECK(!answers.empty(), "a script without answers");
  return [answers = std::move(answers), next = std::make_shared<std::size_t>(0)](const GenerateRequest&, int) {
    return answers[(*next)++ % answers.size()];
  };
}

}  // namespace

ScriptedGenerator::ScriptedGenerator(Script script, std::optional<text::Tokenizer> tokenizer)
    : script_(std::move(script)), tokenizer_(std::move(tokenizer)) {}

ScriptedGenerator::ScriptedGenerator(std::vector<std::string> answers, std::optional<text::Tokenizer> tokenizer)
    : ScriptedGenerator(in_turn(std::move(answers)), std::move(tokenizer)) {}

std::vector<record::Sample> ScriptedGenerator::generate(std::span<const GenerateRequest> requests,
                                                        const GenerateEvents& events) {
  for (const GenerateRequest& request : requests) check(request, RequestLimits{});
  std::vector<record::Sample> samples;
  for (const GenerateRequest& request : requests) {
    for (int index = 0; index < request.samples; ++index) {
      samples.push_back(answer(request, index, events));
      if (events.on_sample) events.on_sample(samples.back());
    }
  }
  return samples;
}

record::Sample ScriptedGenerator::answer(const GenerateRequest& request, int index, const GenerateEvents& events) {
  record::Sample sample;
  sample.id = request.id;
  sample.index = index;
  sample.prompt = request.prompt;
  sample.seed = sample_seed(request.seed, index);
  sample.adapter_version = adapter_version;
  if (events.cancelled && events.cancelled()) {
    sample.finish = record::FinishReason::kCancelled;
    return sample;
  }
  sample.tokens = tokens_of(script_(request, index));
  sample.finish = record::FinishReason::kStopToken;
  if (sample.tokens.size() > static_cast<std::size_t>(request.sampling.max_new_tokens)) {
    sample.tokens.resize(request.sampling.max_new_tokens);
    sample.finish = record::FinishReason::kLength;
  }
  sample.log_probabilities.assign(sample.tokens.size(), -1.0f);
  StopMatcher matcher(request.sampling.stop_strings);
  sample.text = matcher.add(text_of(sample.tokens));
  sample.text += matcher.finish();
  if (matcher.stopped()) sample.finish = record::FinishReason::kStopString;
  if (events.on_text && !sample.text.empty() && !events.on_text(sample.id, index, sample.text))
    sample.finish = record::FinishReason::kCancelled;
  return sample;
}

std::vector<std::int32_t> ScriptedGenerator::tokens_of(const std::string& text) const {
  if (tokenizer_) return tokenizer_->encode(text);
  std::vector<std::int32_t> tokens;
  for (const char byte : text) tokens.push_back(static_cast<unsigned char>(byte));
  return tokens;
}

std::string ScriptedGenerator::text_of(std::span<const std::int32_t> tokens) const {
  if (tokenizer_) return tokenizer_->decode(tokens, /*skip_special=*/true);
  std::string text;
  for (const std::int32_t token : tokens) text += static_cast<char>(token);
  return text;
}

}  // namespace tritonrl::generate
