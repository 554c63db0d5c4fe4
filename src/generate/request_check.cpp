#include "generate/request_check.h"

#include <cmath>
#include <sstream>
#include <string>

#include "base/error.h"

namespace tritonrl::generate {
namespace {

class Checker {
 public:
  explicit Checker(const GenerateRequest& request) : request_(request) {}

  template <typename Value>
  void expect(bool holds, const char* field, const Value& value, const char* range) const {
    if (holds) return;
    std::ostringstream message;
    message << field << " is " << value << "; it must be " << range;
    fail(message.str());
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw base::UserError("generate", (request_.id.empty() ? "" : "request " + request_.id + ": ") + message);
  }

 private:
  const GenerateRequest& request_;
};

}  // namespace

void check(const GenerateRequest& request, const RequestLimits& limits) {
  const Checker checker(request);
  const SamplingOptions& sampling = request.sampling;
  checker.expect(request.samples >= 1, "samples", request.samples, "at least 1");
  checker.expect(sampling.max_new_tokens >= 1, "max_new_tokens", sampling.max_new_tokens, "at least 1");
  checker.expect(std::isfinite(sampling.temperature) && sampling.temperature >= 0, "temperature", sampling.temperature,
                 "0 (greedy) or more");
  checker.expect(sampling.top_k >= 0, "top_k", sampling.top_k, "0 (off) or more");
  checker.expect(sampling.top_p > 0 && sampling.top_p <= 1, "top_p", sampling.top_p, "above 0 and at most 1 (off)");
  checker.expect(sampling.min_p >= 0 && sampling.min_p <= 1, "min_p", sampling.min_p, "from 0 (off) to 1");
  checker.expect(std::isfinite(sampling.repetition_penalty) && sampling.repetition_penalty > 0, "repetition_penalty",
                 sampling.repetition_penalty, "above 0; 1 is off");
  for (const std::string& stop : sampling.stop_strings) {
    if (stop.empty()) checker.fail("a stop string is empty; it would stop every answer before its first letter");
  }
  if (request.prompt.empty()) checker.fail("the prompt has no tokens; a model needs at least one");
  for (const std::int32_t token : request.prompt) {
    if (token < 0 || token >= limits.vocabulary) {
      checker.fail("the prompt holds token " + std::to_string(token) + ", the model's vocabulary has " +
                   std::to_string(limits.vocabulary) + "; it was made with another tokenizer");
    }
  }
  const auto length = static_cast<std::int64_t>(request.prompt.size());
  if (length >= limits.context) {
    checker.fail("the prompt has " + std::to_string(length) + " tokens, the context holds " +
                 std::to_string(limits.context) + " with the answer; shorten it or raise the capacity");
  }
}

}  // namespace tritonrl::generate
