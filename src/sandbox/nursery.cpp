#include "sandbox/nursery.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/files.h"
#include "base/json.h"
#include "base/local_socket.h"
#include "base/sha256.h"
#include "sandbox/descriptor_message.h"

namespace tritonrl::sandbox {
namespace {

using base::Json;

constexpr const char* kWho = "nursery";
constexpr std::size_t kLongestOrder = std::size_t{64} << 10;
constexpr std::string_view kEnd = "end", kDone = "done", kRefused = "refused";
constexpr std::size_t kLongestAnswer = 32;

Json list_of(const std::vector<std::string>& texts) {
  Json out = Json::array();
  for (const std::string& text : texts) out.push_back(text);
  return out;
}

std::vector<std::string> texts_of(const Json& list) {
  std::vector<std::string> out;
  for (const Json& one : list) out.push_back(one.text());
  return out;
}

// What is in a memory file, wherever its owner has read to.
std::string contents(int fd) {
  std::string out;
  std::array<char, 65536> chunk{};
  for (off_t at = 0;;) {
    const ssize_t count = pread(fd, chunk.data(), chunk.size(), at);
    if (count <= 0) return out;
    out.append(chunk.data(), static_cast<std::size_t>(count));
    at += count;
  }
}

std::string receive_text(int socket, std::size_t most) {
  std::string out(most, '\0');
  const ssize_t count = recv(socket, out.data(), out.size(), 0);
  out.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return out;
}

// The zygotes that are kept, by all that they are made of.
class Kept {
 public:
  // Starts it on the first call; others that want the same wait.
  std::shared_ptr<Zygote> zygote(const std::string& order, const ZygoteOptions& options) {
    const std::string key = base::sha256(order + options.boot);
    std::promise<std::shared_ptr<Zygote>> promise;
    std::shared_future<std::shared_ptr<Zygote>> wanted;
    {
      const std::lock_guard lock(mutex_);
      const auto found = zygotes_.find(key);
      if (found != zygotes_.end()) wanted = found->second;
      if (!wanted.valid()) zygotes_[key] = promise.get_future().share();
    }
    if (wanted.valid()) return wanted.get();
    try {
      promise.set_value(std::make_shared<Zygote>(options));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
    return zygote_at(key);
  }

  void forget(const std::shared_ptr<Zygote>& dead) {
    const std::lock_guard lock(mutex_);
    std::erase_if(zygotes_, [&](const auto& kept) { return kept.second.get() == dead; });
  }

 private:
  // One that could not be started is not kept: the next may be luckier.
  std::shared_ptr<Zygote> zygote_at(const std::string& key) {
    std::shared_future<std::shared_ptr<Zygote>> made;
    {
      const std::lock_guard lock(mutex_);
      made = zygotes_.at(key);
    }
    try {
      return made.get();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      zygotes_.erase(key);
      throw;
    }
  }

  std::mutex mutex_;
  std::map<std::string, std::shared_future<std::shared_ptr<Zygote>>> zygotes_;
};

// The copy's process, as text.
std::string give_copy(const std::string& order, const std::vector<base::UniqueFd>& ends, Kept& kept) {
  const std::optional<Json> asked = Json::try_parse(order);
  if (!asked || !asked->is_object() || ends.size() != ZygoteEnds().size()) return std::string(kRefused);
  try {
    const ZygoteOptions options{.command = texts_of(asked->at("command")),
                                .environment = texts_of(asked->at("environment")),
                                .boot = contents(ends[2].get())};
    const std::shared_ptr<Zygote> zygote = kept.zygote(order, options);
    const pid_t copy = zygote->copy(ends[0].get(), ends[1].get());
    if (copy > 0) return std::to_string(copy);
    kept.forget(zygote);
  } catch (const std::exception&) {  // who asked starts its own, and hears what is wrong
  }
  return std::string(kRefused);
}

}  // namespace

std::optional<pid_t> copy_from_nursery(const ZygoteOptions& options, const ZygoteEnds& ends) {
  const char* path = std::getenv(kNurseryVariable);
  if (path == nullptr || *path == '\0') return std::nullopt;
  const base::UniqueFd nursery = base::connect_to(path, SOCK_SEQPACKET, kWho);
  if (!nursery) return std::nullopt;
  std::vector<std::string> made_of;
  for (const std::string& path : options.made_of) made_of.push_back(base::file_stamp(path));
  const std::string order = Json{
      {"command", list_of(options.command)},
      {"environment", list_of(options.environment)},
      {"made_of",
       list_of(made_of)}}.dump();
  if (order.size() > kLongestOrder || send_some(nursery.get(), order, ends, MSG_NOSIGNAL) < 1) return std::nullopt;
  const pid_t copy = std::atoi(receive_text(nursery.get(), kLongestAnswer).c_str());
  return copy > 0 ? std::optional(copy) : std::nullopt;
}

void serve_nursery(int listener, int minutes) {
  Kept kept;
  std::atomic<int> busy = 0;
  std::atomic<bool> ended = false;
  std::list<std::jthread> talks;
  while (!ended) {
    pollfd wait{listener, POLLIN, 0};
    const int ready = poll(&wait, 1, minutes * 60'000);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && busy == 0) break;
    if (ready <= 0) continue;
    base::UniqueFd peer(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (!peer || !base::is_ours(peer.get())) continue;
    std::string order(kLongestOrder, '\0');
    std::vector<base::UniqueFd> ends;
    const ReceivedSome received = receive_some(peer.get(), order, ends);
    if (received.count <= 0) continue;
    order.resize(static_cast<std::size_t>(received.count));
    if (order == kEnd) {
      ended = true;
      send(peer.get(), kDone.data(), kDone.size(), MSG_NOSIGNAL);
      break;
    }
    if (busy == 0) talks.clear();
    ++busy;
    talks.emplace_back([&, peer = std::move(peer), order = std::move(order), ends = std::move(ends)] {
      const std::string answer = give_copy(order, ends, kept);
      send(peer.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
      --busy;
    });
  }
}

bool end_nursery(int socket) {
  return send(socket, kEnd.data(), kEnd.size(), MSG_NOSIGNAL) > 0 && receive_text(socket, kLongestAnswer) == kDone;
}

}  // namespace tritonrl::sandbox
