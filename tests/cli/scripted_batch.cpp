// verify_batch with a judge that does what the candidate's code says: the program that batch_test starts, stops and
// kills.
//   scripted_batch IN OUT [--overwrite] [--workers N] [--fingerprint TEXT] [--quiet] [--unordered] [--seed N]
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <random>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/verify_batch.h"
#include "judge/scripted_judge.h"

namespace {

using namespace tritonrl;

// "sleep 20", "wrong", "ours", "bad_task", "passed"; the verdict's message has the seed.
record::Verdict play(const judge::Submission& submission, std::uint64_t seed) {
  std::istringstream words(submission.code);
  record::Verdict out;
  out.kind = record::VerdictKind::kPassed;
  out.reward = 1;
  for (std::string word; words >> word;) {
    if (word == "sleep") {
      int ms = 0;
      words >> ms;
      std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    }
    if (word == "wrong") out.kind = record::VerdictKind::kWrong;
    if (word == "ours") out.kind = record::VerdictKind::kInfrastructure;
    if (word == "bad_task") throw base::UserError("task", "defines no Model");
    if (word == "throw") throw std::runtime_error("thrown");
  }
  out.message = submission.id + " seed " + std::to_string(seed);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  cli::BatchOptions options;
  options.in = argv[1];
  options.out = argv[2];
  options.seed = std::random_device()();
  for (int i = 3; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--overwrite") options.overwrite = true;
    if (option == "--quiet") options.quiet = true;
    if (option == "--unordered") options.unordered = true;
    if (option == "--workers") options.workers = std::atoi(argv[i + 1]);
    if (option == "--fingerprint") options.fingerprint = argv[i + 1];
    if (option == "--seed") options.seed = std::strtoull(argv[i + 1], nullptr, 10);
  }
  try {
    return cli::verify_batch(options, [](std::uint64_t seed) {
      return std::make_unique<judge::ScriptedJudge>(
          [seed](const judge::Submission& submission) { return play(submission, seed); });
    });
  } catch (const base::UserError& error) {
    std::cerr << "tritonrl: " << error.what() << "\n";
    return cli::kUserMustFix;
  } catch (const std::exception& error) {
    std::cerr << "tritonrl: " << error.what() << "\n";
    return cli::kOurs;
  }
}
