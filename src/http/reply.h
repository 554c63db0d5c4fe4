#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "http/server.h"

namespace tritonrl::http {

// Bytes on their way from any thread to the one that owns the connections.
class Mailbox {
 public:
  struct Letter {
    std::uint64_t connection;
    std::string bytes;
    bool last;   // the answer is whole
    bool close;  // and so is the connection
  };

  Mailbox();

  void post(Letter letter);
  std::vector<Letter> take();
  // Whoever waits for fd() comes back.
  void wake();
  // Readable when there is something.
  int fd() const { return event_.get(); }
  // Nobody takes any more: what is posted is dropped.
  void close();

 private:
  base::UniqueFd event_;
  std::mutex mutex_;
  std::vector<Letter> letters_;
  bool closed_ = false;
};

// What all copies of a Reply share.
struct Reply::State {
  State(std::shared_ptr<Mailbox> mailbox, std::uint64_t connection, bool head_only, bool http10, bool keep_alive)
      : mailbox(std::move(mailbox)),
        connection(connection),
        head_only(head_only),
        http10(http10),
        keep_alive(keep_alive) {}
  ~State();

  const std::shared_ptr<Mailbox> mailbox;
  const std::uint64_t connection;
  const bool head_only, http10, keep_alive;
  std::atomic<bool> gone = false;

  enum class Phase { kOpen, kStreaming, kAnswered };
  std::mutex mutex;
  Phase phase = Phase::kOpen;
};

}  // namespace tritonrl::http
