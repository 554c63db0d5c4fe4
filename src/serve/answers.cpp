#include "serve/answers.h"

namespace tritonrl::serve {

http::Answer error_answer(int status, const CandidateError& error, const std::string& id) {
  http::Answer out{.status = status, .body = {}};
  if (!id.empty()) {
    out.body = error_line(id, 0, error) + "\n";
    return out;
  }
  base::Json what = base::Json::object();
  what["field"] = error.field.empty() ? base::Json() : base::Json(error.field);
  what["message"] = error.message;
  base::Json body = base::Json::object();
  body["error"] = std::move(what);
  out.body = body.dump() + "\n";
  return out;
}

http::Answer busy_answer(int status, const std::string& message, int seconds) {
  http::Answer out = error_answer(status, {"", message});
  out.headers.emplace_back("Retry-After", std::to_string(seconds));
  return out;
}

http::Answer json_answer(const base::Json& json, int status) {
  return {.status = status, .body = json.dump() + "\n"};
}

}  // namespace tritonrl::serve
