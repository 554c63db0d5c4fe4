#include "runner/run_request.h"

#include "base/fields.h"

namespace tritonrl::runner {

std::span<const char* const> enum_names(Section) {
  static constexpr const char* kNames[] = {"initialise", "inputs", "forward"};
  return kNames;
}

std::span<const char* const> enum_names(Alone::Fill) {
  static constexpr const char* kNames[] = {"real", "random", "nan"};
  return kNames;
}

void StepPlace::fields(base::FieldVisitor& field) {
  field("section", section);
  field("forward", forward);
  field("step", step);
}

void MachineCode::fields(base::FieldVisitor& field) {
  field("entry", entry);
  field("types", types);
  field("num_warps", num_warps);
  field("num_ctas", num_ctas);
  field("shared_bytes", shared_bytes);
  field("scratch_bytes", scratch_bytes);
  field("scratch_align", scratch_align);
  field("cooperative", cooperative);
}

void KernelImage::fields(base::FieldVisitor& field) {
  field("parameters", parameters);
  field("source_file", source_file);
  field("code", code, base::kWhereSet);
}

void LaunchChoice::fields(base::FieldVisitor& field) {
  field("at", at);
  field("variant", variant);
  field("image", image);
}

void GivenTensor::fields(base::FieldVisitor& field) {
  field("tensor", tensor.index);
}

void DrawnTensor::fields(base::FieldVisitor& field) {
  field("step", step);
  field("given", given);
}

void GivenInputs::fields(base::FieldVisitor& field) {
  constexpr double kMostInputs = 1 << 16;
  std::size_t count = tensors.size();
  field("forward", forward);
  field("tensors", count, {.most = kMostInputs});
  if (!field.writes()) tensors.resize(count);
}

void Alone::fields(base::FieldVisitor& field) {
  field("at", at);
  field("fill", fill);
  field("scale", scale);
  field("seed", seed);
}

void RunRequest::fields(base::FieldVisitor& field) {
  field("partial", partial);
  field("launches", launches);
  field("seed", seed);
  field("garbage_seed", garbage_seed);
  field("forwards", forwards);
  field("keep_state", keep_state);
  field("drawn", drawn);
  field("state", state);
  field("inputs", inputs);
  field("silenced", silenced);
  field("alone", alone, base::kWhereSet);
  field("check_answers", check_answers);
  field("want_inputs", want_inputs);
  field("want_outputs", want_outputs);
  field("watch", watch);
  field("want_state", want_state);
  field("oracle", oracle);
  field("tf32", tf32);
  field("sample", sample);
  field("machine", machine);
  field("threads", threads);
  field("wall_ms", wall_ms);
  field("memory_bytes", memory_bytes);
}

}  // namespace tritonrl::runner
