#include "serve/judge_schemas.h"

#include "judge/options.h"
#include "record/verdict.h"
#include "serve/json_schema.h"
#include "serve/judge_desk.h"

namespace tritonrl::serve {
namespace {

using base::Json;

Json id_field() {
  return object_of({{"type", Json::array({"string", "number", "null"})}});
}

Json verdict_schema() {
  Json out = schema_of<record::Verdict>(Use::kWritten);
  Json& fields = out["properties"];
  fields["variations"] = list_of(schema_of<record::VariationResult>(Use::kWritten));
  fields["checks"] = list_of(schema_of<record::CheckResult>(Use::kWritten));
  fields["ms"] = object_of({{"type", "object"}, {"additionalProperties", typed("number")}});
  return out;
}

// Of the judge's options those that a request may choose.
Json request_options_schema() {
  Json out = schema_of<judge::JudgeOptions>(Use::kRead);
  Json chosen = Json::object();
  for (const char* name : kRequestOptions) chosen[name] = out["properties"][name];
  out["properties"] = std::move(chosen);
  out["type"] = Json::array({"object", "null"});
  return out;
}

// A string with something but blanks in it; a line break tells source from a name.
Json task_schema(bool named_tasks) {
  Json patterns = Json::array({object_of({{"pattern", "[^ \\t\\r\\n]"}})});
  if (!named_tasks) patterns.push_back(object_of({{"pattern", "\\n"}}));
  return object_of(
      {{"type", "string"},
       {"description", named_tasks ? "the task's Python source, or its name in the server's folder of tasks"
                                   : "the task's Python source"},
       {"allOf", std::move(patterns)}});
}

Json one_of_two(const char* given, const char* other) {
  return object_of({{"required", Json::array({given})},
                    {"properties", object_of({{given, typed("string")}, {other, typed("null")}})}});
}

Json candidate_schema(bool named_tasks) {
  return object_of({{"type", "object"},
                    {"properties", object_of({{"id", id_field()},
                                              {"task", task_schema(named_tasks)},
                                              {"answer", or_null("string")},
                                              {"code", or_null("string")},
                                              {"entry_point", or_null("string")},
                                              {"options", reference("RequestOptions")}})},
                    {"required", Json::array({"task"})},
                    {"oneOf", Json::array({one_of_two("answer", "code"), one_of_two("code", "answer")})}});
}

}  // namespace

Json judge_schemas(bool named_tasks) {
  Json out = Json::object();
  out["RequestOptions"] = request_options_schema();
  out["Candidate"] = candidate_schema(named_tasks);
  out["Verdict"] = verdict_schema();
  out["Judged"] = object_of({{"type", "object"},
                             {"properties", object_of({{"id", id_field()}, {"verdict", reference("Verdict")}})},
                             {"required", Json::array({"id", "verdict"})}});
  out["Result"] = object_of({{"anyOf", Json::array({reference("Judged"), reference("Error")})}});
  out["Job"] =
      object_of({{"type", "object"},
                 {"properties",
                  object_of({{"job", typed("string")},
                             {"status", object_of({{"enum", Json::array({"waiting", "done"})}})},
                             {"result", object_of({{"anyOf", Json::array({reference("Result"), typed("null")})}})}})},
                 {"required", Json::array({"job", "status", "result"})}});
  return out;
}

}  // namespace tritonrl::serve
