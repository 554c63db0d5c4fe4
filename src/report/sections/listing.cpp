#include "report/sections/listing.h"

#include "report/sections/number_text.h"
#include "text/extract_code.h"

namespace tritonrl::report {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

void add_timing(Facts& facts, const record::SampleResult& result, const record::Timing* timing) {
  if (!result.speedup) return;
  std::string text = fixed_text(*result.speedup, 2) + "×, " + (result.measured ? "measured" : "modelled");
  if (timing != nullptr) {
    if (timing->speedup_low > 0)
      text += " (" + fixed_text(timing->speedup_low, 2) + " to " + fixed_text(timing->speedup_high, 2) + ")";
    text += ": " + short_text(timing->candidate_us) + " µs against " + short_text(timing->reference_us) + " µs";
    if (!timing->target.empty()) text += " on " + timing->target;
  }
  facts.emplace_back("speed-up", text);
}

// What the judge said, for a person.
std::string message_of(const record::SampleResult& result, const record::Verdict* verdict) {
  std::string out = result.correct() ? "" : result.message;
  const auto add = [&](const std::string& label, const std::string& text) {
    if (!text.empty()) out += (out.empty() ? "" : "\n") + label + text;
  };
  if (verdict == nullptr) return out;
  if (verdict->at) add("at " + verdict->at->file + ":" + std::to_string(verdict->at->line) + "  ", verdict->at->code);
  add("expected: ", verdict->expected);
  add("got: ", verdict->got);
  for (const record::VariationResult& variation : verdict->variations) {
    if (variation.status == record::VariationResult::Status::kFailed)
      add("on " + variation.name + ": ", variation.message);
  }
  add("advice: ", verdict->advice);
  for (const std::string& note : verdict->notes) add("note: ", note);
  return out;
}

}  // namespace

Listing listing_of(const Answer& answer, const std::string& title, const std::string& from) {
  const record::SampleResult& result = answer.result;
  const record::Verdict* verdict = answer.verdict ? &*answer.verdict : nullptr;
  const std::string speed = result.speedup ? ", " + fixed_text(*result.speedup, 2) + "×" : "";
  Listing out{.title = title + speed + ": " + result.id, .facts = {}, .message = {}, .code = {}};
  out.facts.emplace_back("of", from + (answer.round > 0 ? ", round " + std::to_string(answer.round) : ""));
  if (result.level > 0) out.facts.emplace_back("level", std::to_string(result.level));
  out.facts.emplace_back("verdict", result.outcome() + " (stage " + std::string(to_string(result.stage)) + ")");
  if (result.correct() && !result.message.empty()) out.facts.emplace_back("judge", result.message);
  if (result.reward) out.facts.emplace_back("reward", fixed_text(*result.reward, 3));
  add_timing(out.facts, result, verdict != nullptr && verdict->timing ? &*verdict->timing : nullptr);
  if (verdict != nullptr && verdict->work_share)
    out.facts.emplace_back("work in its kernels", percent_text(*verdict->work_share));
  if (!answer.remark.empty()) out.facts.emplace_back("decision", answer.remark);
  out.message = message_of(result, verdict);
  const text::ExtractedCode code = text::extract_code(result.text);
  out.code = code.found ? code.code : result.text;
  // the judge counts lines of the file that it was given
  if (verdict != nullptr && verdict->at && code.found) out.marked_line = verdict->at->line;
  return out;
}

}  // namespace tritonrl::report
