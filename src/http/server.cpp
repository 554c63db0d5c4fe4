#include "http/server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <unordered_map>

#include "base/error.h"
#include "http/handler_threads.h"
#include "http/listener.h"
#include "http/reply.h"

namespace tritonrl::http {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kListener = 0, kMail = 1, kFirstConnection = 2;
constexpr std::size_t kPiece = 64 << 10;
constexpr const char* kRetrySeconds = "1";

enum class Phase {
  kReading,    // a request, or for one
  kAnswering,  // a request is with the handler, or its answer is being written
  kLingering   // all is said; the client is given time to hear it
};

struct Connection {
  base::UniqueFd fd;
  std::uint64_t id;
  RequestParser parser;
  Phase phase = Phase::kReading;
  std::uint32_t watched = 0;  // by epoll
  Clock::time_point deadline = {}, body_deadline = {};
  bool begun = false;                  // the head's time runs
  std::optional<Answer> refusal = {};  // of the request that is being read
  std::string out = {};                // of the answer, from `sent` on
  std::size_t sent = 0;
  bool last = false, close = false;        // as of the answer's last letter
  std::size_t held = 0;                    // bytes of requests, as they count in the sum
  std::weak_ptr<Reply::State> reply = {};  // its end without an answer is an answer
};

Answer with_retry(Answer answer) {
  answer.headers.emplace_back("Retry-After", kRetrySeconds);
  return answer;
}

}  // namespace

class Server::Loop {
 public:
  Loop(const ServerOptions& options, Handler& handler)
      : options_(options),
        handler_(handler),
        port_(options.port),
        listener_(listen_at(options.host, port_)),
        epoll_(::epoll_create1(EPOLL_CLOEXEC)),
        mail_(std::make_shared<Mailbox>()),
        threads_(handler, options.threads) {
    if (!epoll_) throw base::InfrastructureError("http", base::system_message("epoll_create1"));
    watch(listener_.get(), kListener, EPOLLIN, EPOLL_CTL_ADD);
    watch(mail_->fd(), kMail, EPOLLIN, EPOLL_CTL_ADD);
  }
  ~Loop() { mail_->close(); }

  int port() const { return port_; }
  int open() const { return open_; }

  void stop() {
    stop_ = true;
    mail_->wake();
  }

  void run(milliseconds grace) {
    std::array<epoll_event, 128> events{};
    const milliseconds tick = std::clamp(shortest_time() / 4, milliseconds(5), milliseconds(500));
    Clock::time_point look = Clock::now() + tick, end = Clock::time_point::max();
    for (;;) {
      const int count =
          ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), static_cast<int>(tick.count()));
      if (count < 0 && errno != EINTR) throw base::InfrastructureError("http", base::system_message("epoll_wait"));
      for (int i = 0; i < count; ++i) on_event(events[static_cast<std::size_t>(i)]);
      if (Clock::now() >= look) {
        end_late_ones();
        if (listener_ && deaf_) watch(listener_.get(), kListener, EPOLLIN, EPOLL_CTL_MOD);
        deaf_ = false;
        look = Clock::now() + tick;
      }
      if (stop_ && listener_) {
        close_idle_ones();
        end = Clock::now() + grace;
      }
      if (stop_ && (connections_.empty() || Clock::now() >= end)) return;
    }
  }

 private:
  milliseconds shortest_time() const {
    return std::min(
        {options_.head_time, options_.idle_time, options_.stall_time, options_.body_time, options_.linger_time});
  }

  void watch(int fd, std::uint64_t id, std::uint32_t events, int how) {
    epoll_event event{};
    event.events = events;
    event.data.u64 = id;
    if (::epoll_ctl(epoll_.get(), how, fd, &event) != 0)
      throw base::InfrastructureError("http", base::system_message("epoll_ctl"));
  }

  void on_event(const epoll_event& event) {
    if (event.data.u64 == kListener) return accept_all();
    if (event.data.u64 == kMail) return deliver();
    const auto found = connections_.find(event.data.u64);
    if (found == connections_.end()) return;
    Connection& one = found->second;
    if ((event.events & EPOLLERR) != 0) return drop(one);
    if ((event.events & EPOLLOUT) != 0) {
      if (send_some(one) && one.phase == Phase::kReading) advance(one);
      return;
    }
    if (one.phase == Phase::kAnswering) {
      // who closes while it is waited for an answer has given up
      if ((event.events & (EPOLLRDHUP | EPOLLHUP)) != 0) drop(one);
      return;
    }
    if ((event.events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP)) != 0) read_some(one);
  }

  void accept_all() {
    for (int i = 0; i < 64; ++i) {  // others have their turn between
      base::UniqueFd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!fd) {
        const bool full = errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS;
        if (full && !deaf_) {  // until the next look: the listener would be ready over and over
          deaf_ = true;
          watch(listener_.get(), kListener, 0, EPOLL_CTL_MOD);
        }
        return;
      }
      if (connections_.size() >= static_cast<std::size_t>(options_.connections)) {
        const std::string bytes = written(with_retry(handler_.failure(503, "too many connections")), Framing::kLength,
                                          /*keep_alive=*/false, /*head_only=*/false);
        [[maybe_unused]] const ssize_t size = ::send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        ::shutdown(fd.get(), SHUT_WR);
        continue;
      }
      const int on = 1;  // parts of an answer go out as they come
      ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      const std::uint64_t id = next_++;
      Connection& one =
          connections_.emplace(id, Connection{.fd = std::move(fd), .id = id, .parser = RequestParser(options_.limits)})
              .first->second;
      open_ = static_cast<int>(connections_.size());
      one.deadline = Clock::now() + options_.head_time;
      one.watched = EPOLLIN | EPOLLRDHUP;
      watch(one.fd.get(), id, one.watched, EPOLL_CTL_ADD);
    }
  }

  void watch_for(Connection& one, std::uint32_t events) {
    if (one.watched == events) return;
    one.watched = events;
    watch(one.fd.get(), one.id, events, EPOLL_CTL_MOD);
  }

  void drop(Connection& one) {
    if (const std::shared_ptr<Reply::State> reply = one.reply.lock()) reply->gone = true;
    hold(one, 0);
    connections_.erase(one.id);  // `one` is no more
    open_ = static_cast<int>(connections_.size());
  }

  void hold(Connection& one, std::size_t bytes) {
    held_ += bytes - one.held;
    one.held = bytes;
  }

  void read_some(Connection& one) {
    std::array<char, kPiece> piece;
    const ssize_t count = ::recv(one.fd.get(), piece.data(), piece.size(), 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) return drop(one);
    if (one.phase == Phase::kLingering) return;
    one.parser.feed({piece.data(), static_cast<std::size_t>(count)});
    advance(one);
  }

  // Reads requests as far as bytes are there. `one` may be gone afterwards.
  void advance(Connection& one) {
    const std::uint64_t id = one.id;
    while (one.phase == Phase::kReading) {
      const RequestParser::State state = one.parser.step();
      hold(one, one.parser.held());
      switch (state) {
        case RequestParser::State::kMore:
          if (held_ > options_.held) {
            answer(one, with_retry(handler_.failure(503, "too much is being sent at once")), /*close=*/true);
            break;
          }
          return set_deadline(one);
        case RequestParser::State::kHead:
          on_head(one);
          break;
        case RequestParser::State::kDone:
          on_request(one);
          break;
        case RequestParser::State::kFailed:
          answer(one, handler_.failure(one.parser.status(), one.parser.problem()), /*close=*/true);
          break;
      }
      if (!connections_.contains(id)) return;
    }
  }

  void set_deadline(Connection& one) {
    const Clock::time_point now = Clock::now();
    if (one.body_deadline != Clock::time_point{}) {
      one.deadline = std::min(now + options_.stall_time, one.body_deadline);
    } else if (!one.parser.begun()) {
      one.deadline = now + options_.idle_time;
    } else if (!one.begun) {
      one.begun = true;
      one.deadline = now + options_.head_time;
    }
    watch_for(one, EPOLLIN | EPOLLRDHUP);
  }

  void on_head(Connection& one) {
    const Request& head = one.parser.request();
    one.body_deadline = Clock::now() + options_.body_time;
    one.refusal = stop_ ? with_retry(handler_.failure(503, "the server is stopping")) : handler_.refuse(head);
    const bool waits = head.expects_continue && one.parser.body_follows();
    // A short body is read all the same, so that the connection can go on.
    if (one.refusal && (waits || one.parser.long_body_follows()))
      return answer(one, *std::exchange(one.refusal, std::nullopt), /*close=*/true);
    if (waits) {
      constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
      [[maybe_unused]] const ssize_t size = ::send(one.fd.get(), kContinue.data(), kContinue.size(), MSG_NOSIGNAL);
    }
  }

  void on_request(Connection& one) {
    const bool http10 = one.parser.is_http10();
    Request request = one.parser.take();
    one.begun = false;
    one.body_deadline = {};
    hold(one, one.parser.held() + request.body.size());  // the handler has it now: until it has answered
    one.phase = Phase::kAnswering;
    const auto state =
        std::make_shared<Reply::State>(mail_, one.id, request.method == "HEAD", http10, request.keep_alive && !stop_);
    one.reply = state;
    watch_for(one, EPOLLRDHUP);
    Reply reply(state);
    if (one.refusal) return reply.send(*std::exchange(one.refusal, std::nullopt));
    threads_.handle(std::move(request), std::move(reply));
  }

  // An answer of the server itself, while nothing is with the handler.
  void answer(Connection& one, const Answer& answer, bool close) {
    one.phase = Phase::kAnswering;
    put(one, {one.id, written(answer, Framing::kLength, !close, one.parser.request().method == "HEAD"), true, close});
  }

  void deliver() {
    for (Mailbox::Letter& letter : mail_->take()) {
      const std::uint64_t id = letter.connection;
      const auto found = connections_.find(id);
      if (found == connections_.end() || found->second.phase != Phase::kAnswering) continue;
      if (!put(found->second, std::move(letter))) continue;
      // what came with the last request may hold the next
      const auto again = connections_.find(id);
      if (again != connections_.end()) advance(again->second);
    }
  }

  // False: the connection is gone.
  bool put(Connection& one, Mailbox::Letter letter) {
    if (one.out.empty()) one.deadline = Clock::now() + options_.stall_time;
    one.out += letter.bytes;
    one.last = letter.last;
    one.close = letter.close;
    return send_some(one);
  }

  // False: the connection is gone.
  bool send_some(Connection& one) {
    while (one.sent < one.out.size()) {
      const ssize_t count = ::send(one.fd.get(), one.out.data() + one.sent, one.out.size() - one.sent, MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) {
        watch_for(one, EPOLLOUT);
        return true;
      }
      if (count <= 0) {
        drop(one);
        return false;
      }
      one.sent += static_cast<std::size_t>(count);
      one.deadline = Clock::now() + options_.stall_time;
    }
    one.out.clear();
    one.sent = 0;
    if (!one.last) {
      watch_for(one, EPOLLRDHUP);
      return true;
    }
    end_answer(one);
    return true;
  }

  void end_answer(Connection& one) {
    one.reply.reset();
    one.last = false;
    if (one.close || stop_) one.parser.give_up();
    hold(one, one.parser.held());
    if (one.close || stop_) {
      // Closing at once would tell a client that still sends that all is lost, the answer too.
      ::shutdown(one.fd.get(), SHUT_WR);
      one.phase = Phase::kLingering;
      one.deadline = Clock::now() + options_.linger_time;
      one.out.shrink_to_fit();
      watch_for(one, EPOLLIN | EPOLLRDHUP);
      return;
    }
    one.phase = Phase::kReading;
    set_deadline(one);
  }

  void end_late_ones() {
    const Clock::time_point now = Clock::now();
    std::vector<std::uint64_t> late;
    for (auto& [id, one] : connections_) {
      if (now < one.deadline || (one.phase == Phase::kAnswering && one.out.empty())) continue;
      late.push_back(id);
    }
    for (const std::uint64_t id : late) {
      Connection& one = connections_.at(id);
      if (one.phase == Phase::kReading && one.parser.begun()) {
        answer(one, handler_.failure(408, "the request did not come in time"), /*close=*/true);
      } else {
        drop(one);
      }
    }
  }

  void close_idle_ones() {
    listener_.reset();
    std::vector<std::uint64_t> idle;
    for (const auto& [id, one] : connections_) {
      if (one.phase == Phase::kReading && !one.parser.begun()) idle.push_back(id);
    }
    for (const std::uint64_t id : idle) drop(connections_.at(id));
  }

  const ServerOptions options_;
  Handler& handler_;
  int port_;
  base::UniqueFd listener_, epoll_;
  const std::shared_ptr<Mailbox> mail_;
  std::unordered_map<std::uint64_t, Connection> connections_;
  std::uint64_t next_ = kFirstConnection;
  std::size_t held_ = 0;
  bool deaf_ = false;  // no descriptor is free
  std::atomic<bool> stop_ = false;
  std::atomic<int> open_ = 0;
  HandlerThreads threads_;  // ends first
};

Server::Server(const ServerOptions& options, Handler& handler) : loop_(std::make_unique<Loop>(options, handler)) {}
Server::~Server() = default;

int Server::port() const {
  return loop_->port();
}
void Server::run(milliseconds grace) {
  loop_->run(grace);
}
void Server::stop() {
  loop_->stop();
}
int Server::connections() const {
  return loop_->open();
}

}  // namespace tritonrl::http
