#include "serve/candidate.h"

#include "base/error.h"
#include "serve/broken_text.h"

namespace tritonrl::serve {
namespace {

using base::Json;

// Thrown and caught in this file only: a candidate has one first mistake.
struct Mistake {
  CandidateError error;
};

// Null where it is missing or null.
const Json* find(const Json& json, const char* name) {
  const Json* found = json.find(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

bool is_id(const Json& id) {
  return id.is_string() || id.is_number();
}

std::string text_of(const Json& json, const char* name, bool required) {
  const Json* value = find(json, name);
  if (value == nullptr) {
    if (required) throw Mistake{{name, "is missing"}};
    return {};
  }
  if (!value->is_string()) throw Mistake{{name, "is not a string"}};
  return value->get<std::string>();
}

record::Task task_of(const Json& json, const NamedTask& named) {
  const std::string task = text_of(json, "task", true);
  if (task.find_first_not_of(" \t\r\n") == std::string::npos) throw Mistake{{"task", "is empty"}};
  record::Task out;
  if (task.find('\n') != std::string::npos) {
    out = {.id = "task", .source = task, .entry_point = {}};
  } else {
    try {
      out = named(task);
    } catch (const base::UserError& error) {
      throw Mistake{{"task", error.what()}};
    }
  }
  out.entry_point = text_of(json, "entry_point", false);
  return out;
}

judge::Submission submission_of(const Json& json, const NamedTask& named) {
  judge::Submission out;
  out.task = task_of(json, named);
  if (const Json* itself = find(json, "reference_itself"); itself != nullptr && *itself == Json(true)) {
    out.reference_itself = true;
    return out;
  }
  const bool has_answer = find(json, "answer") != nullptr, has_code = find(json, "code") != nullptr;
  if (has_answer && has_code) throw Mistake{{"code", "stands beside answer; give one of the two"}};
  if (!has_answer && !has_code) throw Mistake{{"answer", "is missing, and so is code"}};
  if (has_answer) {
    out.take_answer(text_of(json, "answer", false));
  } else {
    out.code = text_of(json, "code", false);
  }
  return out;
}

void read(const Json& json, const NamedTask& named, Ids ids, Candidate& out) {
  if (!json.is_object()) throw Mistake{{"", "is not a JSON object"}};
  const Json* id = find(json, "id");
  if (id == nullptr && ids == Ids::kNeeded) throw Mistake{{"id", "is missing"}};
  if (id != nullptr && !is_id(*id)) throw Mistake{{"id", "is neither a string nor a number"}};
  if (id != nullptr) out.id = id->dump();
  if (const Json* options = find(json, "options"); options != nullptr) out.options = *options;
  out.submission = submission_of(json, named);
  if (id != nullptr) out.submission->id = id->is_string() ? id->get<std::string>() : out.id;
}

}  // namespace

Candidate parse_candidate(const std::string& text, const NamedTask& named, Ids ids) {
  if (const std::optional<Json> parsed = Json::try_parse(text)) return candidate_of(*parsed, named, ids);
  Candidate out;
  // Whoever sent it waits for its id: what can be read of it is.
  const std::optional<BrokenText> broken = read_broken_text(text);
  out.error = broken ? CandidateError{broken->field, broken->problem} : CandidateError{"", "is not JSON"};
  if (broken) {
    if (const Json* id = find(broken->value, "id"); id != nullptr && is_id(*id)) out.id = id->dump();
  }
  return out;
}

Candidate candidate_of(const Json& json, const NamedTask& named, Ids ids) {
  Candidate out;
  try {
    read(json, named, ids, out);
  } catch (const Mistake& mistake) {
    out.error = mistake.error;
  }
  return out;
}

std::string verdict_line(const std::string& id, const record::Verdict& verdict) {
  return "{\"id\":" + id + ",\"verdict\":" + to_json(verdict) + "}";
}

std::string error_line(const std::string& id, std::int64_t line, const CandidateError& error) {
  Json out = Json::object();
  if (line != 0) out["line"] = line;
  out["field"] = error.field.empty() ? Json() : Json(error.field);
  out["message"] = error.message;
  return "{\"id\":" + id + ",\"error\":" + out.dump() + "}";
}

}  // namespace tritonrl::serve
