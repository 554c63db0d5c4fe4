#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/model/model_candidates.h"
#include "cli/model/model_commands.h"
#include "cli/model/optimize_batch.h"
#include "cli/model/optimize_options.h"
#include "cli/model/optimize_survey.h"
#include "cli/model/optimizer.h"
#include "cli/stop_signals.h"
#include "cli/terminal_text.h"
#include "optimize/delivery.h"
#include "optimize/wording.h"

namespace tritonrl::cli {
namespace {

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

int finish(const OptimizeArguments& arguments, const optimize::Subject& subject, const optimize::Optimized& found,
           const optimize::Delivery& delivery, const std::string& other_state) {
  const optimize::Tried* best = found.best();
  const bool written = optimize::is_delivered(found, arguments.search);
  const base::Json proof = optimize::deliver(subject, found, arguments.search, delivery, other_state);
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

int run_one(const OptimizeArguments& arguments, const CLI::App& command) {
  const auto began = std::chrono::steady_clock::now();
  Optimizer optimizer(arguments, command.get_option("--precision")->count() > 0);
  const optimize::Subject subject = optimizer.find(arguments.subject);
  const optimize::Delivery delivery = optimize::delivery_of(subject, arguments.out);
  Table table(arguments);
  table.begin(subject);

  const StopSignals signals;
  std::optional<ModelCandidates> model;
  optimize::OptimizeTools tools;
  tools.began = began;
  if (arguments.asks_model()) {
    tools.model = [&](const record::Task& task, int first, int count,
                      const std::function<bool()>& over) -> std::vector<optimize::Candidate> {
      try {
        if (!model) {
          model.emplace(ModelCandidatesOptions{.model = arguments.model,
                                               .remote = arguments.remote,
                                               .machine = arguments.machine,
                                               .strict = optimizer.strict()},
                        task, optimizer.recorder());
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
  const optimize::Optimized found = optimizer.run(subject, tools);
  const int code = finish(arguments, subject, found, delivery, optimizer.other_state(found));
  return signals.received() == 0 ? code : 128 + signals.received();
}

}  // namespace

void add_optimize_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<OptimizeArguments>();
  CLI::App* command = app.add_subcommand(
      "optimize", "A PyTorch module in, the fastest proven kernel out, as a file that stands alone.");
  declare(*command, *arguments);
  command->callback([arguments, command, &exit_code] {
    // Whoever stops reading, and a sandboxed process that dies while we write to it, are outcomes.
    std::signal(SIGPIPE, SIG_IGN);
    complete(*arguments, *command);
    if (arguments->survey) {
      exit_code = run_survey(*arguments, *command);
    } else {
      const bool several = !arguments->batch.in.empty();
      exit_code = several ? run_batch(*arguments, *command) : run_one(*arguments, *command);
    }
  });
}

}  // namespace tritonrl::cli
