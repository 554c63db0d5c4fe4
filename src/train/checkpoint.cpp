#include "train/checkpoint.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <fcntl.h>
#include <unistd.h>

#include <map>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/unique_fd.h"
#include "model/adapter.h"
#include "model/save_model.h"
#include "model/stored_tensor.h"
#include "weights/mapped_file.h"
#include "weights/model_files.h"
#include "weights/safetensors.h"

namespace tritonrl::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "checkpoint.json";
constexpr const char* kState = "training_state.json";
constexpr const char* kOptimizer = "optimizer.safetensors";
constexpr const char* kAside = ".part";  // at the end of a folder that is being written
constexpr const char* kOld = ".old";     // of one that is being replaced

[[noreturn]] void refuse(const std::string& message) {
  throw base::UserError("checkpoint", message);
}

void sync(const fs::path& path) {
  const base::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0) refuse(base::system_message("cannot sync " + path.string()));
}

std::string hash_of(const fs::path& file) {
  if (fs::file_size(file) == 0) return base::sha256("");
  const auto mapped = weights::MappedFile::open(file);
  return base::sha256({reinterpret_cast<const char*>(mapped->bytes().data()), mapped->bytes().size()});
}

// Everything that lies in the folder, and syncs it.
void write_manifest(const fs::path& folder) {
  base::Json files = base::Json::object();
  std::map<std::string, fs::path> sorted;
  for (const auto& entry : fs::directory_iterator(folder)) sorted[entry.path().filename().string()] = entry.path();
  for (const auto& [name, path] : sorted) {
    files[name] = base::Json{{"bytes", static_cast<std::uint64_t>(fs::file_size(path))}, {"sha256", hash_of(path)}};
    sync(path);
  }
  base::write_file_atomically(folder / kManifest, base::Json{{"files", files}}.dump(2) + "\n");
  sync(folder);
}

// A folder that is whole takes the place of whatever is there.
void put_in_place(const fs::path& aside, const fs::path& place) {
  const fs::path old = place.string() + kOld;
  std::error_code problem;
  fs::remove_all(old, problem);
  if (fs::exists(place)) fs::rename(place, old, problem);
  if (problem) refuse("cannot replace " + place.string() + ": " + problem.message());
  fs::rename(aside, place, problem);
  if (problem) refuse("cannot write " + place.string() + ": " + problem.message());
  sync(place.parent_path());
  fs::remove_all(old, problem);
}

fs::path fresh_aside(const fs::path& place) {
  const fs::path aside = place.string() + kAside;
  std::error_code problem;
  fs::remove_all(aside, problem);
  fs::create_directories(aside, problem);
  if (problem) refuse("cannot make the folder " + aside.string() + ": " + problem.message());
  return aside;
}

void write_optimizer(const fs::path& file, const Optimizer& optimizer) {
  std::vector<weights::TensorToWrite> tensors;
  for (const model::NamedTensor& named : optimizer.state())
    tensors.push_back(model::to_write(named.name, named.tensor));
  weights::write_safetensors(file, tensors);
}

void require_equal(const at::Tensor& stored, const at::Tensor& own, const std::string& name, const fs::path& folder) {
  if (!at::equal(stored, own.detach().to(at::kCPU)))
    refuse(folder.string() + ": " + name + " is not what was trained; the disk or memory of this machine is at fault");
}

void require_same_adapter(const fs::path& folder, const TrainedModel& trained) {
  const fs::path config_file = folder / "adapter_config.json";
  const weights::AdapterConfig config =
      weights::parse_adapter_config(base::read_file(config_file), config_file.string());
  const auto files = weights::open_safetensors(folder / "adapter_model.safetensors");
  const std::vector<model::NamedTensor> own = model::adapter_parameters(trained.model);
  if (own.empty() || files->list().size() != own.size() || config.r != trained.adapter->r)
    refuse(folder.string() + " holds " + std::to_string(files->list().size()) + " tensors of an adapter with " +
           std::to_string(own.size()));
  bool changed = false;
  for (const model::NamedTensor& parameter : own) {
    require_equal(model::as_tensor(files->load(parameter.name)), parameter.tensor, parameter.name, folder);
    changed |= parameter.name.find("lora_B") != std::string::npos && parameter.tensor.abs().max().item<float>() > 0;
  }
  if (!changed) refuse(folder.string() + " holds an adapter that changes nothing: all its lora_B are zero");
}

void require_same_model(const fs::path& folder, const TrainedModel& trained) {
  const weights::ModelFiles files = weights::open_model({weights::ModelLocation::Kind::kFolder, folder});
  const std::vector<model::StoredWeight> own = trained.model.stored_weights();
  if (own.empty() || files.tensors->list().size() != own.size())
    refuse(folder.string() + " holds " + std::to_string(files.tensors->list().size()) + " tensors of a model with " +
           std::to_string(own.size()));
  for (const model::StoredWeight& weight : own)
    require_equal(model::as_tensor(files.tensors->load(weight.name)), weight.value(), weight.name, folder);
}

}  // namespace

void write_checkpoint(const fs::path& place, const TrainedModel& trained, const Optimizer* optimizer,
                      const std::string& state) {
  const at::NoGradGuard no_grad;
  const fs::path aside = fresh_aside(place);
  if (trained.adapter) {
    model::save_adapter(trained.model, *trained.adapter, aside);
  } else {
    model::save_model(trained.model, aside);
  }
  for (const auto& entry : fs::directory_iterator(trained.tokenizer))
    base::write_file_atomically(aside / entry.path().filename(), base::read_file(entry.path()));
  if (optimizer != nullptr) write_optimizer(aside / kOptimizer, *optimizer);
  if (!state.empty()) base::write_file_atomically(state_file(aside), state);
  write_manifest(aside);
  put_in_place(aside, place);
}

std::string damage_of(const fs::path& folder) {
  const fs::path manifest = folder / kManifest;
  if (!fs::is_regular_file(manifest)) return "it has no " + std::string(kManifest);
  const std::optional<base::Json> json = base::Json::try_parse(base::read_file(manifest));
  const base::Json* const files = json ? json->find("files") : nullptr;
  if (files == nullptr || !files->is_object() || files->empty()) return std::string(kManifest) + " lists no files";
  for (const base::Json::Member& member : files->items()) {
    const fs::path file = folder / fs::path(member.name).filename();
    if (!fs::is_regular_file(file)) return member.name + " is missing";
    if (const base::Json* bytes = member.value.find("bytes");
        bytes == nullptr || !bytes->is_number_unsigned() || fs::file_size(file) != bytes->natural())
      return member.name + " has another length than what was written";
    if (const base::Json* hash = member.value.find("sha256");
        hash == nullptr || !hash->is_string() || hash_of(file) != hash->text())
      return member.name + " has other bytes than what was written";
  }
  return "";
}

std::optional<fs::path> newest_checkpoint(const record::CheckpointFolder& checkpoints, const std::string& stage,
                                          const fs::path& mirror, const std::function<void(const std::string&)>& warn) {
  bool damaged = false;
  std::vector<record::CheckpointFolder> places = {checkpoints};
  if (!mirror.empty()) places.push_back({mirror});
  for (const record::CheckpointFolder& place : places) {
    const std::vector<std::int64_t> steps = place.steps(stage);
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      const fs::path folder = place.step(stage, *step);
      const std::string problem = damage_of(folder);
      if (problem.empty()) return folder;
      warn(folder.string() + " cannot be used: " + problem);
      damaged = true;
    }
  }
  if (damaged)
    refuse("no checkpoint of " + checkpoints.stage(stage).string() +
           " is whole; restore one from elsewhere, or start anew with --fresh");
  return std::nullopt;
}

fs::path state_file(const fs::path& folder) {
  return folder / kState;
}

TrainingState read_state(const fs::path& folder) {
  return read_state_as<TrainingState>(folder);
}

void read_optimizer(const fs::path& folder, Optimizer& optimizer, std::int64_t steps_done) {
  const at::NoGradGuard no_grad;
  const auto files = weights::open_safetensors(folder / kOptimizer);
  const std::vector<model::NamedTensor> state = optimizer.state();
  if (files->list().size() != state.size())
    refuse(files->where() + " has " + std::to_string(files->list().size()) + " tensors, this run has " +
           std::to_string(state.size()) + "; it was made with another optimizer or other parameters");
  for (const model::NamedTensor& named : state) {
    if (files->find(named.name) == nullptr) refuse(files->where() + " has no tensor " + named.name);
    const at::Tensor stored = model::as_tensor(files->load(named.name));
    if (stored.sizes() != named.tensor.sizes()) refuse(files->where() + ": " + named.name + " has another shape");
    named.tensor.copy_(stored);
  }
  optimizer.resume(steps_done);
}

void require_loadable(const fs::path& folder, const TrainedModel& trained) {
  if (const std::string problem = damage_of(folder); !problem.empty()) refuse(folder.string() + ": " + problem);
  if (trained.adapter) {
    require_same_adapter(folder, trained);
  } else {
    require_same_model(folder, trained);
  }
  weights::open_tokenizer({weights::ModelLocation::Kind::kFolder, folder});
}

void remove_old(const record::CheckpointFolder& checkpoints, const std::string& stage, int keep) {
  std::error_code ignored;  // what cannot be removed now is tried again next time
  const std::vector<std::int64_t> steps = checkpoints.steps(stage);
  for (std::size_t i = 0; i + static_cast<std::size_t>(keep) < steps.size(); ++i)
    fs::remove_all(checkpoints.step(stage, steps[i]), ignored);
  for (const auto& entry : fs::directory_iterator(checkpoints.stage(stage), ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(kAside) || name.ends_with(kOld)) fs::remove_all(entry.path(), ignored);
  }
}

void copy_checkpoint(const fs::path& folder, const fs::path& place) {
  const fs::path aside = fresh_aside(place);
  std::error_code problem;
  fs::copy(folder, aside, fs::copy_options::recursive | fs::copy_options::overwrite_existing, problem);
  if (problem) refuse("cannot copy " + folder.string() + " to " + place.string() + ": " + problem.message());
  for (const auto& entry : fs::directory_iterator(aside)) sync(entry.path());
  sync(aside);
  put_in_place(aside, place);
}

}  // namespace tritonrl::train
