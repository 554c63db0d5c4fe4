#include "runner/run_request.h"

#include "base/fields.h"

namespace tritonrl::runner {

std::span<const char* const> enum_names(Section) {
  static constexpr const char* kNames[] = {"initialise", "inputs", "forward"};
  return kNames;
}

std::span<const char* const> enum_names(Alone::Fill) {
  static constexpr const char* kNames[] = {"real", "random", "nan", "positive"};
  return kNames;
}

void StepPlace::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, section, forward, step);
}

void MachineCode::fields(base::FieldVisitor& field) {
  field("entry", entry);
  field("descriptors", descriptors, base::kWhereSet);
  TRL_FIELDS(field, num_warps, num_ctas, shared_bytes, scratch_bytes, scratch_align, cooperative);
}

void KernelImage::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, signature, source_file);
  field("code", code, base::kWhereSet);
}

void LaunchChoice::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, at, variant, image);
}

void GivenTensor::fields(base::FieldVisitor& field) {
  field("tensor", tensor.index);
}

void DrawnTensor::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, step, given);
}

void GivenInputs::fields(base::FieldVisitor& field) {
  constexpr double kMostInputs = 1 << 16;
  std::size_t count = tensors.size();
  field("forward", forward);
  field("tensors", count, {.most = kMostInputs});
  if (!field.writes()) tensors.resize(count);
}

void Alone::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, at, fill, scale, seed);
}

void SampledRows::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, count, most, inputs, outputs, seed, positive, torch_ms);
}

void RunRequest::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, partial, launches, seed, garbage_seed, forwards, keep_state, drawn, state, inputs, silenced);
  field("alone", alone, base::kWhereSet);
  field("rows", rows, base::kWhereSet);
  TRL_FIELDS(field, check_answers, want_inputs, want_outputs, watch, want_state, oracle, tf32, noisy, sample, machine,
             threads, wall_ms, memory_bytes);
}

}  // namespace tritonrl::runner
