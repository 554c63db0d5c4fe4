#include "sandbox/nursery.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

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
  // A copy of it, which holds `ends`; -1 if it died. It is started for the first who asks, while others that want the
  // same wait; one that could not be started or has died is started anew for the next.
  pid_t copy(const std::string& key, const ZygoteOptions& options, int control, int output) {
    const std::shared_ptr<Place> place = place_of(key);
    const std::lock_guard lock(place->mutex);
    if (!place->zygote) place->zygote = std::make_unique<Zygote>(options);
    const pid_t pid = place->zygote->copy(control, output);
    if (pid < 0) place->zygote.reset();
    return pid;
  }

 private:
  struct Place {
    std::mutex mutex;
    std::unique_ptr<Zygote> zygote;
  };

  std::shared_ptr<Place> place_of(const std::string& key) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Place>& place = places_[key];
    if (!place) place = std::make_shared<Place>();
    return place;
  }

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Place>> places_;
};

// The copy's process, as text.
std::string give_copy(const std::string& order, const std::vector<base::UniqueFd>& ends, Kept& kept) {
  const std::optional<Json> asked = Json::try_parse(order);
  if (!asked || !asked->is_object() || ends.size() != ZygoteEnds().size()) return std::string(kRefused);
  try {
    const ZygoteOptions options{.command = texts_of(asked->at("command")),
                                .environment = texts_of(asked->at("environment")),
                                .boot = contents(ends[2].get())};
    const pid_t copy = kept.copy(base::sha256(order + options.boot), options, ends[0].get(), ends[1].get());
    if (copy > 0) return std::to_string(copy);
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
  base::serve_peers(listener, minutes, [&kept](int peer) {
    std::string order(kLongestOrder, '\0');
    std::vector<base::UniqueFd> ends;
    const ReceivedSome received = receive_some(peer, order, ends);
    if (received.count <= 0) return true;
    order.resize(static_cast<std::size_t>(received.count));
    const std::string answer = order == kEnd ? std::string(kDone) : give_copy(order, ends, kept);
    send(peer, answer.data(), answer.size(), MSG_NOSIGNAL);
    return order != kEnd;
  });
}

bool end_nursery(int socket) {
  return send(socket, kEnd.data(), kEnd.size(), MSG_NOSIGNAL) > 0 && receive_text(socket, kLongestAnswer) == kDone;
}

}  // namespace tritonrl::sandbox
