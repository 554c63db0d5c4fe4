#include "serve/judge_desk.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <limits>

#include "base/error.h"
#include "judge/version.h"

namespace tritonrl::serve {
namespace {

using base::Json;
using record::Verdict;

constexpr std::size_t kMostJudges = 8;  // sets of options that are kept ready

std::int64_t size_of(const judge::Submission& submission) {
  return static_cast<std::int64_t>(submission.task.source.size() + submission.task.entry_point.size() +
                                   submission.code.size());
}

bool may_choose(const std::string& name) {
  return std::any_of(std::begin(kRequestOptions), std::end(kRequestOptions),
                     [&](const char* one) { return name == one; });
}

Verdict ours(const std::string& message) {
  Verdict out;
  out.kind = record::VerdictKind::kInfrastructure;
  out.message = message;
  out.judge_version = judge::judge_version();
  return out;
}

}  // namespace

// One candidate on its way. Its end is due when the pool has it finished and the future is here, whichever comes last.
struct JudgeDesk::Ticket {
  Work work;
  std::string id;
  std::int64_t bytes = 0;
  std::future<Verdict> future = {};
  std::atomic<int> parts = 0;
  std::atomic<bool> given_up = false;
  double seconds = 0;  // of the last try
};

// What the pool calls: the judge that the candidate's options want.
class JudgeDesk::TicketJudge : public judge::Judge {
 public:
  explicit TicketJudge(JudgeDesk& desk) : desk_(desk) {}
  Verdict judge(const judge::Submission& submission) override { return desk_.judge(submission); }

 private:
  JudgeDesk& desk_;
};

JudgeDesk::JudgeDesk(MakeJudge make, const judge::JudgeOptions& options, const Limits& limits, Metrics& metrics)
    : make_(std::move(make)),
      options_(options),
      limits_(limits),
      metrics_(metrics),
      ticket_judge_(std::make_unique<TicketJudge>(*this)) {
  judge_for(options_);
  judge::PoolOptions pool;
  pool.threads = limits.workers;
  pool.queue = std::numeric_limits<int>::max();  // take() counts, so that nobody waits at the door
  pool_ = std::make_unique<judge::Pool>(*ticket_judge_, pool);
}

JudgeDesk::~JudgeDesk() {
  stop();
  pool_.reset();
}

void JudgeDesk::stop() {
  stopped_ = true;
  pool_->cancel();
}

judge::JudgeOptions JudgeDesk::with(const Json& options) const {
  judge::JudgeOptions out = options_;
  if (!options.is_null()) base::read_fields(options, out, "options", base::Unknown::kRefuse, /*partial=*/true);
  return out;
}

std::string JudgeDesk::problem_with(const Json& options) const {
  if (options.is_null()) return "";
  if (!options.is_object()) return "options is not an object";
  for (const Json::Member& member : options.items()) {
    // a number that is null would be none, which no bound refuses
    if (member.value.is_null()) return "options." + member.name + " is null; leave it out";
    if (may_choose(member.name)) continue;
    std::string all;
    for (const char* one : kRequestOptions) all += (all.empty() ? "" : ", ") + std::string(one);
    return "options." + member.name + " is none that a request may choose: " + all;
  }
  try {
    with(options);
  } catch (const base::FieldError& error) {
    return error.what();
  }
  return "";
}

std::shared_ptr<judge::Judge> JudgeDesk::judge_for(const judge::JudgeOptions& options) {
  const std::string key = base::field_key(options);
  const auto known = [&] {
    const std::lock_guard lock(mutex_);
    const auto found = judges_.find(key);
    return found == judges_.end() ? nullptr : found->second;
  };
  if (auto judge = known()) return judge;
  const std::lock_guard making(making_);
  if (auto judge = known()) return judge;
  std::shared_ptr<judge::Judge> made = make_(options);
  const std::lock_guard lock(mutex_);
  if (judges_.size() >= kMostJudges) {
    const std::string own = base::field_key(options_);
    judges_.erase(std::find_if(judges_.begin(), judges_.end(), [&](const auto& one) { return one.first != own; }));
  }
  judges_.emplace(key, made);
  return made;
}

JudgeDesk::Room JudgeDesk::take(std::vector<Work> works) {
  std::int64_t bytes = 0;
  for (const Work& work : works) bytes += size_of(work.submission);
  const auto count = static_cast<std::int64_t>(works.size());
  if (count > limits_.queue || bytes > limits_.bytes) return Room::kNever;
  {
    const std::lock_guard lock(mutex_);
    if (taken_ + count > limits_.queue + pool_->threads() || bytes_ + bytes > limits_.bytes) return Room::kFull;
    taken_ += count;
    bytes_ += bytes;
  }
  for (Work& work : works) {
    const std::int64_t size = size_of(work.submission);
    hand_over(std::move(work), size);
  }
  return Room::kTaken;
}

void JudgeDesk::hand_over(Work work, std::int64_t bytes) {
  const auto ticket = std::make_shared<Ticket>();
  judge::Submission submission = std::move(work.submission);
  ticket->work = std::move(work);
  ticket->bytes = bytes;
  {
    const std::lock_guard lock(mutex_);
    ticket->id = std::to_string(next_++);
    tickets_[ticket->id] = ticket;
  }
  submission.id = ticket->id;
  const auto come = [this, ticket] {
    if (++ticket->parts == 2) finish(ticket);
  };
  ticket->future = pool_->submit(std::move(submission), come);
  come();
}

Verdict JudgeDesk::judge(const judge::Submission& submission) {
  std::shared_ptr<Ticket> ticket;
  {
    const std::lock_guard lock(mutex_);
    ticket = tickets_.at(submission.id);
  }
  if (ticket->work.abandoned && ticket->work.abandoned()) {
    ticket->given_up = true;
    throw base::InfrastructureError("serve", "nobody waits for it any more");
  }
  const auto begin = std::chrono::steady_clock::now();
  ++judging_;
  try {
    const std::shared_ptr<judge::Judge> judge = judge_for(with(ticket->work.options));
    Verdict verdict = judge->judge(submission);
    --judging_;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    ticket->seconds = took.count();
    const std::lock_guard lock(mutex_);
    mean_seconds_ = 0.9 * mean_seconds_ + 0.1 * took.count();
    return verdict;
  } catch (...) {
    --judging_;
    throw;
  }
}

void JudgeDesk::finish(const std::shared_ptr<Ticket>& ticket) {
  Judged out;
  try {
    out.verdict = ticket->future.get();
  } catch (const base::UserError& bad_task) {
    out.task_problem = bad_task.what();
  } catch (const std::exception& error) {
    if (!ticket->given_up && !stopped_) out.verdict = ours(error.what());
  }
  if (out.verdict) metrics_.verdict(to_string(out.verdict->kind), ticket->seconds);
  {
    const std::lock_guard lock(mutex_);
    tickets_.erase(ticket->id);
    --taken_;
    bytes_ -= ticket->bytes;
  }
  ticket->work.finished(std::move(out));
}

int JudgeDesk::seconds_until_room() const {
  const std::lock_guard lock(mutex_);
  const double seconds = mean_seconds_ * static_cast<double>(taken_) / std::max(1, pool_->threads()) / 2;
  return static_cast<int>(std::clamp(std::ceil(seconds), 1.0, 60.0));
}

std::int64_t JudgeDesk::waiting() const {
  const std::lock_guard lock(mutex_);
  return std::max<std::int64_t>(0, taken_ - judging_);
}

}  // namespace tritonrl::serve
