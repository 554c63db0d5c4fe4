#include "base/local_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <list>
#include <thread>
#include <utility>

#include "base/error.h"

namespace tritonrl::base {
namespace {

namespace fs = std::filesystem;
constexpr int kListening = 64;

sockaddr_un address_of(const fs::path& path, const std::string& who) {
  sockaddr_un out{};
  out.sun_family = AF_UNIX;
  const std::string text = path.string();
  if (text.size() >= sizeof out.sun_path) throw UserError(who, text + ": is too long for a socket");
  std::memcpy(out.sun_path, text.c_str(), text.size() + 1);
  return out;
}

UniqueFd new_socket(int type, const std::string& who) {
  UniqueFd out(socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
  if (!out) throw InfrastructureError(who, system_message("socket"));
  return out;
}

}  // namespace

fs::path private_folder(const std::string& who) {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const bool has = runtime != nullptr && *runtime != '\0';
  const fs::path folder =
      has ? fs::path(runtime) / "tritonrl" : fs::path("/tmp") / ("tritonrl-" + std::to_string(geteuid()));
  mkdir(folder.c_str(), 0700);
  struct stat state {};
  const bool ours = lstat(folder.c_str(), &state) == 0 && S_ISDIR(state.st_mode) && state.st_uid == geteuid() &&
                    (state.st_mode & 077) == 0;
  if (!ours)
    throw UserError(who, folder.string() + " is no folder that you alone may enter; remove it, or chmod 700 it");
  return folder;
}

UniqueFd listen_at(const fs::path& path, int type, const std::string& who) {
  UniqueFd out = new_socket(type, who);
  const fs::path aside = path.string() + ".new";
  unlink(aside.c_str());
  const sockaddr_un address = address_of(aside, who);
  if (bind(out.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(out.get(), kListening) != 0 || rename(aside.c_str(), path.c_str()) != 0)
    throw InfrastructureError(who, system_message(path.string()));
  return out;
}

UniqueFd connect_to(const fs::path& path, int type, const std::string& who) {
  UniqueFd out = new_socket(type, who);
  const sockaddr_un address = address_of(path, who);
  const bool there = connect(out.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  return there && is_ours(out.get()) ? std::move(out) : UniqueFd();
}

bool is_ours(int peer) {
  ucred who{};
  socklen_t size = sizeof who;
  return getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == geteuid();
}

// What a peer of ours says it says at once.
constexpr timeval kPatience{.tv_sec = 10, .tv_usec = 0};

void serve_peers(int listener, int minutes, const std::function<bool(int)>& talk) {
  std::atomic<int> busy = 0;
  std::atomic<bool> ended = false;
  std::list<std::jthread> talks;
  while (!ended) {
    pollfd wait{listener, POLLIN, 0};
    const int ready = poll(&wait, 1, minutes * 60'000);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && busy == 0) break;
    if (ready <= 0) continue;
    UniqueFd peer(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (!peer || !is_ours(peer.get())) continue;
    setsockopt(peer.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
    if (busy == 0) talks.clear();
    ++busy;
    talks.emplace_back([&, peer = std::move(peer)] {
      if (!talk(peer.get())) {
        ended = true;
        shutdown(listener, SHUT_RD);  // wakes the loop
      }
      --busy;
    });
  }
}

}  // namespace tritonrl::base
