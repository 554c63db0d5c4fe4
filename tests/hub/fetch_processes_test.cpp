#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/hub/served_fetch.h"
#include "tests/paths.h"

namespace tritonrl::hub {
namespace {

namespace fs = std::filesystem;

// Several processes on one cache, and one that dies.
class FetchProcesses : public ServedFetch {
 protected:
  pid_t start() const {
    const std::string program = build_path("tests/hub_tool");
    const std::vector<std::string> arguments = {program, "fetch", "model", "owner/name", "main"};
    const std::vector<std::string> variables = {"HF_ENDPOINT=" + server_.address(),
                                                "HF_HUB_CACHE=" + scratch_.path("hub"), "no_proxy=127.0.0.1"};
    pid_t process = -1;
    EXPECT_EQ(::posix_spawn(&process, program.c_str(), nullptr, nullptr, pointers(arguments).data(),
                            pointers(variables).data()),
              0);
    return process;
  }
  static int exit_code(pid_t process) {
    int status = 0;
    ::waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  static std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
    out.push_back(nullptr);
    return out;
  }
};

TEST_F(FetchProcesses, two_at_once_transfer_each_file_once) {
  server_.set_far_fault([](const ServedRequest&, const ServedAnswer& usual) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return usual;
  });
  const pid_t first = start(), second = start();
  EXPECT_EQ(exit_code(first), 0);
  EXPECT_EQ(exit_code(second), 0);
  EXPECT_EQ(server_.transfers("model.safetensors").size(), 1u);
  expect_whole(get());
}

TEST_F(FetchProcesses, threads_do_not_disturb_each_other) {
  std::vector<std::thread> threads;
  std::atomic<int> done = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      get();
      ++done;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, 4);
  EXPECT_EQ(server_.transfers("model.safetensors").size(), 1u);
  expect_whole(get());
}

TEST_F(FetchProcesses, a_killed_one_is_continued) {
  server_.set_far_fault([](const ServedRequest& request, ServedAnswer answer) {
    if (!request.has("range")) {
      answer.cut_after = 1'500'000;
      answer.hang = true;
    }
    return answer;
  });
  const pid_t process = start();
  std::error_code none_yet;
  for (int i = 0;
       i < 1000 && (!fs::exists(part_of_weights()) || fs::file_size(part_of_weights(), none_yet) < 1'500'000); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ::kill(process, SIGKILL);
  EXPECT_EQ(exit_code(process), -SIGKILL);
  ASSERT_EQ(fs::file_size(part_of_weights()), 1'500'000u);
  EXPECT_FALSE(cached_snapshot(model(), options()));
  expect_whole(get());
  EXPECT_EQ(server_.transfers("model.safetensors").back().header("range"), "bytes=1500000-");
}

}  // namespace
}  // namespace tritonrl::hub
