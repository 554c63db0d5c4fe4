#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/result.h"
#include "record/sample.h"
#include "record/verdict.h"

namespace tritonrl::record {

// What keeps an answer of an evaluation from being judged at all, beside the judge's own rules.
inline constexpr const char* kPromptTooLong = "prompt_too_long";  // it leaves the model no room for an answer
inline constexpr const char* kNoAnswer = "no_answer";             // --answers has none
inline constexpr const char* kBadTask = "bad_task";               // the task must be fixed

// One answer and what it is worth: a line of an evaluation's log, an entry of its `detailed_results`.
struct SampleResult {
  std::string id;          // the task's
  int level = 0;           // the task's
  std::string degenerate;  // the task's, as its source or the judge says it
  int index = 0;           // which of the task's samples
  bool greedy = false;     // the answer at temperature 0, beside the samples
  VerdictKind kind = VerdictKind::kInfrastructure;
  Stage stage = Stage::kExtract;
  std::string rule;
  std::optional<double> reward;  // none: it could not be judged, and counts for nothing
  std::string message;
  std::optional<double> speedup;                    // of right answers that were timed
  std::optional<double> baseline_us, candidate_us;  // the times that it is the ratio of
  bool measured = false;                            // on a device; else modelled
  std::string extraction;                           // how the code was found in the answer, or why there is none
  std::string finish;                               // FinishReason; empty: there was no sample
  std::int64_t prompt_tokens = 0, tokens = 0;
  std::uint64_t seed = 0;  // of this sample
  std::string program;     // a hash of its code without layout and comments; empty: there is none
  std::string judge_version;
  std::string text;  // the whole answer

  bool judged() const { return reward.has_value(); }
  bool passing() const;   // it was not judged, and may be another time
  bool valid() const;     // its file can be a solution, and its kernels are the cause of the result
  bool compiled() const;  // and it was executed
  bool correct() const { return kind == record::VerdictKind::kPassed; }
  bool faster_than(double factor) const { return correct() && speedup && *speedup > factor; }
  // "passed", "extraction", "wrong", "invalid: no_kernel": what became of it, to be counted.
  std::string outcome() const;

  void take(const Sample& sample);
  void take(const Verdict& verdict);

  void fields(base::FieldVisitor& field);
  bool operator==(const SampleResult&) const = default;
};

base::Result<SampleResult> sample_result_from_json(std::string_view line);

}  // namespace tritonrl::record
