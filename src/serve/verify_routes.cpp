#include "serve/verify_routes.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "serve/answers.h"
#include "serve/service.h"

namespace tritonrl::serve {
namespace {

using base::Json;

constexpr std::size_t kLongestId = 1024;  // as JSON: ids are kept with results
constexpr const char* kStopped = "the server stopped before it was judged; send it again";

// The places of a batch's results, filled from many threads.
class BatchResults {
 public:
  BatchResults(std::size_t size, bool lines, Call call) : results_(size), left_(size), lines_(lines), call_(call) {}

  void put(std::size_t place, std::string line) {
    {
      const std::lock_guard lock(mutex_);
      results_[place] = std::move(line);
      if (--left_ > 0) return;
    }
    call_.answer({.body = text(), .type = lines_ ? "application/x-ndjson" : "application/json"});
  }

 private:
  std::string text() const {
    std::string out = lines_ ? "" : "[";
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (!lines_ && i > 0) out += ",";
      out += results_[i];
      if (lines_) out += "\n";
    }
    return lines_ ? out : out + "]\n";
  }

  std::mutex mutex_;
  std::vector<std::string> results_;
  std::size_t left_;
  const bool lines_;
  const Call call_;
};

std::vector<std::string> lines_of(const std::string& body) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t end = std::min(body.find('\n', at), body.size());
    std::string line = body.substr(at, end - at);
    if (line.find_first_not_of(" \t\r") != std::string::npos) out.push_back(std::move(line));
    at = end + 1;
  }
  return out;
}

bool is_lines(const http::Request& request) {
  return media_type(request.header("content-type")) == "application/x-ndjson";
}

}  // namespace

std::string judged_line(const std::string& id, std::int64_t line, const Judged& judged) {
  if (judged.verdict) return verdict_line(id, *judged.verdict);
  return error_line(
      id, line,
      judged.task_problem.empty() ? CandidateError{"", kStopped} : CandidateError{"task", judged.task_problem});
}

VerifyRoutes::VerifyRoutes(const ServeOptions& options, JudgeDesk& desk)
    : tasks_(options.tasks),
      named_([this](const std::string& name) { return tasks_.read(name); }),
      desk_(desk),
      jobs_(std::make_shared<JobStore>(static_cast<std::size_t>(options.jobs),
                                       std::chrono::minutes(options.job_minutes))) {}

Candidate VerifyRoutes::read(const std::string& body) const {
  Candidate out = parse_candidate(body, named_, Ids::kMayLack);
  check_here(out);
  return out;
}

void VerifyRoutes::check_here(Candidate& candidate) const {
  if (candidate.id.size() > kLongestId) {
    candidate = {};
    candidate.error = {"id", "is longer than " + std::to_string(kLongestId) + " bytes"};
  }
  if (!candidate.submission) return;
  const std::string problem = desk_.problem_with(candidate.options);
  if (problem.empty()) return;
  const std::size_t blank = problem.find(' ');
  candidate.error = {problem.substr(0, blank), problem.substr(blank + 1)};
  candidate.submission.reset();
}

http::Answer VerifyRoutes::no_room(JudgeDesk::Room room) const {
  if (room == JudgeDesk::Room::kNever)
    return error_answer(413, {"", "it holds more candidates, or more text, than ever wait here; send it in parts"});
  return busy_answer(429, "too many candidates wait already", desk_.seconds_until_room());
}

void VerifyRoutes::verify(const http::Request& request, const Call& call) {
  Candidate candidate = read(request.body);
  if (!candidate.submission) return call.answer(error_answer(400, candidate.error, candidate.id));
  std::vector<JudgeDesk::Work> works(1);
  works[0].submission = *std::move(candidate.submission);
  works[0].options = std::move(candidate.options);
  works[0].abandoned = [call] { return call.gone(); };
  works[0].finished = [call, id = candidate.id](const Judged& judged) {
    const bool stopped = !judged.verdict && judged.task_problem.empty();
    if (stopped) return call.answer(busy_answer(503, kStopped, 1));
    call.answer({.status = judged.verdict ? 200 : 422, .body = judged_line(id, 0, judged) + "\n"});
  };
  if (const JudgeDesk::Room room = desk_.take(std::move(works)); room != JudgeDesk::Room::kTaken)
    call.answer(no_room(room));
}

void VerifyRoutes::batch(const http::Request& request, const Call& call) {
  std::vector<Candidate> candidates;
  if (is_lines(request)) {
    const std::vector<std::string> lines = lines_of(request.body);
    if (lines.size() > desk_.most()) return call.answer(no_room(JudgeDesk::Room::kNever));
    for (const std::string& line : lines) candidates.push_back(read(line));
  } else {
    const std::optional<Json> json = Json::try_parse(request.body);
    if (!json) return call.answer(error_answer(400, {"", "is not JSON"}));
    if (!json->is_array()) return call.answer(error_answer(400, {"", "is not a list of candidates"}));
    if (json->size() > desk_.most()) return call.answer(no_room(JudgeDesk::Room::kNever));
    for (const Json& one : *json) {
      candidates.push_back(candidate_of(one, named_, Ids::kMayLack));
      check_here(candidates.back());
    }
  }
  if (candidates.empty()) return call.answer(error_answer(400, {"", "holds no candidate"}));
  const auto results = std::make_shared<BatchResults>(candidates.size(), is_lines(request), call);
  std::vector<JudgeDesk::Work> works;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!candidates[i].submission) continue;
    works.push_back({.submission = *std::move(candidates[i].submission),
                     .options = std::move(candidates[i].options),
                     .abandoned = [call] { return call.gone(); },
                     .finished =
                         [results, i, id = candidates[i].id](const Judged& judged) {
                           results->put(i, judged_line(id, static_cast<std::int64_t>(i) + 1, judged));
                         }});
  }
  if (const JudgeDesk::Room room = desk_.take(std::move(works)); room != JudgeDesk::Room::kTaken)
    return call.answer(no_room(room));
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!candidates[i].error.message.empty())
      results->put(i, error_line(candidates[i].id, static_cast<std::int64_t>(i) + 1, candidates[i].error));
  }
}

void VerifyRoutes::start_job(const http::Request& request, const Call& call) {
  Candidate candidate = read(request.body);
  if (!candidate.submission) return call.answer(error_answer(400, candidate.error, candidate.id));
  const std::optional<std::string> name = jobs_->add();
  if (!name) return call.answer(busy_answer(429, "too many jobs are kept already; ask for those that are done", 10));
  std::vector<JudgeDesk::Work> works(1);
  works[0].submission = *std::move(candidate.submission);
  works[0].options = std::move(candidate.options);
  works[0].finished = [jobs = jobs_, name = *name, id = candidate.id](const Judged& judged) {
    jobs->finish(name, judged_line(id, 0, judged));
  };
  if (const JudgeDesk::Room room = desk_.take(std::move(works)); room != JudgeDesk::Room::kTaken) {
    jobs_->remove(*name);
    return call.answer(no_room(room));
  }
  http::Answer accepted{.status = 202, .body = "{\"job\":\"" + *name + "\",\"status\":\"waiting\",\"result\":null}\n"};
  accepted.headers.emplace_back("Location", "/v1/jobs/" + *name);
  call.answer(std::move(accepted));
}

void VerifyRoutes::job(const std::string& name, const Call& call) {
  const std::optional<JobStore::Job> job = jobs_->find(name);
  if (!job) return call.answer(error_answer(404, {"job", "there is no such job, or its result is no longer kept"}));
  call.answer({.body = "{\"job\":\"" + name + "\",\"status\":\"" + (job->done ? "done" : "waiting") +
                       "\",\"result\":" + (job->done ? job->result : "null") + "}\n"});
}

}  // namespace tritonrl::serve
