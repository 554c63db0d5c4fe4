#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "base/error.h"
#include "base/sha256.h"
#include "cli/candidate_file.h"
#include "cli/commands.h"
#include "cli/judge_options.h"
#include "cli/kept_judge.h"
#include "cli/machine.h"
#include "cli/source_file.h"
#include "cli/terminal_text.h"
#include "cli/verdict_text.h"
#include "cli/verify_batch.h"
#include "cli/warm_judge.h"
#include "judge/pool.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
using record::Verdict;
using record::VerdictKind;

struct VerifyCommandOptions {
  std::string candidate, task, entry_point;
  std::string batch, out;
  bool overwrite = false, unordered = false, answer = false, json = false, explain = false;
  int workers = 0;
  judge::JudgeOptions judge;
  CacheOptions cache;
  MachineOptions machine;
  WarmOptions warm;
};

judge::Submission read_submission(const VerifyCommandOptions& options) {
  if (options.candidate == "-" && options.task == "-")
    throw base::UserError("verify", "candidate and task cannot both come from the input; name a file for one of them");
  judge::Submission out;
  out.id = options.candidate;
  std::string text = read_source(options.candidate);
  if (options.candidate != "-") out.name = fs::path(options.candidate).filename().string();
  if (options.answer || is_answer(options.candidate, text)) {
    out.take_answer(text);
  } else {
    out.code = std::move(text);
  }
  if (options.task == "-") {
    out.task = {.id = "-", .source = read_source("-"), .entry_point = {}};
    if (out.task.source.find_first_not_of(" \t\r\n") == std::string::npos)
      throw base::UserError("task", "the input is empty; a task defines Model, get_inputs() and get_init_inputs()");
  } else {
    out.task = record::read_task(options.task);
  }
  out.task.entry_point = options.entry_point;
  return out;
}

Verdict verdict_of(const judge::Submission& submission, const VerifyCommandOptions& options) {
  JudgeSetting setting(options.judge, options.cache, options.machine);
  if (setting.cache && options.judge.device == "cpu") {  // a GPU has to be asked for its name first
    if (std::optional<Verdict> known = setting.cache->find(verdict_key(submission, setting.context))) return *known;
  }
  setting.replayer = in_background(std::move(setting.replayer));
  KeptJudge judge(setting, options.judge);
  judge::PoolOptions one;
  one.threads = 1;
  judge::Pool pool(judge, one);
  return pool.submit(submission).get();
}

int verify_one(const VerifyCommandOptions& options) {
  const judge::Submission submission = read_submission(options);
  const bool stays = options.warm.minutes > 0 && options.judge.device == "cpu";  // a GPU is others' too
  const Verdict verdict = stays ? judge_warm(submission, options.judge, options.cache, options.machine, options.warm)
                                : verdict_of(submission, options);
  if (options.json) {
    std::cout << to_json(verdict) << "\n";
  } else {
    print(options.explain ? explanation_text(verdict) : summary_text(verdict));
  }
  switch (verdict.kind) {
    case VerdictKind::kPassed:
      return kDone;
    case VerdictKind::kInfrastructure:
    case VerdictKind::kUnjudged:
      return kOurs;
    default:
      return kAnswerIsNo;
  }
}

std::uint64_t fresh_seed() {
  std::random_device random;
  return (std::uint64_t{random()} << 32) | random();
}

int verify_many(const VerifyCommandOptions& options) {
  const JudgeSetting setting(options.judge, options.cache, options.machine);
  BatchOptions batch;
  batch.in = options.batch;
  batch.out = options.out;
  batch.overwrite = options.overwrite;
  batch.unordered = options.unordered;
  batch.workers = options.workers;
  batch.fingerprint = base::sha256(setting.context.options);
  batch.seed = options.judge.seed.value_or(fresh_seed());
  batch.quiet = options.batch == "-" && options.out == "-";
  return verify_batch(batch, [&](std::uint64_t seed) -> std::unique_ptr<judge::Judge> {
    judge::JudgeOptions seeded = options.judge;
    // A stream never goes on, so its seeds can be fresh for each candidate.
    if (options.out != "-") seeded.seed = seed;
    return std::make_unique<KeptJudge>(setting, seeded);
  });
}

int verify(const VerifyCommandOptions& options) {
  check(options.judge);
  if (!options.batch.empty()) {
    if (options.out.empty())
      throw base::UserError("verify", "--batch needs --out: the file for the results, or - for the output");
    return verify_many(options);
  }
  if (options.candidate.empty())
    throw base::UserError("verify", "no candidate; name its file (- for the input), or pass --batch IN --out OUT");
  if (options.task.empty())
    throw base::UserError("verify", "no task; pass --task with a file that defines Model and get_inputs");
  return verify_one(options);
}

}  // namespace

void add_verify_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<VerifyCommandOptions>();
  CLI::App* command = app.add_subcommand("verify", "judge a candidate, or many, and say why");
  CLI::Option* candidate = command->add_option(
      "CANDIDATE", options->candidate, "Python file that defines ModelNew, or a model's answer; - reads the input");
  CLI::Option* task = command->add_option("--task", options->task,
                                          "the task: a file that defines Model, get_inputs and get_init_inputs, or -");
  command->add_option("--entry-point", options->entry_point, "the task's class (default: Model, or the last one)");
  command->add_flag("--answer", options->answer, "the candidate is a model's answer, whatever its file looks like");
  CLI::Option* json = command->add_flag("--json", options->json, "print the verdict as one line of JSON");
  CLI::Option* explain = command->add_flag("--explain", options->explain, "print all that was checked and found");
  explain->excludes(json);
  CLI::Option* batch =
      command->add_option("--batch", options->batch,
                          "JSON lines {\"id\", \"task\": path or source, \"answer\" or \"code\"}; - reads the input");
  command->add_option("--out", options->out, "results of --batch, one line each in the same order; - for the output")
      ->needs(batch);
  command->add_flag("--overwrite", options->overwrite, "replace the file of --out, whatever it holds")->needs(batch);
  command
      ->add_flag("--unordered", options->unordered,
                 "with --out -: write each result as soon as it is there, so that a slow one holds up no other")
      ->needs(batch);
  batch->excludes(candidate)->excludes(task)->excludes(json)->excludes(explain);
  command->add_option("--workers", options->workers, "candidates of a batch judged at once (default: two a core)")
      ->check(CLI::Range(1, 4096));
  declare(*command, options->judge);
  declare(*command, options->cache);
  declare(*command, options->machine);
  declare(*command, options->warm);
  command->callback([options, &exit_code] { exit_code = verify(*options); });
}

}  // namespace tritonrl::cli
