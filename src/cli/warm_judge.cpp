#include "cli/warm_judge.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/local_socket.h"
#include "base/sha256.h"
#include "base/unique_fd.h"
#include "cli/field_options.h"
#include "cli/kept_judge.h"
#include "cli/left_behind.h"
#include "cli/line_reader.h"
#include "judge/pool.h"
#include "judge/replay.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;

constexpr const char* kWho = "verify --warm";
constexpr std::size_t kLongestMessage = std::size_t{64} << 20;

// Changes with all that a verdict may depend on, without starting Python: its packages are seen by their folder.
std::string identity(const judge::JudgeOptions& judge, const CacheOptions& cache, const MachineOptions& machine) {
  const fs::path python = find_python(machine);
  std::string out = base::field_key(judge) + "\n" + base::field_key(cache) + "\n" + base::field_key(machine) + "\n" +
                    cache_folder().string() + "\n" + base::file_stamp(fs::read_symlink("/proc/self/exe")) + "\n" +
                    base::file_stamp(python);
  for (const char* name : {"PATH", "LD_LIBRARY_PATH"}) {
    const char* value = std::getenv(name);
    out += std::string("\n") + name + "=" + (value == nullptr ? "" : value);
  }
  std::error_code none;
  for (const fs::directory_entry& version : fs::directory_iterator(python.parent_path().parent_path() / "lib", none)) {
    const fs::path packages = version.path() / "site-packages";
    if (fs::is_directory(packages, none)) out += "\n" + base::file_stamp(packages);
  }
  return base::sha256(out).substr(0, 32);
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
void serve(int listener, JudgeSetting& setting, const judge::JudgeOptions& options, int minutes) {
  setting.replayer = in_background(std::move(setting.replayer));
  KeptJudge judge(setting, options);
  judge::Pool pool(judge, {});
  base::serve_peers(listener, minutes, [&](int peer) {
    if (const std::optional<std::string> line = receive_line(peer)) send_line(peer, answer_to(*line, pool));
    return true;
  });
}

// The process that is left behind is this program as it stands, options included.
base::UniqueFd reached(const judge::JudgeOptions& judge, const CacheOptions& cache, const MachineOptions& machine,
                       const WarmOptions& warm) {
  const fs::path path = base::private_folder(kWho) / identity(judge, cache, machine);
  return reach_left_behind(path, SOCK_STREAM, kWho, [&] {
    { const JudgeSetting tried(judge, cache, machine); }  // what is wrong with the machine is told here
    leave_behind(path, SOCK_STREAM, kWho, [&](int listener) {
      JudgeSetting own(judge, cache, machine);  // the other one's files are closed
      serve(listener, own, judge, warm.minutes);
    });
  });
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
