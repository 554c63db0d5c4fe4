#pragma once

#include <memory>
#include <string>

#include "serve/call.h"
#include "serve/candidate.h"
#include "serve/job_store.h"
#include "serve/judge_desk.h"
#include "serve/options.h"
#include "serve/task_folder.h"

namespace tritonrl::serve {

// What the judge answers over HTTP.
class VerifyRoutes {
 public:
  // `desk` must outlive this.
  VerifyRoutes(const ServeOptions& options, JudgeDesk& desk);
  VerifyRoutes(const VerifyRoutes&) = delete;
  VerifyRoutes& operator=(const VerifyRoutes&) = delete;

  void verify(const http::Request& request, const Call& call);
  void batch(const http::Request& request, const Call& call);
  void start_job(const http::Request& request, const Call& call);
  void job(const std::string& name, const Call& call);

  std::size_t jobs() const { return jobs_->size(); }

 private:
  Candidate read(const std::string& body) const;
  // What holds over HTTP alone: a short id, options that a request may choose.
  void check_here(Candidate& candidate) const;
  http::Answer no_room(JudgeDesk::Room room) const;

  const TaskFolder tasks_;
  const NamedTask named_;
  JudgeDesk& desk_;
  const std::shared_ptr<JobStore> jobs_;  // verdicts may come after this is gone
};

// What a judged candidate's line says: the same everywhere.
std::string judged_line(const std::string& id, std::int64_t line, const Judged& judged);

}  // namespace tritonrl::serve
