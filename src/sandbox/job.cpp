#include "sandbox/job.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <utility>
#include <vector>

#include "base/check.h"
#include "sandbox/descriptor_message.h"
#include "sandbox/frames.h"

namespace tritonrl::sandbox {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kChunk = std::size_t{64} << 10;
constexpr std::size_t kMaxWaiting = 256;
constexpr std::size_t kLargestPipe = std::size_t{1} << 20;
constexpr auto kMargin = std::chrono::seconds(5);
constexpr auto kGrace = std::chrono::milliseconds(200);
constexpr auto kFinishLimit = std::chrono::seconds(10);

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

}  // namespace

struct Job::State {
  State(const JobOptions& options_in, base::UniqueFd channel_in, base::UniqueFd log_in, base::UniqueFd keeper_in)
      : options(options_in),
        channel(std::move(channel_in)),
        log_pipe(std::move(log_in)),
        keeper(std::move(keeper_in)),
        deadline(Clock::now() + std::chrono::milliseconds(options.wall_ms) + kMargin),
        frames(options.max_message_bytes),
        chunk(kChunk) {
    for (const int fd : {channel.get(), log_pipe.get(), keeper.get()}) {
      TRL_CHECK(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0, "a job's descriptor is not open");
    }
  }

  // Waits for `events` on `fd`, reading the log meanwhile. False past `until`.
  bool wait(int fd, short events, Clock::time_point until) {
    while (true) {
      std::array<pollfd, 2> fds{pollfd{fd, events, 0}, pollfd{log_pipe.get(), POLLIN, 0}};
      const int ready = poll(fds.data(), fds.size(), milliseconds_until(until));
      if (ready > 0 && fds[1].revents != 0) drain_log();
      if (ready > 0 && fds[0].revents != 0) return true;
      if (Clock::now() >= until) return false;
    }
  }

  // One chunk; false when there is no more for now.
  bool drain_log() {
    if (!log_pipe) return false;
    const ssize_t count = ::read(log_pipe.get(), chunk.data(), chunk.size());
    if (count > 0) {
      const auto kept = std::min(static_cast<std::size_t>(count), options.max_log_bytes - log.size());
      log.append(chunk.data(), kept);
      return true;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) log_pipe.reset();
    return false;
  }

  bool send(std::string_view bytes, std::span<const int> with) {
    while (!bytes.empty()) {
      const ssize_t count = send_some(channel.get(), bytes, with, MSG_NOSIGNAL);
      if (count >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(count));
        with = {};
      } else if (errno == EAGAIN) {
        if (!wait(channel.get(), POLLOUT, deadline)) return false;
      } else if (errno != EINTR) {
        return false;
      }
    }
    return true;
  }

  bool malformed() const { return bad_descriptors || frames.malformed(); }

  // False at the end of the stream and past the deadline.
  bool receive_more(Clock::time_point until) {
    if (malformed() || ended || !wait(channel.get(), POLLIN, std::min(deadline, until))) return false;
    const auto [count, truncated] = receive_some(channel.get(), chunk, descriptors);
    // The bytes are not looked at: a frame whose descriptors are not all there must not be taken for a whole one.
    bad_descriptors = truncated || descriptors.size() > kMaxWaiting;
    if (bad_descriptors) return false;
    if (count > 0) frames.append({chunk.data(), static_cast<std::size_t>(count)});
    if (count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))) return true;
    ended = true;
    frames.end();
    return false;
  }

  // The keeper's last word, or none if it says nothing until `until`.
  std::optional<std::string> last_word(Clock::time_point until) {
    while (wait(keeper.get(), POLLIN, until)) {
      const ssize_t count = ::recv(keeper.get(), chunk.data(), chunk.size(), 0);
      if (count > 0) word.append(chunk.data(), static_cast<std::size_t>(count));
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return word;
    }
    return std::nullopt;
  }

  void finish() {
    if (exit) return;
    auto said = ended ? last_word(Clock::now() + kGrace) : std::nullopt;
    if (!said) {
      shutdown(keeper.get(), SHUT_WR);
      said = last_word(Clock::now() + kFinishLimit);
    }
    exit = said ? exit_from_json(*said) : Exit{.message = "the keeper does not answer"};
    // A pipe holds no more than this; whoever still writes to it is not waited for.
    for (std::size_t left = kLargestPipe; left > 0 && drain_log(); left -= kChunk) {
    }
    channel.reset();
    log_pipe.reset();
    keeper.reset();
  }

  const JobOptions options;
  base::UniqueFd channel, log_pipe, keeper;
  const Clock::time_point deadline;
  FrameReader frames;
  std::vector<char> chunk;
  std::vector<base::UniqueFd> descriptors;
  std::string log, word;
  bool ended = false, bad_descriptors = false;
  std::optional<Exit> exit;
};

Job::Job(const JobOptions& options, base::UniqueFd channel, base::UniqueFd log, base::UniqueFd keeper)
    : state_(std::make_unique<State>(options, std::move(channel), std::move(log), std::move(keeper))) {}

Job::Job(Job&&) noexcept = default;

Job& Job::operator=(Job&& other) noexcept {
  Job old(std::move(*this));
  state_ = std::move(other.state_);
  return *this;
}

Job::~Job() {
  if (state_) state_->finish();
}

bool Job::send(std::string_view message, std::span<const int> descriptors) {
  TRL_CHECK(message.size() <= UINT32_MAX, "a message fits a frame");
  return !state_->exit && state_->send(frame_header(message.size()), descriptors) && state_->send(message, {});
}

std::optional<std::string> Job::receive(std::chrono::steady_clock::time_point until) {
  while (true) {
    if (auto message = state_->frames.next()) return message;
    if (state_->exit || !state_->receive_more(until)) return std::nullopt;
  }
}

std::vector<base::UniqueFd> Job::take_descriptors() {
  return std::exchange(state_->descriptors, {});
}

bool Job::malformed() const {
  return state_->malformed();
}

Exit Job::finish() {
  state_->finish();
  return *state_->exit;
}

const std::string& Job::log() const {
  return state_->log;
}

}  // namespace tritonrl::sandbox
