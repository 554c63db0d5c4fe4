#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"
#include "model/transformer.h"
#include "record/checkpoint_folder.h"
#include "train/optimizer.h"
#include "train/step_packer.h"
#include "weights/adapter_config.h"

namespace tritonrl::train {

// What a run needs beside weights and optimizer to go on as if nothing had happened: training_state.json. Random
// numbers are a function of seed and step, so there is no state of theirs.
struct TrainingState {
  std::int64_t step = 0;   // steps done
  std::int64_t steps = 0;  // of the whole run
  std::uint64_t seed = 0;
  StreamPosition data;
  std::int64_t tokens = 0, labelled = 0, examples = 0;  // so far
  double seconds = 0;                                   // of training so far
  std::string options;                                  // the key of all options and data that the result depends on
  void fields(base::FieldVisitor& field) {
    TRL_FIELDS(field, step, steps, seed, data, tokens, labelled, examples, seconds, options);
  }
};

// What is trained, as files hold it.
struct TrainedModel {
  const model::Transformer& model;
  std::optional<weights::AdapterConfig> adapter;  // none: all parameters
  std::filesystem::path tokenizer;                // folder with the tokenizer's files, which are copied
};

// Writes a folder beside `place`, syncs it, and puts it in its place; whoever looks sees all of it or nothing. Holds
// the adapter in PEFT's files or the model in Hugging Face's, the tokenizer, checkpoint.json with the SHA-256 of all,
// and with `optimizer` and `state` (JSON; empty: none) what a run needs to go on. UserError if it cannot be written.
void write_checkpoint(const std::filesystem::path& place, const TrainedModel& trained, const Optimizer* optimizer,
                      const std::string& state);

// What is wrong with a checkpoint: a file that is missing or is not what was written; empty: nothing.
std::string damage_of(const std::filesystem::path& folder);

// The newest checkpoint of a stage that is whole; those that are not are told to `warn`. UserError if there are some
// and none is whole. Looks at the mirror where the folder has none (empty: there is no mirror).
std::optional<std::filesystem::path> newest_checkpoint(const record::CheckpointFolder& checkpoints,
                                                       const std::string& stage, const std::filesystem::path& mirror,
                                                       const std::function<void(const std::string&)>& warn);

// The state that write_checkpoint was given. UserError names what is missing.
TrainingState read_state(const std::filesystem::path& folder);
template <base::HasFields State>
State read_state_as(const std::filesystem::path& folder);
// Puts the stored state in; parameters must already be those of the folder.
void read_optimizer(const std::filesystem::path& folder, Optimizer& optimizer, std::int64_t steps_done);

// Reads a checkpoint back as its users will and compares it with what is in memory. UserError if it does not load, is
// empty or differs: a stage that ends like this has failed.
void require_loadable(const std::filesystem::path& folder, const TrainedModel& trained);

// Removes all but the newest `keep` of a stage, and what an interrupted write left behind.
void remove_old(const record::CheckpointFolder& checkpoints, const std::string& stage, int keep);

// A copy of a checkpoint folder at the same place under `mirror`, put in its place as a whole.
void copy_checkpoint(const std::filesystem::path& folder, const std::filesystem::path& place);

std::filesystem::path state_file(const std::filesystem::path& folder);

template <base::HasFields State>
State read_state_as(const std::filesystem::path& folder) {
  const std::filesystem::path file = state_file(folder);
  base::Result<State> state = base::from_json<State>(base::read_file(file), file.string());
  if (!state.ok()) throw base::UserError("checkpoint", state.error());
  return std::move(state).value();
}

}  // namespace tritonrl::train
