#include "http/reply.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <utility>

#include "base/error.h"

namespace tritonrl::http {

Mailbox::Mailbox() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!event_) throw base::InfrastructureError("http", base::system_message("eventfd"));
}

void Mailbox::post(Letter letter) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    letters_.push_back(std::move(letter));
  }
  wake();
}

std::vector<Mailbox::Letter> Mailbox::take() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t size = ::read(event_.get(), &count, sizeof count);
  const std::lock_guard lock(mutex_);
  return std::exchange(letters_, {});
}

void Mailbox::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t size = ::write(event_.get(), &one, sizeof one);
}

void Mailbox::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  letters_.clear();
}

Reply::State::~State() {
  if (phase == Phase::kAnswered) return;
  Answer lost{.status = 500, .body = R"({"error":{"field":null,"message":"no answer came"}})"};
  const bool begun = phase == Phase::kStreaming;
  // an answer that broke off must not look whole
  mailbox->post({connection, begun ? "" : written(lost, Framing::kLength, /*keep_alive=*/false, head_only),
                 /*last=*/true, /*close=*/true});
}

void Reply::send(Answer answer) const {
  const std::lock_guard lock(state_->mutex);
  if (state_->phase != State::Phase::kOpen) return;
  state_->phase = State::Phase::kAnswered;
  state_->mailbox->post({state_->connection, written(answer, Framing::kLength, state_->keep_alive, state_->head_only),
                         /*last=*/true,
                         /*close=*/!state_->keep_alive});
}

void Reply::begin(Answer answer) const {
  const std::lock_guard lock(state_->mutex);
  if (state_->phase != State::Phase::kOpen) return;
  state_->phase = State::Phase::kStreaming;
  const bool keep = state_->keep_alive && !state_->http10;
  const std::string body = std::exchange(answer.body, "");
  std::string bytes = written(answer, state_->http10 ? Framing::kUntilEnd : Framing::kChunked, keep, false);
  bytes += state_->http10 ? body : chunk(body);
  state_->mailbox->post({state_->connection, std::move(bytes), /*last=*/false, /*close=*/false});
}

bool Reply::write(std::string_view part) const {
  const std::lock_guard lock(state_->mutex);
  if (state_->phase != State::Phase::kStreaming || state_->gone) return false;
  if (part.empty()) return true;
  state_->mailbox->post({state_->connection, state_->http10 ? std::string(part) : chunk(part), false, false});
  return true;
}

void Reply::end() const {
  const std::lock_guard lock(state_->mutex);
  if (state_->phase != State::Phase::kStreaming) return;
  state_->phase = State::Phase::kAnswered;
  const bool close = state_->http10 || !state_->keep_alive;
  state_->mailbox->post({state_->connection, state_->http10 ? "" : std::string(kLastChunk), /*last=*/true, close});
}

bool Reply::gone() const {
  return state_->gone;
}

}  // namespace tritonrl::http
