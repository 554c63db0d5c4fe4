#include "cli/batch_window.h"

#include <algorithm>
#include <chrono>

namespace tritonrl::cli {
namespace {

// Each is small: its candidate is gone once it is judged.
constexpr std::size_t kMostTickets = 4096;

bool is_ready(const Ticket& ticket) {
  return !ticket.verdict || ticket.verdict->wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

void BatchWindow::push(Ticket ticket) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return tickets_.size() < kMostTickets || closed_; });
  if (!closed_) tickets_.push_back(std::move(ticket));
  changed_.notify_all();
}

std::optional<Ticket> BatchWindow::pop() {
  std::unique_lock lock(mutex_);
  auto next = tickets_.end();
  changed_.wait(lock, [&] {
    next = in_order_ ? tickets_.begin() : std::find_if(tickets_.begin(), tickets_.end(), is_ready);
    return next != tickets_.end() || (ended_ && tickets_.empty());
  });
  if (next == tickets_.end()) return std::nullopt;
  Ticket out = std::move(*next);
  tickets_.erase(next);
  changed_.notify_all();
  return out;
}

void BatchWindow::look_again() {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void BatchWindow::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void BatchWindow::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

}  // namespace tritonrl::cli
