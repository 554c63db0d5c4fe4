#include "cli/warm_judge.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <list>
#include <thread>

#include "base/error.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/unique_fd.h"
#include "cli/field_options.h"
#include "cli/kept_judge.h"
#include "cli/line_reader.h"
#include "judge/pool.h"
#include "judge/replay.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;

constexpr const char* kWho = "verify --warm";
constexpr std::size_t kLongestMessage = std::size_t{64} << 20;
constexpr int kListening = 16;

// Only ours: whoever may enter it could hand us candidates, and verdicts.
fs::path private_folder() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const bool has = runtime != nullptr && *runtime != '\0';
  const fs::path folder =
      has ? fs::path(runtime) / "tritonrl" : fs::path("/tmp") / ("tritonrl-" + std::to_string(geteuid()));
  mkdir(folder.c_str(), 0700);
  struct stat state {};
  const bool ours = lstat(folder.c_str(), &state) == 0 && S_ISDIR(state.st_mode) && state.st_uid == geteuid() &&
                    (state.st_mode & 077) == 0;
  if (!ours)
    throw base::UserError(kWho, folder.string() + " is no folder that you alone may enter; remove it, or chmod 700 it");
  return folder;
}

std::string stamp(const fs::path& path) {
  struct stat state {};
  if (stat(path.c_str(), &state) != 0) return path.string() + " -";
  return path.string() + " " + std::to_string(state.st_ino) + " " + std::to_string(state.st_size) + " " +
         std::to_string(state.st_mtim.tv_sec) + "." + std::to_string(state.st_mtim.tv_nsec);
}

// Changes with all that a verdict may depend on, without starting Python: its packages are seen by their folder.
std::string identity(const judge::JudgeOptions& judge, const CacheOptions& cache, const MachineOptions& machine) {
  const fs::path python = find_python(machine);
  std::string out = base::field_key(judge) + "\n" + base::field_key(cache) + "\n" + base::field_key(machine) + "\n" +
                    cache_folder().string() + "\n" + stamp(fs::read_symlink("/proc/self/exe")) + "\n" + stamp(python);
  for (const char* name : {"PATH", "LD_LIBRARY_PATH"}) {
    const char* value = std::getenv(name);
    out += std::string("\n") + name + "=" + (value == nullptr ? "" : value);
  }
  std::error_code none;
  for (const fs::directory_entry& version : fs::directory_iterator(python.parent_path().parent_path() / "lib", none)) {
    const fs::path packages = version.path() / "site-packages";
    if (fs::is_directory(packages, none)) out += "\n" + stamp(packages);
  }
  return base::sha256(out).substr(0, 32);
}

sockaddr_un address_of(const fs::path& path) {
  sockaddr_un out{};
  out.sun_family = AF_UNIX;
  const std::string text = path.string();
  if (text.size() >= sizeof out.sun_path) throw base::UserError(kWho, text + ": is too long for a socket");
  std::memcpy(out.sun_path, text.c_str(), text.size() + 1);
  return out;
}

base::UniqueFd new_socket() {
  base::UniqueFd out(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!out) throw base::InfrastructureError(kWho, base::system_message("socket"));
  return out;
}

bool is_ours(int peer) {
  ucred who{};
  socklen_t size = sizeof who;
  return getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == geteuid();
}

// None: nobody listens there.
base::UniqueFd connected(const fs::path& path) {
  base::UniqueFd out = new_socket();
  const sockaddr_un address = address_of(path);
  const bool there = connect(out.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  return there && is_ours(out.get()) ? std::move(out) : base::UniqueFd();
}

bool send_line(int fd, std::string text) {
  text += '\n';
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t count = send(fd, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::optional<std::string> receive_line(int fd) {
  std::string line;
  LineReader reader(fd, -1, kLongestMessage);
  if (reader.next(line) != LineReader::Next::kLine) return std::nullopt;
  return line;
}

std::string to_text(const judge::Submission& submission) {
  Json out = {{"id", submission.id},
              {"task", submission.task.id},
              {"source", submission.task.source},
              {"entry_point", submission.task.entry_point},
              {"code", submission.code},
              {"name", submission.name}};
  if (submission.extraction) out["extraction"] = *submission.extraction;
  return out.dump();
}

judge::Submission submission_of(const Json& json) {
  judge::Submission out;
  out.id = json.at("id").text();
  out.task = {json.at("task").text(), json.at("source").text(), json.at("entry_point").text()};
  out.code = json.at("code").text();
  out.name = json.at("name").text();
  if (json.contains("extraction")) out.extraction = json.at("extraction").text();
  return out;
}

std::string answer_to(const std::string& line, judge::Pool& pool) {
  try {
    const std::optional<Json> asked = Json::try_parse(line);
    if (!asked || !asked->is_object()) return Json{{"ours", "what was asked is no submission"}}.dump();
    return to_json(pool.submit(submission_of(*asked)).get());
  } catch (const base::UserError& error) {
    return Json{{"user", error.what()}}.dump();
  } catch (const std::exception& error) {
    return Json{{"ours", error.what()}}.dump();
  }
}

// Serves until nobody has asked for `minutes`.
void serve(int listener, const fs::path& path, JudgeSetting& setting, const judge::JudgeOptions& options, int minutes) {
  setting.replayer = in_background(std::move(setting.replayer));
  KeptJudge judge(setting, options);
  judge::Pool pool(judge, {});
  std::atomic<int> busy = 0;
  std::list<std::jthread> talks;
  for (;;) {
    pollfd wait{listener, POLLIN, 0};
    const int ready = poll(&wait, 1, minutes * 60'000);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && busy == 0) break;
    if (ready <= 0) continue;
    base::UniqueFd peer(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (!peer || !is_ours(peer.get())) continue;
    if (busy == 0) talks.clear();
    ++busy;
    talks.emplace_back([&, peer = std::move(peer)] {
      if (const std::optional<std::string> line = receive_line(peer.get()))
        send_line(peer.get(), answer_to(*line, pool));
      --busy;
    });
  }
  unlink(path.c_str());
}

// Leaves a process behind that serves on `path`. It is this program as it stands, options included.
void leave_behind(const fs::path& path, const judge::JudgeOptions& judge, const CacheOptions& cache,
                  const MachineOptions& machine, int minutes) {
  { const JudgeSetting tried(judge, cache, machine); }  // what is wrong with the machine is told here
  const base::UniqueFd listener = new_socket();
  const fs::path aside = path.string() + ".new";  // whoever finds it under its name can connect
  unlink(aside.c_str());
  const sockaddr_un address = address_of(aside);
  if (bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener.get(), kListening) != 0 || rename(aside.c_str(), path.c_str()) != 0)
    throw base::InfrastructureError(kWho, base::system_message(path.string()));
  const pid_t pid = fork();
  if (pid < 0) throw base::InfrastructureError(kWho, base::system_message("fork"));
  if (pid > 0) return;
  setsid();
  const int nothing = open("/dev/null", O_RDWR);
  for (const int fd : {0, 1, 2}) dup2(nothing, fd);
  for (const int one : {SIGINT, SIGTERM, SIGHUP}) signal(one, SIG_DFL);
  const int keep = listener.get();
  close_range(3, static_cast<unsigned>(keep) - 1, 0);
  close_range(static_cast<unsigned>(keep) + 1, ~0U, 0);
  if (chdir("/") != 0) _exit(1);
  try {
    JudgeSetting own(judge, cache, machine);  // the other one's files are closed
    serve(keep, path, own, judge, minutes);
  } catch (const std::exception&) {
    unlink(path.c_str());
  }
  _exit(0);
}

base::UniqueFd reached(const judge::JudgeOptions& judge, const CacheOptions& cache, const MachineOptions& machine,
                       const WarmOptions& warm) {
  const fs::path path = private_folder() / identity(judge, cache, machine);
  if (base::UniqueFd there = connected(path)) return there;
  // one of several that find nobody starts it
  const base::UniqueFd lock(open((path.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock || flock(lock.get(), LOCK_EX) != 0) throw base::InfrastructureError(kWho, base::system_message("flock"));
  if (base::UniqueFd there = connected(path)) return there;
  leave_behind(path, judge, cache, machine, warm.minutes);
  if (base::UniqueFd there = connected(path)) return there;
  throw base::InfrastructureError(kWho, "the process that was left behind does not listen");
}

}  // namespace

void declare(CLI::App& command, WarmOptions& options) {
  declare_fields(command, options);
}

record::Verdict judge_warm(const judge::Submission& submission, const judge::JudgeOptions& judge,
                           const CacheOptions& cache, const MachineOptions& machine, const WarmOptions& warm) {
  MachineOptions found = machine;
  found.python = fs::absolute(find_python(machine)).string();
  if (!fs::exists(found.python)) found.python = find_python(machine);  // a name that PATH resolves
  const base::UniqueFd peer = reached(judge, cache, found, warm);
  const std::optional<std::string> line =
      send_line(peer.get(), to_text(submission)) ? receive_line(peer.get()) : std::nullopt;
  if (!line) throw base::InfrastructureError(kWho, "the process that was left behind has ended; try again");
  const std::optional<Json> told = Json::try_parse(*line);
  if (told && told->is_object() && told->contains("user")) throw base::UserError(kWho, told->at("user").text());
  if (told && told->is_object() && told->contains("ours"))
    throw base::InfrastructureError(kWho, told->at("ours").text());
  base::Result<record::Verdict> verdict = record::verdict_from_json(*line);
  if (!verdict.ok()) throw base::InfrastructureError(kWho, "what was answered is no verdict: " + verdict.error());
  return std::move(verdict).value();
}

}  // namespace tritonrl::cli
