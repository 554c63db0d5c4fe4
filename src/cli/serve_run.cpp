#include "cli/serve_run.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/kept_judge.h"
#include "cli/stop_signals.h"
#include "judge/version.h"

namespace tritonrl::cli {
namespace {

constexpr std::size_t kLongestToken = 4096;

std::string token_of(const serve::ServeOptions& options) {
  const char* set = std::getenv("TRITONRL_TOKEN");
  std::string token =
      options.token_file.empty() ? (set == nullptr ? "" : set) : base::read_file(options.token_file, kLongestToken);
  while (!token.empty() && std::string_view(" \t\r\n").find(token.back()) != std::string_view::npos) token.pop_back();
  for (const char c : token) {
    if (c <= 0x20 || c >= 0x7f)
      throw base::UserError("serve", "the token has characters that no header may have; use letters and digits");
  }
  if (token.empty() && !options.token_file.empty())
    throw base::UserError("serve", "--token-file " + options.token_file + ": is empty");
  return token;
}

// A judge with what it refers to.
class ServedJudge : public judge::Judge {
 public:
  ServedJudge(const ServeArguments& arguments, const judge::JudgeOptions& options)
      : setting_(options, arguments.cache, arguments.machine), judge_(setting_, options) {}
  ServedJudge(const ServedJudge& other, const ServeArguments& arguments, const judge::JudgeOptions& options)
      : setting_(options, arguments.cache, arguments.machine), judge_(other.judge_, setting_, options) {}

  record::Verdict judge(const judge::Submission& submission) override { return judge_.judge(submission); }

 private:
  const JudgeSetting setting_;
  KeptJudge judge_;
};

// The first starts the warm processes, the others share them.
serve::JudgeDesk::MakeJudge maker(const ServeArguments& arguments) {
  return [arguments, first = std::shared_ptr<ServedJudge>()](const judge::JudgeOptions& options) mutable {
    if (first) return std::make_shared<ServedJudge>(*first, arguments, options);
    return first = std::make_shared<ServedJudge>(arguments, options);
  };
}

}  // namespace

void declare(CLI::App& command, ServeArguments& arguments) {
  declare_fields(command, arguments.serve);
  declare(command, arguments.judge);
  declare(command, arguments.cache);
  declare(command, arguments.machine);
}

int serve_until_signal(const ServeArguments& arguments, serve::ServedParts parts) {
  check(arguments.judge);
  const std::string token = token_of(arguments.serve);
  if (!arguments.no_judge) parts.judge = maker(arguments);
  parts.judge_options = arguments.judge;
  parts.version = judge::judge_version();
  StopSignals signals;
  serve::Serving serving(arguments.serve, token, parts);
  std::cout << "listening at http://" << arguments.serve.host << ":" << serving.port() << std::endl;
  std::thread stopping([&] {
    signals.wait();
    if (signals.received() != 0)
      std::cerr << "tritonrl: stopping after what is being judged; once more stops at once\n";
    serving.stop();
  });
  std::exception_ptr failure;
  try {
    serving.run();
  } catch (...) {
    failure = std::current_exception();
  }
  signals.stop();
  stopping.join();
  if (failure) std::rethrow_exception(failure);
  return kDone;
}

}  // namespace tritonrl::cli
