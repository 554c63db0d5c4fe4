#include "cli/batch_input.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

record::Task task_at(const std::string& task, const fs::path& folder) {
  std::error_code unreachable;
  const fs::path beside = folder / task;
  return record::read_task(fs::exists(beside, unreachable) ? beside : fs::path(task));
}

// A path in place of the text is a mistake of whoever wrote the line.
bool is_directory(const std::string& code) {
  std::error_code unreachable;
  return code.size() < 4096 && code.find('/') != std::string::npos && code.find_first_of("\n(=") == std::string::npos &&
         fs::is_directory(code, unreachable);
}

}  // namespace

serve::Candidate parse_batch_line(const std::string& text, const fs::path& folder) {
  const auto named = [&](const std::string& task) { return task_at(task, folder); };
  serve::Candidate out = serve::parse_candidate(text, named, serve::Ids::kNeeded);
  if (out.submission && !out.submission->extraction && is_directory(out.submission->code)) {
    out.error = {"code", out.submission->code + ": is a directory; give the text of the candidate"};
    out.submission.reset();
  }
  return out;
}

}  // namespace tritonrl::cli
