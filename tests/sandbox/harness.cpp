#include "tests/sandbox/harness.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "sandbox/probe.h"
#include "sandbox/scratch.h"
#include "tests/paths.h"

namespace tritonrl::sandbox::testing {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
  std::string out;
  std::array<char, 4096> bytes{};
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen");
  while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), pipe)) out.append(bytes.data(), count);
  pclose(pipe);
  return out;
}

std::vector<std::string> environment(const std::string& precious) {
  return {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TRITONRL_TEST_PRECIOUS=" + precious};
}

}  // namespace

bool Result::said(const std::string& part) const {
  for (const std::string& message : messages) {
    if (message.find(part) != std::string::npos) return true;
  }
  return false;
}

std::string python() {
  const char* named = std::getenv("TRITONRL_PYTHON");
  for (const std::string& path :
       {std::string(named != nullptr ? named : ""), plain_python(), std::string("/usr/bin/python3")}) {
    if (!path.empty() && access(path.c_str(), X_OK) == 0) return path;
  }
  throw std::runtime_error("no Python: set TRITONRL_PYTHON");
}

std::vector<std::string> python_folders() {
  static const std::vector<std::string> folders = [] {
    std::vector<std::string> out{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"};
    const std::string prefixes = output_of(python() + " -Ic 'import sys; print(sys.prefix, sys.base_prefix)'");
    const std::size_t blank = prefixes.find(' ');
    for (const std::string& prefix : {prefixes.substr(0, blank), prefixes.substr(blank + 1)}) {
      out.push_back(prefix.substr(0, prefix.find('\n')) + "/lib");
    }
    return out;
  }();
  return folders;
}

Harness::Harness() {
  // Not in /tmp, which a tmpfs may cover.
  folder_ = make_scratch("/var/tmp");
  marker_ = "marker-" + fs::path(folder_).filename().string();
  fs::create_directory(folder_ + "/scratch");
  std::ofstream(precious()).flush();
  restart();
}

Harness::~Harness() {
  zygote_.reset();
  remove_scratch(folder_);
}

void Harness::restart() {
  zygote_.reset();
  zygote_ = another();
}

std::unique_ptr<Zygote> Harness::another() const {
  return std::make_unique<Zygote>(ZygoteOptions{
      .command = {python(), "-I", source_path("tests/sandbox/attack_zygote.py"),
                  build_path("libtritonrl_sandbox_enter.so"), source_path("src/python"), marker_},
      .environment = environment(precious()),
      .boot = "",
  });
}

Policy Harness::policy(Level level) const {
  Policy out;
  out.level = level;
  out.memory_bytes = std::int64_t{1} << 30;
  out.scratch_bytes = std::int64_t{8} << 20;
  out.scratch_files = 200;
  out.wall_ms = 10'000;
  out.cpu_seconds = 10;
  out.readable = python_folders();
  out.scratch = folder_ + "/scratch";
  return out;
}

Job Harness::start(const Policy& policy, const std::string& source, const std::string& world) {
  Job job = zygote_->start(policy);
  job.send(world);
  job.send(source);
  return job;
}

Result Harness::run(const Policy& policy, const std::string& source, const std::string& world) {
  const auto begin = std::chrono::steady_clock::now();
  Job job = start(policy, source, world);
  Result out;
  while (auto message = job.receive()) out.messages.push_back(*message);
  out.exit = job.finish();
  out.malformed = job.malformed();
  out.log = job.log();
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

std::vector<pid_t> Harness::left_over() const {
  std::vector<pid_t> found;
  eventually([&] {
    found.clear();
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const pid_t pid = std::atoi(entry.path().filename().c_str());
      if (pid <= 0 || pid == zygote_->pid()) continue;
      std::string line;
      std::ifstream file(entry.path() / "cmdline");
      std::getline(file, line);
      if (line.find(marker_) != std::string::npos) found.push_back(pid);
    }
    return found.empty();
  });
  return found;
}

std::vector<std::string> Harness::scratch_left() const {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder_ + "/scratch")) out.push_back(entry.path().filename());
  return out;
}

bool eventually(const std::function<bool()>& condition, int milliseconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (true) {
    if (condition()) return true;
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

bool can(Level level) {
  static const Capabilities found = probe();
  if (level == Level::kFull) return best_level(found) == Level::kFull;
  return level == Level::kNone || best_level(found) != Level::kNone;
}

std::string describe(const Result& result) {
  std::string out = to_json(result.exit) + (result.malformed ? " malformed" : "");
  for (const std::string& message : result.messages) out += "\n  said: " + message.substr(0, 500);
  return out + "\n  log: " + result.log.substr(0, 3000);
}

}  // namespace tritonrl::sandbox::testing
