#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/kept_judge.h"
#include "cli/model/model_candidates.h"
#include "cli/model/model_commands.h"
#include "cli/model/optimize_options.h"
#include "cli/stop_signals.h"
#include "cli/terminal_text.h"
#include "judge/replay.h"
#include "optimize/delivery.h"
#include "optimize/optimize.h"
#include "optimize/state_names.h"
#include "optimize/wording.h"
#include "program/target.h"

namespace tritonrl::cli {
namespace {

// 16-bit inputs go with parameters of their type, unless the user said otherwise.
void take_precision(OptimizeArguments& arguments, const CLI::App& command, const optimize::Subject& subject) {
  const std::string precision = optimize::common_precision(subject.inputs);
  if (!precision.empty() && command.get_option("--precision")->count() == 0) arguments.judge.precision = precision;
}

// The table, line by line while it is worked, and nothing where a program reads the output.
class Table {
 public:
  explicit Table(const OptimizeArguments& arguments) : silent_(arguments.json || arguments.quiet) {}

  void begin(const optimize::Subject& subject) {
    say(optimize::name_of(subject) + ", inputs " + subject.inputs_from +
        (subject.shown_inputs.empty() ? "" : ": " + subject.shown_inputs));
    if (subject.inputs_from == optimize::kFoundByTrial)
      say("note: times hold for these sizes; say your own by --input, such as --input 'f32[8,1024]'");
    say(optimize::table_head());
  }
  void say(const std::string& line) {
    if (silent_) return;
    print(line + "\n");
    std::cout << std::flush;
  }

 private:
  const bool silent_;
};

optimize::SubjectTools subject_tools(const python::RecorderOptions& machine, const program::Target& target,
                                     std::function<python::Recorder&()> recorder) {
  optimize::SubjectTools out;
  out.reader = std::make_unique<python::SyntaxReader>(python::SyntaxReaderOptions{
      .interpreter = machine.interpreter, .policy = machine.policy, .library = machine.library});
  out.recorder = std::move(recorder);
  out.target = &target;
  out.python_paths = machine.interpreter.paths;
  return out;
}

int finish(const OptimizeArguments& arguments, const optimize::Subject& subject, const optimize::Optimized& found,
           const optimize::Delivery& delivery, const std::string& other_state) {
  const optimize::Tried* best = found.best();
  const bool faster = best != nullptr && optimize::is_faster(best->verdict);
  const bool written = faster || (best != nullptr && arguments.search.even_slower);
  const std::string code = written ? optimize::delivered_code(subject, found, delivery, other_state) : "";
  base::Json proof = optimize::proof_json(subject, found, code, other_state);
  proof["file"] = written ? base::Json(delivery.code.string()) : base::Json();
  if (written) {
    base::write_file_atomically(delivery.code, code);
    base::write_file_atomically(delivery.proof, proof.dump(1) + "\n");
  }
  if (arguments.json) {
    print(proof.dump() + "\n");
  } else {
    std::string text = optimize::summary_text(subject, found);
    if (written) {
      text += "written: " + delivery.code.string() + ", its proof in " + delivery.proof.string() + "\n";
    } else if (best != nullptr) {
      text += "nothing was written; --even-slower writes it all the same\n";
    }
    print(text);
  }
  return written ? kDone : kAnswerIsNo;
}

int run_optimize(OptimizeArguments arguments, const CLI::App& command) {
  const auto began = std::chrono::steady_clock::now();
  // Whoever stops reading, and a sandboxed process that dies while we write to it, are outcomes.
  std::signal(SIGPIPE, SIG_IGN);
  complete(arguments, command);
  const program::Target& target = program::find_target(arguments.judge.target);
  python::RecorderOptions machine = recorder_options(arguments.machine);
  machine.preload_compiler = false;
  std::optional<python::Recorder> own;
  const auto recorder = [&]() -> python::Recorder& { return own ? *own : own.emplace(machine); };
  optimize::SubjectTools tools_of_subject = subject_tools(machine, target, recorder);
  const optimize::Subject subject = optimize::find_subject(arguments.subject, tools_of_subject);
  const optimize::Delivery delivery = optimize::delivery_of(subject, arguments.out);
  take_precision(arguments, command, subject);
  Table table(arguments);
  table.begin(subject);

  JudgeSetting setting(arguments.judge, arguments.cache, arguments.machine);
  setting.replayer = judge::in_background(std::move(setting.replayer));
  KeptJudge judge(setting, arguments.judge);
  python::SyntaxReader reader(
      {.interpreter = machine.interpreter, .policy = machine.policy, .library = machine.library});
  python::ExpressionTracer tracer(recorder(), target);
  const bool strict = arguments.judge.policy == "strict";
  const StopSignals signals;
  std::optional<ModelCandidates> model;
  optimize::OptimizeTools tools;
  tools.began = began;
  tools.judge = &judge;
  tools.teacher = [&](const record::Task& task) { return optimize::teacher_candidates(task, strict, reader, tracer); };
  if (arguments.asks_model()) {
    tools.model = [&](const record::Task& task, int first, int count,
                      const std::function<bool()>& over) -> std::vector<optimize::Candidate> {
      try {
        if (!model) {
          model.emplace(
              ModelCandidatesOptions{
                  .model = arguments.model, .remote = arguments.remote, .machine = arguments.machine, .strict = strict},
              task, recorder());
          if (!model->why_none().empty()) table.say("  model: " + model->why_none());
        }
        return model->answers(first, count, over);
      } catch (const base::UserError& error) {  // what was found without it stays
        std::cerr << "tritonrl: the model was not asked: " << error.what() << "\n";
        return {};
      }
    };
  }
  tools.stopped = [&] { return signals.received() != 0; };
  tools.tried = [&](const optimize::Tried& tried) { table.say(optimize::table_line(tried)); };
  tools.proven = [&](const optimize::RangeProof& proof) { table.say(optimize::table_line(proof)); };
  const optimize::Optimized found = optimize::optimize(subject, arguments.search, tools);
  const optimize::Tried* best = found.best();
  const std::string other_state =
      best == nullptr ? "" : optimize::other_state(found.task, best->candidate.code, recorder(), target);
  const int code = finish(arguments, subject, found, delivery, other_state);
  return signals.received() == 0 ? code : 128 + signals.received();
}

}  // namespace

void add_optimize_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<OptimizeArguments>();
  CLI::App* command = app.add_subcommand(
      "optimize", "A PyTorch module in, the fastest proven kernel out, as a file that stands alone.");
  declare(*command, *arguments);
  command->callback([arguments, command, &exit_code] { exit_code = run_optimize(*arguments, *command); });
}

}  // namespace tritonrl::cli
