#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/json.h"
#include "judge/judge.h"
#include "record/verdict.h"

// A candidate as JSON, and what comes back for it: the same through a pipe (`verify --batch`) and over HTTP.
namespace tritonrl::serve {

// What is wrong with a candidate's JSON.
struct CandidateError {
  std::string field;  // empty: it as a whole
  std::string message;
};

// {"id", "task": name or source, "answer" | "code", "entry_point", "options"}.
struct Candidate {
  std::string id = "null";  // as JSON: a string or a number as the text has it
  std::optional<judge::Submission> submission;
  base::Json options;    // as they came; null: none
  CandidateError error;  // where there is no submission
};

// The task that a text without a line break names. UserError where there is none.
using NamedTask = std::function<record::Task(const std::string& name)>;

enum class Ids { kNeeded, kMayLack };

// Total: whatever the text holds gives a submission or an error.
Candidate parse_candidate(const std::string& text, const NamedTask& named, Ids ids);
Candidate candidate_of(const base::Json& json, const NamedTask& named, Ids ids);

// One line of JSON: {"id", "verdict"} or {"id", "error": {"line" (where it is not 0), "field", "message"}}. `id` is
// JSON.
std::string verdict_line(const std::string& id, const record::Verdict& verdict);
std::string error_line(const std::string& id, std::int64_t line, const CandidateError& error);

}  // namespace tritonrl::serve
