#include "tests/sandbox/world.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "base/json.h"
#include "sandbox/privileges.h"

namespace tritonrl::sandbox::testing {
namespace {

namespace fs = std::filesystem;
constexpr const char* kVictimText = "as it was";
constexpr rlim_t kCanaryFiles = 100;

template <typename Address>
base::UniqueFd bound(int family, int type, Address& address, socklen_t length) {
  base::UniqueFd fd(socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  if (!fd || bind(fd.get(), raw, length) != 0) throw std::runtime_error("bind");
  if (type == SOCK_STREAM && listen(fd.get(), 8) != 0) throw std::runtime_error("listen");
  getsockname(fd.get(), raw, &length);
  return fd;
}

base::UniqueFd on_loopback(int type, int& port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  base::UniqueFd fd = bound(AF_INET, type, address, sizeof address);
  port = ntohs(address.sin_port);
  return fd;
}

// A leading @ stands for the abstract name space.
base::UniqueFd on_name(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, name.data(), name.size());
  if (name.front() == '@') address.sun_path[0] = '\0';
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  return bound(AF_UNIX, SOCK_STREAM, address, length);
}

bool accepted(const base::UniqueFd& listener) {
  const base::UniqueFd peer(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  return static_cast<bool>(peer);
}

int cpus_of(pid_t pid) {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(pid, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

}  // namespace

World::World(std::string folder) : folder_(std::move(folder)) {
  std::random_device random;
  secret_ = "secret-" + std::to_string(random());
  key_ = static_cast<int>(random() | 1U) & 0x7fffffff;
  std::ofstream(path("secret")) << secret_;
  make_victim();
  tcp_ = on_loopback(SOCK_STREAM, tcp_port_);
  udp_ = on_loopback(SOCK_DGRAM, udp_port_);
  local_ = on_name(path("socket"));
  abstract_ = on_name("@" + secret_);
  make_canary();
}

World::~World() {
  end_canary();
  shared_memory_made();
  in_dev_shm();
}

std::string World::json() const {
  return base::Json{{"folder", folder_},
                    {"secret_file", path("secret")},
                    {"victim", path("victim")},
                    {"tcp", tcp_port_},
                    {"udp", udp_port_},
                    {"socket", path("socket")},
                    {"abstract", secret_},
                    {"canary", canary_},
                    {"key", key_},
                    {"shm_file", "/dev/shm/tritonrl-" + std::to_string(key_)}}
      .dump();
}

void World::make_victim() {
  std::ofstream(path("victim")) << kVictimText;
  chmod(path("victim").c_str(), 0644);
}

// A program that does nothing, with a secret in its environment and without root's capabilities: those would protect it
// in place of the sandbox.
void World::make_canary() {
  canary_ = fork();
  if (canary_ != 0) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    std::string name;
    while (name != "sleep" && std::chrono::steady_clock::now() < deadline) {
      std::ifstream("/proc/" + std::to_string(canary_) + "/comm") >> name;
    }
    return;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  drop_capabilities();
  const rlimit files{.rlim_cur = kCanaryFiles, .rlim_max = kCanaryFiles};
  setrlimit(RLIMIT_NOFILE, &files);
  const std::string variable = "SECRET=" + secret_;
  char* const environment[] = {const_cast<char*>(variable.c_str()), nullptr};
  execle("/bin/sleep", "sleep", "1000", nullptr, environment);
  _exit(127);
}

void World::end_canary() {
  kill(canary_, SIGKILL);
  waitpid(canary_, nullptr, 0);
}

bool World::exists(const std::string& name) {
  std::error_code error;
  return fs::remove_all(path(name), error) > 0;
}

bool World::victim_changed() {
  struct stat about {};
  const bool there = stat(path("victim").c_str(), &about) == 0;
  std::ifstream file(path("victim"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const bool changed = !there || (about.st_mode & 07777) != 0644 || text != kVictimText;
  if (changed) make_victim();
  return changed;
}

bool World::contacted() {
  char byte = 0;
  const bool datagram = recv(udp_.get(), &byte, 1, 0) >= 0;
  const bool tcp = accepted(tcp_), local = accepted(local_), abstract = accepted(abstract_);
  return datagram || tcp || local || abstract;
}

bool World::canary_dead() {
  int status = 0;
  bool dead = waitpid(canary_, &status, WNOHANG | WUNTRACED) == canary_;
  std::ifstream file("/proc/" + std::to_string(canary_) + "/status");
  for (std::string line; std::getline(file, line);) {
    dead |= line.starts_with("TracerPid:") && line != "TracerPid:\t0";
    dead |= line.starts_with("State:\tT") || line.starts_with("State:\tt");
  }
  if (!dead) return false;
  end_canary();
  make_canary();
  return true;
}

bool World::canary_touched() {
  rlimit files{};
  prlimit(canary_, RLIMIT_NOFILE, nullptr, &files);
  const bool touched = files.rlim_cur != kCanaryFiles ||
                       getpriority(PRIO_PROCESS, canary_) != getpriority(PRIO_PROCESS, 0) ||
                       cpus_of(canary_) != cpus_of(0);
  if (!touched) return false;
  end_canary();
  make_canary();
  return true;
}

bool World::shared_memory_made() {
  const int id = shmget(key_, 0, 0);
  return id >= 0 && shmctl(id, IPC_RMID, nullptr) == 0;
}

bool World::in_dev_shm() {
  return unlink(("/dev/shm/tritonrl-" + std::to_string(key_)).c_str()) == 0;
}

}  // namespace tritonrl::sandbox::testing
