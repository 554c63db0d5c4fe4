#include "serve/judge_routes.h"

#include "serve/openapi.h"

namespace tritonrl::serve {
namespace {

using base::Json;

constexpr const char* kJson = "application/json";
constexpr const char* kLines = "application/x-ndjson";

Json with_busy(Json answers) {
  answers["429"] = refusal("too many wait already; Retry-After says when to ask again");
  return answers;
}

Json verify_operation() {
  Json answers = object_of({{"200", answer_of("the verdict", kJson, reference("Judged"))},
                            {"422", refusal("the task cannot be judged: it must be mended")}});
  Json out = operation("Judge one candidate", with_busy(std::move(answers)));
  add_body(out, kJson, reference("Candidate"));
  return out;
}

Json batch_operation() {
  Json answers = object_of({{"200", answer_of("the results, in the same order", kJson, list_of(reference("Result")))}});
  answers["200"]["content"][kLines]["schema"] = typed("string");
  Json out = operation("Judge many candidates; one that cannot be read is an error in its place",
                       with_busy(std::move(answers)));
  Json list = list_of(object_of({{"description", "a Candidate; anything else is an error in its place"}}));
  list["minItems"] = 1;
  add_body(out, kJson, list);
  add_body(out, kLines, typed("string"));
  return out;
}

Json start_operation() {
  Json out = operation("Take one candidate and judge it later",
                       with_busy(object_of({{"202", answer_of("the job", kJson, reference("Job"))}})));
  add_body(out, kJson, reference("Candidate"));
  return out;
}

Json job_operation() {
  return operation("What became of a job", object_of({{"200", answer_of("the job", kJson, reference("Job"))},
                                                      {"404", refusal("no such job, or no longer kept")}}));
}

}  // namespace

std::vector<Route> judge_routes(VerifyRoutes& routes) {
  std::vector<Route> out;
  out.push_back({.method = "POST",
                 .path = "/v1/verify",
                 .types = {kJson},
                 .operation = verify_operation(),
                 .handle = [&](const auto& request, const auto&, const Call& call) { routes.verify(request, call); }});
  out.push_back({.method = "POST",
                 .path = "/v1/verify/batch",
                 .types = {kJson, kLines},
                 .operation = batch_operation(),
                 .handle = [&](const auto& request, const auto&, const Call& call) { routes.batch(request, call); }});
  out.push_back(
      {.method = "POST",
       .path = "/v1/jobs",
       .types = {kJson},
       .operation = start_operation(),
       .handle = [&](const auto& request, const auto&, const Call& call) { routes.start_job(request, call); }});
  out.push_back({.method = "GET",
                 .path = "/v1/jobs/{job}",
                 .types = {},
                 .operation = job_operation(),
                 .handle = [&](const auto&, const auto& name, const Call& call) { routes.job(name, call); }});
  return out;
}

}  // namespace tritonrl::serve
