#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "judge/judge.h"

namespace tritonrl::cli {

// What is wrong with one line of a batch.
struct LineError {
  std::string field;  // empty: the line as a whole
  std::string message;
};

// One line: {"id", "task": path or source, "answer" | "code", "entry_point"}.
struct BatchLine {
  std::string id = "null";  // as JSON: a string or a number as the line has it
  std::optional<judge::Submission> submission;
  LineError error;  // where there is no submission
};

// Total: whatever the line holds gives a submission or an error. A task without a newline is a path, relative to
// `folder` or the working directory; answers and code are never taken for paths.
BatchLine parse_batch_line(const std::string& text, const std::filesystem::path& folder);

}  // namespace tritonrl::cli
