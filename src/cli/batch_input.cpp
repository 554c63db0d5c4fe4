#include "cli/batch_input.h"

#include "base/error.h"
#include "base/json.h"
#include "cli/broken_text.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;

// Thrown and caught in this file only: a line has one first mistake.
struct Mistake {
  LineError error;
};

// Null where it is missing or null.
const Json* find(const Json& line, const char* name) {
  const Json* found = line.find(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

bool is_id(const Json& id) {
  return id.is_string() || id.is_number();
}

std::string text_of(const Json& line, const char* name, bool required) {
  const Json* value = find(line, name);
  if (value == nullptr) {
    if (required) throw Mistake{{name, "is missing"}};
    return {};
  }
  if (!value->is_string()) throw Mistake{{name, "is not a string"}};
  return value->get<std::string>();
}

record::Task task_of(const Json& line, const fs::path& folder) {
  const std::string task = text_of(line, "task", true);
  if (task.find_first_not_of(" \t\r\n") == std::string::npos) throw Mistake{{"task", "is empty"}};
  record::Task out;
  if (task.find('\n') != std::string::npos) {
    out = {.id = "task", .source = task, .entry_point = {}};
  } else {
    std::error_code unreachable;
    const fs::path beside = folder / task;
    try {
      out = record::read_task(fs::exists(beside, unreachable) ? beside : fs::path(task));
    } catch (const base::UserError& error) {
      throw Mistake{{"task", error.what()}};
    }
  }
  out.entry_point = text_of(line, "entry_point", false);
  return out;
}

// A path in place of the text is a mistake of whoever wrote the line.
void refuse_directory(const std::string& code) {
  std::error_code unreachable;
  if (code.size() < 4096 && code.find('/') != std::string::npos && code.find_first_of("\n(=") == std::string::npos &&
      fs::is_directory(code, unreachable)) {
    throw Mistake{{"code", code + ": is a directory; give the text of the candidate"}};
  }
}

judge::Submission submission_of(const Json& line, const fs::path& folder) {
  judge::Submission out;
  out.task = task_of(line, folder);
  if (const Json* itself = find(line, "reference_itself"); itself != nullptr && *itself == Json(true)) {
    out.reference_itself = true;
    return out;
  }
  const bool has_answer = find(line, "answer") != nullptr, has_code = find(line, "code") != nullptr;
  if (has_answer && has_code) throw Mistake{{"code", "stands beside answer; give one of the two"}};
  if (!has_answer && !has_code) throw Mistake{{"answer", "is missing, and so is code"}};
  if (has_answer) {
    out.take_answer(text_of(line, "answer", false));
    return out;
  }
  out.code = text_of(line, "code", false);
  refuse_directory(out.code);
  return out;
}

}  // namespace

BatchLine parse_batch_line(const std::string& text, const fs::path& folder) {
  BatchLine out;
  try {
    const std::optional<Json> parsed = Json::try_parse(text);
    if (!parsed) {
      // Whoever sent the line waits for its id: what can be read of it is.
      std::optional<BrokenText> broken = read_broken_text(text);
      if (!broken) throw Mistake{{"", "is not JSON"}};
      if (const Json* id = find(broken->value, "id"); id != nullptr && is_id(*id)) out.id = id->dump();
      throw Mistake{{broken->field, broken->problem}};
    }
    const Json& line = *parsed;
    if (!line.is_object()) throw Mistake{{"", "is not a JSON object"}};
    const Json* id = find(line, "id");
    if (id == nullptr) throw Mistake{{"id", "is missing"}};
    if (!is_id(*id)) throw Mistake{{"id", "is neither a string nor a number"}};
    out.id = id->dump();
    out.submission = submission_of(line, folder);
    out.submission->id = id->is_string() ? id->get<std::string>() : out.id;
  } catch (const Mistake& mistake) {
    out.error = mistake.error;
  }
  return out;
}

}  // namespace tritonrl::cli
