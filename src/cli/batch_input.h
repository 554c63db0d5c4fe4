#pragma once

#include <filesystem>
#include <string>

#include "serve/candidate.h"

namespace tritonrl::cli {

using LineError = serve::CandidateError;

// Of one line of a batch: {"id", "task": path or source, "answer" | "code", "entry_point"}. Total: whatever the line
// holds gives a submission or an error. A task without a newline is a path, relative to `folder` or the working
// directory; answers and code are never taken for paths.
serve::Candidate parse_batch_line(const std::string& text, const std::filesystem::path& folder);

}  // namespace tritonrl::cli
