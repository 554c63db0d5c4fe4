#include "cli/model/rl_command.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/sha256.h"
#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/kept_judge.h"
#include "cli/model/answering_model.h"
#include "cli/model/companion_files.h"
#include "cli/model/evaluated_model.h"
#include "cli/model/memory_choice.h"
#include "cli/model/model_commands.h"
#include "cli/model/model_prompt.h"
#include "cli/model/prompt_options.h"
#include "cli/model/task_prompts.h"
#include "cli/stop_signals.h"
#include "cli/terminal_text.h"
#include "rl/explain.h"
#include "rl/learner/learner_ranks.h"
#include "rl/loop.h"
#include "rl/plan_tokens.h"
#include "train/checks.h"
#include "train/run_files.h"
#include "train/spot_notice.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRl = "rl";

base::Json ask_json(const text::AskOptions& ask) {
  return base::Json{{"chat", ask.chat}, {"raw", ask.raw}, {"system", ask.system}};
}

// The model as it is given: a base, and the adapter that it begins with where it is one.
struct Beginning {
  weights::ModelLocation base;
  fs::path adapter;                  // empty: a fresh one, or none
  weights::ModelLocation tokenizer;  // whose files say how it is asked
};

Beginning beginning_of(const std::string& model) {
  const ModelArguments given = with_base({.model = model});
  Beginning out{.base = locate_model(given.model), .adapter = given.adapter, .tokenizer = {}};
  const bool has_own = !given.adapter.empty() && fs::exists(fs::path(given.adapter) / "tokenizer.json");
  out.tokenizer = has_own ? weights::ModelLocation{weights::ModelLocation::Kind::kFolder, given.adapter} : out.base;
  return out;
}

std::unique_ptr<model::Transformer> load(const RlCommandOptions& options, const Beginning& beginning,
                                         const std::optional<fs::path>& from, weights::AdapterConfig& adapter) {
  const model::ModelOptions how = options.stage.model_options(options.eight_bit, options.all_parameters);
  if (options.all_parameters) {
    if (!beginning.adapter.empty())
      throw base::UserError("rl", options.model +
                                      " is an adapter; merge it into its base first (tritonrl merge), or "
                                      "leave out --all-parameters");
    const weights::ModelLocation place =
        from ? weights::ModelLocation{weights::ModelLocation::Kind::kFolder, *from} : beginning.base;
    return model::Transformer::load(weights::open_model(place), how);
  }
  auto model = model::Transformer::load(weights::open_model(beginning.base), how);
  adapter.base_model = model->name();
  const fs::path begun = from ? *from : beginning.adapter;
  if (begun.empty()) {
    model::add_adapter(*model, adapter, options.learner.train.seed);
  } else {
    model::LoadAdapterOptions going_on = adapter_options(/*any_base=*/false);
    going_on.trainable = true;
    adapter = model::load_adapter(*model, begun, going_on);
    adapter.base_model = model->name();
  }
  return model;
}

// Everything that the weights at the end depend on.
std::string key_of(const RlCommandOptions& options, const model::Transformer& model, const Beginning& beginning,
                   std::span<const evaluate::EvaluationTask> tasks) {
  base::Json key = base::Json::object();
  key["rl"] = base::Json::parse(base::field_key(options.rl));
  key["learner"] = base::Json::parse(base::field_key(options.learner));
  key["sampling"] = base::to_json(options.sampling);
  key["prompt"] = base::to_json(options.prompt);
  key["ask"] = ask_json(options.ask);
  key["judge"] = base::Json::parse(base::field_key(options.judge));
  key["machine"] = base::Json::parse(base::field_key(options.machine));
  key["tasks"] = evaluate::tasks_hash(tasks);
  key["dtype"] = c10::toString(model.dtype());
  key["eight_bit"] = options.eight_bit;
  // weights that are trained differ from round to round; those under an adapter must not
  key["base"] = options.all_parameters ? files_hash(beginning.base.path) : model.fingerprint();
  key["adapter"] = files_hash(beginning.adapter);
  if (!options.all_parameters) {
    weights::AdapterConfig nameless = options.adapter;
    nameless.base_model.clear();
    key["lora"] = weights::adapter_config_json(nameless);
  }
  return key.dump();
}

// What a fresh start removes must not be what it begins with.
void require_kept(const Beginning& beginning, const RlCommandOptions& options) {
  if (!options.stage.fresh) return;
  const record::CheckpointFolder checkpoints = options.stage.folder();
  for (const fs::path& input : {beginning.base.path, beginning.adapter}) {
    if (input.empty()) continue;
    for (const fs::path& gone : {checkpoints.final_of(kRl), checkpoints.stage(kRl)}) {
      const std::string inside = fs::weakly_canonical(input).string() + "/";
      if (inside.starts_with(fs::weakly_canonical(gone).string() + "/"))
        throw base::UserError("rl", "--fresh removes " + gone.string() +
                                        ", which is what this run begins with; pass other --checkpoints, or move it");
    }
  }
}

std::vector<rl::PoolTask> pool_of(std::span<const evaluate::EvaluationTask> tasks) {
  std::vector<rl::PoolTask> out;
  for (const evaluate::EvaluationTask& task : tasks) {
    if (task.degenerate.empty()) out.push_back({.task = task.task, .level = task.level});
  }
  if (out.size() < tasks.size())
    std::cerr << tasks.size() - out.size() << " of " << tasks.size()
              << " tasks have answers that are constant: right answers to them prove nothing, and they are not asked\n";
  return out;
}

record::RunManifest manifest_of_run(const RlCommandOptions& options, std::span<const evaluate::EvaluationTask> tasks) {
  base::Json all = base::to_json(options);
  all["ask"] = ask_json(options.ask);
  all["judge"] = base::to_json(options.judge);
  record::RunManifest manifest = manifest_of(options.stage, kRl, all);
  manifest.data["tasks"] = evaluate::tasks_hash(tasks);
  return manifest;
}

void check_given(const RlCommandOptions& options) {
  if (options.all_parameters && options.eight_bit)
    throw base::UserError("rl", "--eight-bit weights are frozen; leave out --all-parameters or --eight-bit");
  if (options.tasks.source.empty() && options.tasks.teacher.generate == 0)
    throw base::UserError("rl", "no tasks; pass --tasks FOLDER (KernelBench, modules, prepared data) or --generate N");
  if (!options.rollouts.empty() && !generate::is_server_address(options.rollouts))
    throw base::UserError("rl", "--rollouts " + options.rollouts + " is no address; write http://HOST:PORT");
  if (!options.rollouts.empty() && options.all_parameters)
    throw base::UserError("rl",
                          "--rollouts: a server takes adapters while it runs, not all parameters; leave out "
                          "--all-parameters");
  if (!options.judge.without.empty())
    throw base::UserError("rl",
                          "--without switches protections of the judge off to see what they are for; a model would "
                          "learn to do what they stop. Leave it out");
  rl::check(options.rl);
  check(options.judge);
}

fs::path run_folder(const RlCommandOptions& options) {
  return options.stage.runs / (options.stage.name.empty() ? kRl : options.stage.name);
}

int explain(const RlCommandOptions& options) {
  const track::Ledger ledger = track::Ledger::existing(run_folder(options) / "ledger.sqlite");
  print(rl::explain_task(ledger, options.explain));
  return kDone;
}

// The command's work, once all is known to be good.
int run(const RlCommandOptions& given, train::Communicator& processes) {
  RlCommandOptions options = given;
  const bool first = processes.first();
  std::signal(SIGPIPE, SIG_IGN);
  const Beginning beginning = beginning_of(options.model);
  const weights::ModelConfig config = weights::open_model(beginning.base).config;
  const auto planned = options.all_parameters ? std::nullopt : std::optional(options.adapter);
  settle_memory(options.stage, config, planned, options.eight_bit, options.learner.train, /*tell=*/first);
  options.stage.dtype = dtype_name(options.stage);
  train::check(options.learner.train);
  ShownTasks::limit(options.prompt, options.sampling);
  require_kept(beginning, options);
  const std::vector<evaluate::EvaluationTask> tasks = evaluate::read_tasks(options.tasks);
  const text::ModelText text = weights::open_tokenizer(beginning.tokenizer);
  TaskFacts facts(options.machine);
  TaskPrompts prompts(options.prompt, options.ask, text, facts, options.judge.policy == "strict");
  const std::int64_t context = std::min(config.max_position_embeddings, options.learner.train.longest);
  const std::vector<rl::PoolTask> pool = pool_of(tasks);

  // all that was given is known to be good: what an earlier run left may go
  const fs::path mirror = options.learner.train.mirror;
  // ranks behind the first keep a round at a time, for it
  const fs::path folder =
      first ? run_folder(options) : run_folder(options) / ("rank_" + std::to_string(processes.rank()));
  if (first) clear_stage(options.stage, kRl, mirror);
  if (options.stage.fresh || !first) {
    for (const char* name : {"", "-wal", "-shm"}) fs::remove(folder / (std::string("ledger.sqlite") + name));
  }
  processes.barrier();
  const std::optional<fs::path> from = stage_start(options.stage, kRl, mirror);
  weights::AdapterConfig adapter = options.adapter;
  const auto model = load(options, beginning, from, adapter);
  std::optional<rl::RlState> state;
  if (from) state = train::read_state_as<rl::RlState>(*from);
  track::Ledger ledger(folder / "ledger.sqlite");
  const std::string key = key_of(options, *model, beginning, tasks);
  if (first) rl::require_one_run(ledger, state, key);  // before files of an earlier run are written over

  const fs::path tokenizer = tokenizer_folder(options.stage, kRl);
  record::RunManifest manifest = manifest_of_run(options, tasks);
  std::optional<train::RunFiles> files;
  if (first) {
    write_companions(beginning.tokenizer, config, options.all_parameters ? Companions::kAll : Companions::kTokenizer,
                     tokenizer);
    write_prompt_file(tokenizer, options.prompt);  // whoever asks the result asks as it was trained
    files.emplace(folder, state ? state->round : 0);
    manifest.started = from ? files->started().value_or(train::utc_now()) : train::utc_now();
    files->manifest(manifest);
  }
  processes.barrier();
  const auto say = [&](const std::string& line) {
    if (!files) return;
    files->log(line);
    std::cerr << line << "\n";
  };
  rl::PolicyLearner learner(options.learner, options.rl.method,
                            {.model = *model,
                             .adapter = options.all_parameters ? std::nullopt : std::optional(adapter),
                             .tokenizer = tokenizer,
                             .checkpoints = options.stage.folder(),
                             .ranks = processes,
                             .stage = kRl,
                             .say = say},
                            from);
  const std::unique_ptr<generate::Generator> answering = answering_model(options, *model, adapter, text, context, say);
  if (model->options().device.is_cuda() && options.judge.device != "cpu" && options.rl.overlap) {
    options.rl.overlap = false;
    say("answers are judged when all of a round are there, since a GPU that writes answers would disturb the times");
  }
  const JudgeSetting setting(options.judge, options.cache, options.machine);
  KeptJudge judge(setting, options.judge);
  const train::SpotNotice notice(options.learner.train.spot_notice,
                                 [&](const std::string& problem) { std::cerr << "warning: " << problem << "\n"; });
  const bool by_plans = options.prompt.act == text::PromptAct::kPlan;
  say(by_plans ? "answers are plans, which the teacher lowers to code: rewards are of model and teacher together"
               : "answers are code: rewards are of the model alone");
  const StopSignals signals;
  const auto began = std::chrono::steady_clock::now();
  const double minutes = options.learner.train.stop_after_minutes;
  const auto stopped = [&] {
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - began;
    return signals.received() != 0 || notice.came() || (minutes > 0 && gone.count() > 60 * minutes);
  };
  rl::LearnerRanks ranks(processes, model->options().device);
  const rl::RlRun all{
      .options = options.rl,
      .seed = options.learner.train.seed,
      .options_key = key,
      .pool = pool,
      .tools = {.generator = *answering,
                .judge = judge,
                .sampling = options.sampling,
                .ask = [&](const record::Task& task) -> std::optional<text::AskedPrompt> {
                  const text::AskedPrompt& prompt = prompts.add(task);
                  // half of the answers that may come must have room: others would only be cut off
                  const auto length = static_cast<std::int64_t>(prompt.tokens.size());
                  if (length + options.sampling.max_new_tokens / 2 > context) return std::nullopt;
                  return prompt;
                },
                .restore = [&](const record::Task& task,
                               std::string answer) { return prompts.restored(task.id, std::move(answer)); },
                .stopped = stopped},
      .learner = learner,
      .ledger = ledger,
      .ranks = &ranks,
      .from = first ? state : std::nullopt,
      .plan_tokens =
          [&](const record::Sample& sample) {
            return by_plans ? static_cast<std::int64_t>(sample.tokens.size())
                            : rl::plan_tokens(text.tokenizer, sample.tokens);
          },
      .metrics =
          [&](std::int64_t round, const track::Numbers& numbers) {
            files->metrics({.step = round, .values = {numbers.begin(), numbers.end()}});
            files->sync();
          },
      .say = say};
  const rl::RlOutcome outcome = rl::run_rl(all);
  if (!outcome.finished) {
    say("stopped after round " + std::to_string(outcome.rounds) + "; the same command goes on from there");
    return 128 + (signals.received() != 0 ? signals.received() : SIGTERM);
  }
  if (!first) return kDone;
  manifest.finished = train::utc_now();
  files->manifest(manifest);
  say("finished after " + std::to_string(outcome.rounds) + " rounds: " + outcome.result.string());
  return kDone;
}

}  // namespace

RlCommandOptions::RlCommandOptions() {
  tasks.split = "train";
  sampling.max_new_tokens = 2048;
  learner.train.epochs = 1;
  learner.train.schedule.learning_rate = 5e-5;
  learner.train.schedule.warmup = 0;
  // what is right at its own sizes alone, and what torch does for the candidate, earn less in training
  judge.require_general = true;
  judge.weigh_by_work = true;
}

void RlCommandOptions::fields(base::FieldVisitor& field) {
  field("model", model,
        {.help = "folder in Hugging Face's layout, .gguf file, owner/name on the hub, or the folder of an adapter that "
                 "names its base (default: what `sft` left)"});
  field("all_parameters", all_parameters, {.help = "train all parameters instead of a LoRA adapter"});
  field("eight_bit", eight_bit, {.help = "hold the frozen linear layers as int8 with a scale a row"});
  field("lora_r", adapter.r, {.help = "rank of a fresh adapter", .least = 1});
  field("lora_alpha", adapter.alpha, {.help = "its change is scaled by alpha / r", .least = 0});
  field("target_modules", adapter.target_modules, {.help = "matrices that get an adapter"});
  tasks.fields(field);
  prompt.fields(field);
  sampling.fields(field);
  field("slots", slots, {.help = "samples that grow at once", .least = 1, .most = 4096});
  field("rollouts", rollouts,
        {.help = "address of a server that answers in place of the model that is trained (vLLM with --enable-lora and "
                 "VLLM_ALLOW_RUNTIME_LORA_UPDATING=True); it gets the adapter after each update"});
  field("served_model", remote.served,
        {.help = "with --rollouts: the base model's name there (default: the only one)"});
  field("connections", remote.connections,
        {.help = "with --rollouts: requests on their way at once", .least = 1, .most = 1024});
  field("handover", handover,
        {.help = "with --rollouts: folder by which the server gets adapters (default: below the checkpoints)"});
  rl.fields(field);
  learner.fields(field);
  stage.fields(field);
}

int run_rl_stage(const RlCommandOptions& given) {
  if (!given.explain.empty()) return explain(given);
  RlCommandOptions options = given;
  check_given(options);
  if (options.model.empty()) {
    const fs::path tuned = options.stage.folder().final_of("sft");
    if (!fs::exists(tuned))
      throw base::UserError("rl",
                            "no model: pass --model, or fine-tune one first (there is no " + tuned.string() + ")");
    options.model = tuned.string();
  }
  options.tasks.seed = options.learner.train.seed;
  if (options.stage.dry_run) {
    const auto adapter = options.all_parameters ? std::nullopt : std::optional(options.adapter);
    const weights::ModelConfig config = locate_config(with_base({.model = options.model}).model);
    return settle_memory(options.stage, config, adapter, options.eight_bit, options.learner.train, /*tell=*/true)
               ? kDone
               : kAnswerIsNo;
  }
  return with_ranks(options.stage, [&](train::Communicator& ranks) { return run(options, ranks); });
}

void add_rl_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RlCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "rl", "reinforce a model on tasks by executed rewards: best-of-N or GRPO; goes on where it was stopped");
  declare_beside_model(*command, options->judge);
  declare_fields(*command, *options);
  declare(*command, options->ask);
  declare(*command, options->cache);
  declare(*command, options->machine);
  command->add_option("--explain", options->explain,
                      "print what became of this task in the run: its answers, verdicts and what was learnt from");
  command->callback([options, command, &exit_code] {
    const std::string model =
        options->model.empty() ? options->stage.folder().final_of("sft").string() : options->model;
    take_prompt_of(model, *command, options->prompt);
    exit_code = run_rl_stage(*options);
  });
}

}  // namespace tritonrl::cli
