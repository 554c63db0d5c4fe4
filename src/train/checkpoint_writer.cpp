#include "train/checkpoint_writer.h"

#include "base/error.h"

namespace tritonrl::train {

std::filesystem::path CheckpointWriter::save(std::int64_t step, const TrainedModel& trained, const Optimizer& optimizer,
                                             const std::string& state) const {
  const std::filesystem::path place = checkpoints_.step(stage_, step);
  write_checkpoint(place, trained, &optimizer, state);
  remove_old(checkpoints_, stage_, options_.keep);
  if (options_.mirror.empty()) return place;
  const record::CheckpointFolder mirror{options_.mirror};
  copy_to(mirror.step(stage_, step), place);
  remove_old(mirror, stage_, options_.keep);
  return place;
}

std::filesystem::path CheckpointWriter::finish(const TrainedModel& trained) const {
  const std::filesystem::path place = checkpoints_.final_of(stage_);
  write_checkpoint(place, trained, nullptr, "");
  require_loadable(place, trained);
  if (!options_.mirror.empty()) copy_to(record::CheckpointFolder{options_.mirror}.final_of(stage_), place);
  return place;
}

void CheckpointWriter::copy_to(const std::filesystem::path& place, const std::filesystem::path& folder) const {
  try {
    copy_checkpoint(folder, place);
  } catch (const base::UserError& error) {
    if (options_.say) options_.say("warning: the mirror got no copy: " + std::string(error.what()));
  }
}

}  // namespace tritonrl::train
