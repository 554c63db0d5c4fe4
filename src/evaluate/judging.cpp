#include "evaluate/judging.h"

#include <algorithm>

#include "base/error.h"

namespace tritonrl::evaluate {
namespace {

constexpr std::chrono::milliseconds kLook{100};  // how soon a stop is noticed

}  // namespace

Judging::Judging(judge::Judge& judge, int workers, std::function<bool()> stopped,
                 std::function<void(SampleResult)> result_came)
    : ask_stopped_(std::move(stopped)),
      result_came_(std::move(result_came)),
      pool_(judge, judge::PoolOptions{.threads = workers}),
      collecting_([this] { collect(); }) {}

Judging::~Judging() {
  stopped_ = true;
  pool_.cancel();
  close();
}

void Judging::close() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (collecting_.joinable()) collecting_.join();
}

void Judging::add(SampleResult answer, const record::Task& task) {
  judge::Submission submission = submission_of(answer, task);
  std::list<Ticket>::iterator ticket;
  {
    const std::lock_guard lock(mutex_);
    ticket = tickets_.insert(tickets_.end(), Ticket{.result = std::move(answer), .verdict = {}, .ready = false});
  }
  std::future<record::Verdict> future = pool_.submit(std::move(submission), [this] { changed_.notify_all(); });
  {
    const std::lock_guard lock(mutex_);
    ticket->verdict = std::move(future);
  }
  changed_.notify_all();
}

void Judging::add(SampleResult result) {
  {
    const std::lock_guard lock(mutex_);
    tickets_.push_back(Ticket{.result = std::move(result), .verdict = {}, .ready = true});
  }
  changed_.notify_all();
}

void Judging::finish() {
  close();
  if (failure_) std::rethrow_exception(failure_);
}

void Judging::collect() {
  const auto is_ready = [](const Ticket& ticket) {
    return ticket.ready ||
           (ticket.verdict.valid() && ticket.verdict.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
  };
  std::unique_lock lock(mutex_);
  for (;;) {
    if (!stopped_ && ask_stopped_ && ask_stopped_()) {
      stopped_ = true;
      pool_.cancel();
    }
    const auto found = std::find_if(tickets_.begin(), tickets_.end(), is_ready);
    if (found == tickets_.end()) {
      if (ended_ && tickets_.empty()) return;
      changed_.wait_for(lock, kLook);
      continue;
    }
    Ticket ticket = std::move(*found);
    tickets_.erase(found);
    lock.unlock();
    try {
      tell(std::move(ticket));
    } catch (...) {  // results cannot be kept: nothing more is worth judging
      if (!failure_) failure_ = std::current_exception();
      stopped_ = true;
      pool_.cancel();
    }
    lock.lock();
  }
}

void Judging::tell(Ticket ticket) {
  SampleResult& result = ticket.result;
  if (ticket.verdict.valid()) {
    try {
      result.take(ticket.verdict.get());
    } catch (const base::UserError& bad_task) {
      result.rule = kBadTask;
      result.message = bad_task.what();
    } catch (const std::exception& ours) {
      result.message = ours.what();
    }
  }
  const bool disturbed = stopped_ && result.passing();
  if (!disturbed && !failure_) result_came_(std::move(result));
}

}  // namespace tritonrl::evaluate
