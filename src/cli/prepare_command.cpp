#include <malloc.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>

#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/find_model.h"
#include "cli/hub_environment.h"
#include "cli/interpreter_libraries.h"
#include "cli/kept_judge.h"
#include "cli/prepare_options.h"
#include "cli/stop_signals.h"
#include "data/prepare/example_source.h"
#include "hub/hub.h"
#include "judge/version.h"
#include "record/training_pair.h"
#include "text/tokenizer/frequent_fragments.h"
#include "weights/model_files.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

// A data set often holds the same rows as parquet and as JSON: the smaller one is enough.
fs::path fetch_data_set(const std::string& id) {
  const hub::Repository repository{.kind = hub::Repository::Kind::kDataset, .id = id};
  const hub::HubOptions options = hub_from_environment();
  if (data::reads_parquet())
    return hub::fetch_chosen(repository, hub::choose_dataset_files, options, transfer_on_stderr());
  const auto is_json = [](const std::string& file) {
    return hub::is_dataset_file(file) && !file.ends_with(".parquet");
  };
  return hub::fetch(repository, is_json, options, transfer_on_stderr());
}

std::vector<fs::path> find_sources(std::vector<std::string> names, const data::TeacherOptions& teacher) {
  if (teacher.generate > 0) return {};
  if (names.empty()) names.emplace_back(kKernelBook);
  std::vector<fs::path> out;
  for (const std::string& name : names) {
    std::error_code ignored;
    const bool of_hub =
        !fs::exists(name, ignored) && name.find('/') != std::string::npos && hub::is_repository_id(name);
    out.push_back(of_hub ? fetch_data_set(name) : fs::path(name));
  }
  return out;
}

// What the run needs, made when it is first asked for: recorder and judge take seconds to start.
class Workshop {
 public:
  explicit Workshop(const PrepareArguments& arguments) : arguments_(arguments) {}

  data::PrepareTools tools() {
    data::PrepareTools out;
    if (arguments_.prepare.teacher.generate > 0) {  // nothing is read, so that Python is needed to verify alone
      out.target = &program::find_target(arguments_.judge.target);
      finish(out);
      return out;
    }
    const python::RecorderOptions machine = recorder_options(arguments_.machine);
    out.python_paths = machine.interpreter.paths;
    out.make_reader = [machine] {
      python::SyntaxReaderOptions options{
          .interpreter = machine.interpreter, .policy = machine.policy, .library = machine.library};
      return std::make_unique<python::SyntaxReader>(options);
    };
    out.recorder = [this, machine]() -> python::Recorder& {
      std::call_once(recorder_made_, [&] { recorder_.emplace(machine); });
      return *recorder_;
    };
    out.target = &program::find_target(arguments_.judge.target);
    finish(out);
    return out;
  }

 private:
  void finish(data::PrepareTools& out) {
    if (arguments_.verify) {
      out.verify = [this](const data::Example& example) { return verify(example); };
      base::Json key = base::Json::parse(base::field_key(arguments_.judge));
      key["judge_version"] = judge::judge_version();
      out.verify_key = key.dump();
    }
    if (!arguments_.tokenizer.empty()) use_tokenizer(out);
  }

  // One for each policy: what the teacher writes is judged by the policy that it was written for.
  struct PolicyJudge {
    std::once_flag made;
    std::optional<JudgeSetting> setting;
    std::optional<KeptJudge> judge;
  };

  KeptJudge& judge_for(const std::string& policy) {
    judge::JudgeOptions options = arguments_.judge;
    if (!policy.empty()) options.policy = policy;
    PolicyJudge& kept = options.policy == "strict" ? strict_ : kernelbench_;
    std::call_once(kept.made, [&] {
      kept.setting.emplace(options, arguments_.cache, arguments_.machine);
      kept.judge.emplace(*kept.setting, options);
    });
    return *kept.judge;
  }

  data::Checked verify(const data::Example& example) {
    judge::Submission submission;
    submission.id = example.id;
    submission.task = {.id = example.id, .source = example.pytorch_code, .entry_point = example.entry_point};
    submission.code = example.solution;
    judge::Judge& judge = judge_for(example.policy);  // not below: a machine that cannot judge is no fault of the task
    try {
      const record::Verdict verdict = judge.judge(submission);
      return {verdict.kind == record::VerdictKind::kPassed, std::string(to_string(verdict.kind)), verdict.message};
    } catch (const base::UserError& error) {
      return {false, "bad_task", error.what()};
    }
  }

  void use_tokenizer(data::PrepareTools& tools) {
    const fs::path folder = arguments_.tokenizer;
    const weights::ModelLocation location =
        fs::exists(folder / "tokenizer.json")
            ? weights::ModelLocation{.kind = weights::ModelLocation::Kind::kFolder, .path = folder}
            : find_model(arguments_.tokenizer, hub_from_environment());
    tokenizer_.emplace(weights::open_tokenizer(location).tokenizer);
    tools.count_tokens = [this](std::string_view text) {
      return static_cast<std::int64_t>(tokenizer_->encode(text).size());
    };
    tools.token_unit = folder.filename().string();
  }

  const PrepareArguments& arguments_;
  std::once_flag recorder_made_;
  std::optional<python::Recorder> recorder_;
  PolicyJudge kernelbench_, strict_;
  std::optional<text::Tokenizer> tokenizer_;
};

// Left to itself glibc raises the size from which on memory is given back, and gives each thread an arena: batches of
// rows then leave holes, and memory creeps with their number.
void keep_memory_steady() {
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  ::mallopt(M_ARENA_MAX, 2);
}

int write_hashes(const PrepareArguments& arguments, const data::PrepareOptions& options,
                 const data::PrepareTools& tools) {
  base::write_file_atomically(arguments.write_hashes, data::benchmark_hashes_text(options, tools));
  return kDone;
}

void write_fragments(const std::string& file, const record::DataFolder& out) {
  std::ifstream in(out.pairs(record::Split::kTrain));
  std::vector<std::string> prompts, answers;
  for (std::string line; std::getline(in, line);) {
    base::Result<record::TrainingPair> pair = record::training_pair_from_json(line);
    if (!pair.ok()) continue;
    prompts.push_back(pair.value().instruction);
    answers.push_back(pair.value().output);
  }
  base::Json fragments = base::Json::array();
  for (std::string& fragment : text::frequent_fragments(answers, prompts)) fragments.push_back(std::move(fragment));
  base::write_file_atomically(file, fragments.dump() + "\n");
}

int run_prepare(PrepareArguments arguments) {
  keep_memory_steady();
  arguments.judge.policy = arguments.policy == "strict" ? "strict" : "kernelbench";  // of solutions that were found
  check(arguments.judge);
  data::PrepareOptions options = prepare_options(arguments);
  options.sources = find_sources(arguments.sources, options.teacher);
  if (!options.sources.empty()) load_arrow(arguments.machine);
  Workshop workshop(arguments);
  data::PrepareTools tools = workshop.tools();

  using Style = base::ProgressOptions::Style;
  base::ProgressOptions shown;
  shown.label = "rows";
  shown.total = data::open_examples(options, tools)->total();
  shown.style = arguments.quiet ? Style::kSilent : Style::kAuto;
  base::Progress progress(shown);
  StopSignals signals;
  tools.stopped = [&] { return signals.received() != 0; };
  tools.row_done = [&](const std::string& kind) { progress.add(kind); };
  tools.rows_done_earlier = [&](std::int64_t rows) {
    progress.say("tritonrl: going on behind row " + std::to_string(rows) + " of an unfinished run");
    for (std::int64_t i = 0; i < rows; ++i) progress.add_earlier("earlier");
  };
  if (!arguments.write_hashes.empty()) return write_hashes(arguments, options, tools);

  if (::isatty(STDERR_FILENO) == 1) progress.show();  // a judge may take long over the first row
  const data::PrepareOutcome outcome = data::prepare(options, tools);
  progress.finish();
  if (!outcome.complete) {
    std::cerr << "tritonrl: stopped; the same command goes on\n";
    return 128 + signals.received();
  }
  if (!arguments.write_fragments.empty()) write_fragments(arguments.write_fragments, options.out);
  std::cout << (arguments.json ? to_json(outcome.statistics) + "\n" : to_text(outcome.statistics));
  return kDone;
}

}  // namespace

void add_prepare_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<PrepareArguments>();
  CLI::App* command = app.add_subcommand(
      "prepare", "From KernelBook, KernelBench or a folder of modules to training data: filtered, labelled, split.");
  declare(*command, *arguments);
  command->callback([arguments, &exit_code] { exit_code = run_prepare(*arguments); });
}

}  // namespace tritonrl::cli
