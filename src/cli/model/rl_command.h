#pragma once

#include <filesystem>
#include <string>

#include "cli/judge_options.h"
#include "cli/machine.h"
#include "cli/model/remote_model.h"
#include "cli/model/stage_run.h"
#include "evaluate/task_set.h"
#include "generate/generator.h"
#include "rl/learner/policy_learner.h"
#include "rl/options.h"
#include "text/model_text.h"
#include "text/prompt.h"
#include "weights/adapter_config.h"

namespace tritonrl::cli {

// Reinforcement learning of a model on tasks that the judge decides.
struct RlCommandOptions {
  std::string model;  // empty: what fine-tuning left
  bool all_parameters = false, eight_bit = false;
  weights::AdapterConfig adapter;
  evaluate::TaskOptions tasks;
  text::PromptOptions prompt;
  generate::SamplingOptions sampling;
  int slots = 32;
  std::string rollouts;  // a server's address: it answers, in place of the model that is trained
  RemoteArguments remote;
  std::filesystem::path handover;  // where the server finds adapters; empty: below the checkpoints
  rl::RlOptions rl;
  rl::LearnerOptions learner;
  StageOptions stage;
  // Declared by themselves, since the model has a device and the run a seed of their own.
  text::AskOptions ask;
  judge::JudgeOptions judge;
  CacheOptions cache;
  MachineOptions machine;
  std::string explain;  // a task: what became of it, and nothing else

  RlCommandOptions();
  void fields(base::FieldVisitor& field);
};

// The program's exit code. When it is 0, checkpoints/rl_final is there and loads.
int run_rl_stage(const RlCommandOptions& options);

}  // namespace tritonrl::cli
