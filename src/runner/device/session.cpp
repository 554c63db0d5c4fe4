#include "runner/device/session.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <c10/core/CachingDeviceAllocator.h>

#include "base/fields.h"
#include "runner/device/device_compare.h"
#include "runner/device/device_rates.h"
#include "runner/device/device_timing.h"
#include "runner/device/driver.h"
#include "runner/device/vary_inputs.h"
#include "runner/device_messages.h"
#include "runner/outcome_wire.h"
#include "runner/process/stop.h"
#include "runner/process/torch_types.h"

namespace tritonrl::runner {
namespace {

using base::Json;

// The draws that follow from one seed: constructor, inputs, forward. The same for reference and candidate.
constexpr std::uint64_t kInputsOf = 1, kForwardOf = 2;

// Exactly as torch computes where nothing is asked for, but for convolutions, which must not round to TF32 either.
void pin_precision() {
  at::Context& torch = at::globalContext();
  torch.setAllowTF32CuBLAS(false);
  torch.setAllowTF32CuDNN(false);
  torch.setBenchmarkCuDNN(false);
}

std::int64_t bytes_of(const at::Tensor& tensor) {
  return tensor.numel() * static_cast<std::int64_t>(tensor.element_size());
}

// Keeps what is large enough: tasks come again and again in the same sizes.
void fit(std::vector<SharedMemory>& memory, const std::vector<at::Tensor>& tensors) {
  bool fits = memory.size() == tensors.size();
  for (std::size_t i = 0; fits && i < memory.size(); ++i) fits = memory[i].bytes() == bytes_of(tensors[i]);
  if (fits) return;
  memory.clear();
  for (const at::Tensor& tensor : tensors) memory.push_back(SharedMemory::make(bytes_of(tensor)));
}

std::vector<SharedTensor> described(const std::vector<at::Tensor>& tensors) {
  std::vector<SharedTensor> out;
  for (const at::Tensor& one : tensors) {
    out.push_back({.bytes = bytes_of(one), .sizes = one.sizes().vec(), .dtype = static_cast<int>(one.scalar_type())});
  }
  return out;
}

template <typename Request>
Request request_of(const Json& header) {
  Request out;
  base::read_fields(header, out);
  return out;
}

// An answer in the form of a run that completed.
template <typename Body>
Json done(const Body& body) {
  Json out = base::to_json(RunOutcome{});
  out.update(base::to_json(body));
  return out;
}

// Memory that torch keeps for the next tensor is given back once much of the GPU's is taken: the other process needs
// some too.
void leave_room() {
  std::size_t free = 0, all = 0;
  check(driver().cuMemGetInfo_(&free, &all), "cuMemGetInfo");
  if (free < all / 4 * 3) c10::getDeviceAllocator(at::kCUDA)->emptyCache();
}

// Which GPU it is, and what it reaches.
DeviceFacts hello() {
  CUdevice device = 0;
  check(driver().cuDeviceGet_(&device, 0), "cuDeviceGet");
  char name[256] = {};
  check(driver().cuDeviceGetName_(name, sizeof name - 1, device), "cuDeviceGetName");
  CUuuid uuid{};
  check(driver().cuDeviceGetUuid_(&uuid, device), "cuDeviceGetUuid");
  std::string digits;
  for (const char byte : uuid.bytes) {
    constexpr const char* kHex = "0123456789abcdef";
    digits += {kHex[static_cast<unsigned char>(byte) >> 4], kHex[static_cast<unsigned char>(byte) & 15]};
  }
  const MeasuredRates rates = measure_rates();
  return {.name = name,
          .uuid = digits,
          .bytes_per_second = rates.bytes_per_second,
          .matrix_ops_per_second = rates.matrix_ops_per_second};
}

RunOutcome failure(RunOutcome::Kind kind, const std::string& message) {
  RunOutcome out;
  out.kind = kind;
  out.message = message;
  return out;
}

}  // namespace

DeviceSession::DeviceSession() {
  // torch has made the primary context; the driver's functions use it too
  CUdevice device = 0;
  CUcontext context = nullptr;
  check(driver().cuInit_(0), "cuInit");
  check(driver().cuDeviceGet_(&device, 0), "cuDeviceGet");
  check(driver().cuDevicePrimaryCtxRetain_(&context, device), "cuDevicePrimaryCtxRetain");
  check(driver().cuCtxSetCurrent_(context), "cuCtxSetCurrent");
  pin_precision();
}

DeviceSession::Answer DeviceSession::answer(Message message, std::vector<base::UniqueFd> descriptors) {
  const at::NoGradGuard no_gradients;
  Answer out;
  RunOutcome outcome;
  const HeldProgram* running = nullptr;
  try {
    running = message.header.value("do", "") == "run" || message.header.value("do", "") == "time" ? candidate_.get()
                                                                                                  : reference_.get();
    out.body = dispatch(std::move(message), descriptors, &out);
    check(driver().cuCtxSynchronize_(), "the end of a request");
    return out;
  } catch (const Stop& stop) {
    outcome = failure(stop.kind, stop.message);
    outcome.mismatch = stop.mismatch;
    outcome.answer = stop.answer;
  } catch (const DriverError& error) {
    outcome =
        failure(error.code == CUDA_ERROR_OUT_OF_MEMORY ? RunOutcome::Kind::kOutOfMemory : RunOutcome::Kind::kFault,
                error.what());
    out.broken = poisons(error.code);
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    const bool memory = text.find("out of memory") != std::string::npos;
    outcome = failure(memory ? RunOutcome::Kind::kOutOfMemory : RunOutcome::Kind::kAtenError, text);
  } catch (const base::JsonError& error) {
    outcome = failure(RunOutcome::Kind::kMalformed, error.what());
  }
  out.descriptors.clear();
  if (running != nullptr && running->started()) outcome.at = running->at();
  out.body = base::to_json(outcome);
  if (outcome.answer) out.body["answer"] = answer_to_json(*outcome.answer);
  // an error that poisons the context may have come out of anything that waits for the GPU
  out.broken = out.broken || driver().cuCtxSynchronize_() != CUDA_SUCCESS;
  return out;
}

Json DeviceSession::dispatch(Message message, std::vector<base::UniqueFd>& descriptors, Answer* answer) {
  const Json header = message.header;
  const std::string what = header.at("do").get<std::string>();
  if (what == "load") {
    load(std::move(message));
    return base::to_json(RunOutcome{});
  }
  if (what == "hello") return done(hello());
  if (what == "draw") return done(draw(request_of<DeviceDraw>(header), answer));
  if (what == "run") return done(run(request_of<RunOrder>(header), descriptors));
  if (what == "compare") return done(compare(request_of<CompareOrder>(header)));
  if (what == "time") return done(time(request_of<DeviceTimingOptions>(header)));
  if (what == "release") {
    candidate_.reset();
    if (header.value("all", false)) {
      reference_.reset();
      inputs_.clear();
      outputs_.clear();
      given_.clear();
      expected_.clear();
      c10::getDeviceAllocator(at::kCUDA)->emptyCache();
    }
    leave_room();
    return base::to_json(RunOutcome{});
  }
  throw Stop{RunOutcome::Kind::kMalformed, "there is no request " + what};
}

void DeviceSession::load(Message message) {
  const bool reference = message.header.at("slot") == "reference";
  std::unique_ptr<HeldProgram>& place = reference ? reference_ : candidate_;
  place.reset();
  leave_room();
  place = std::make_unique<HeldProgram>(std::move(message), space_);
}

DrawAnswer DeviceSession::draw(const DeviceDraw& request, Answer* answer) {
  if (!reference_) throw Stop{RunOutcome::Kind::kMalformed, "no reference is loaded"};
  seed_ = request.seed;
  uneven_ = request.variation == "uneven";
  expected_.clear();
  given_.clear();
  reference_->prepare(seed_);
  const std::vector<at::Tensor> made = reference_->draw_inputs(seed_ + kInputsOf);
  const auto not_applicable = [](const char* why) {
    return DrawAnswer{.not_applicable = why, .inputs = {}, .outputs = {}};
  };
  if (!vary_inputs(made, request.variation, seed_)) return not_applicable("no floating input has other values to take");
  fit(inputs_, made);
  for (std::size_t i = 0; i < made.size(); ++i) {
    given_.push_back(inputs_[i].tensor(made[i].sizes(), made[i].scalar_type()));
    given_.back().copy_(made[i]);
  }
  reference_->forward(seed_ + kForwardOf);
  for (const at::Tensor& one : reference_->outputs()) expected_.push_back(one.contiguous());
  if (request.variation != "original") {
    for (const at::Tensor& one : expected_) {
      if (one.is_floating_point() && one.isnan().any().item().toBool())
        return not_applicable("the reference gives NaN");
    }
  }
  fit(outputs_, expected_);
  for (const auto* list : {&inputs_, &outputs_}) {
    for (const SharedMemory& one : *list) answer->descriptors.push_back(one.descriptor());
  }
  return {.not_applicable = {}, .inputs = described(given_), .outputs = described(expected_)};
}

void DeviceSession::map(const RunOrder& request, std::vector<base::UniqueFd>& descriptors) {
  inputs_.clear();
  outputs_.clear();
  given_.clear();
  const std::vector<SharedTensor>&inputs = request.inputs, &outputs = request.outputs;
  if (descriptors.size() != inputs.size() + outputs.size()) {
    throw Stop{RunOutcome::Kind::kMalformed, "another number of descriptors than of tensors"};
  }
  for (std::size_t i = 0; i < descriptors.size(); ++i) {
    const bool input = i < inputs.size();
    const SharedTensor& one = input ? inputs[i] : outputs[i - inputs.size()];
    SharedMemory memory = SharedMemory::map(descriptors[i].get(), one.bytes, !input);
    if (input) given_.push_back(memory.tensor(one.sizes, static_cast<at::ScalarType>(one.dtype)));
    (input ? inputs_ : outputs_).push_back(std::move(memory));
  }
}

void DeviceSession::hand_out(const std::vector<at::Tensor>& outputs) {
  if (outputs.size() != outputs_.size()) throw Stop{RunOutcome::Kind::kMalformed, "another number of outputs"};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (bytes_of(outputs[i]) > outputs_[i].bytes()) throw Stop{RunOutcome::Kind::kMalformed, "a larger output"};
    outputs_[i].tensor(outputs[i].sizes(), outputs[i].scalar_type()).copy_(outputs[i]);
  }
}

RunAnswer DeviceSession::run(const RunOrder& request, std::vector<base::UniqueFd>& descriptors) {
  if (!candidate_) throw Stop{RunOutcome::Kind::kMalformed, "no candidate is loaded"};
  seed_ = request.seed;
  map(request, descriptors);
  space_.broken_fences();
  if (request.tune) {
    candidate_->prepare(seed_);
    candidate_->executor().tune(true);
    candidate_->give_inputs(given_);
    candidate_->forward(seed_ + kForwardOf);
    candidate_->executor().tune(false);
  }
  candidate_->prepare(seed_);
  candidate_->give_inputs(given_);
  candidate_->forward(seed_ + kForwardOf);
  hand_out(candidate_->outputs());
  candidate_->rewind();
  RunAnswer out{.broken_fences = space_.broken_fences(), .tuned = {}};
  for (const auto& [at, choice] : candidate_->executor().tuned()) {
    out.tuned.push_back({.at = at, .variant = choice.variant, .image = 0});
  }
  return out;
}

std::optional<std::vector<at::Tensor>> DeviceSession::computed_otherwise(bool tf32) {
  try {
    reference_->rewind();
    reference_->give_inputs(given_);
    return tf32 ? reference_->forward_in_tf32(seed_ + kForwardOf) : reference_->forward_widened();
  } catch (const Stop&) {
    return std::nullopt;
  } catch (const c10::Error&) {
    return std::nullopt;
  }
}

CompareAnswer DeviceSession::compare(const CompareOrder& request) {
  if (request.outputs.size() < expected_.size()) throw Stop{RunOutcome::Kind::kMalformed, "too few tolerances"};
  CompareAnswer out;
  struct Otherwise {
    std::optional<std::vector<at::Tensor>> outputs;
    bool asked = false;
  } exact, coarse;
  const auto output_of = [&](Otherwise& how, bool tf32, std::size_t i) -> std::optional<at::Tensor> {
    if (!how.asked) how.outputs = computed_otherwise(tf32);
    how.asked = true;
    return how.outputs ? std::optional((*how.outputs)[i]) : std::nullopt;
  };
  for (std::size_t i = 0; i < expected_.size(); ++i) {
    const double atol = request.outputs[i].atol, rtol = request.outputs[i].rtol;
    const auto dtype = scalar_type(request.outputs[i].dtype);
    const at::Tensor got = outputs_[i].tensor(expected_[i].sizes(), dtype);
    const MakeTensor make_truth = [&, i] { return output_of(exact, false, i); };
    const MakeTensor make_coarse = [&, i] { return output_of(coarse, true, i); };
    out.outputs.push_back(
        compare_fairly(expected_[i], got, atol, rtol, uneven_, make_truth, request.tf32 ? make_coarse : MakeTensor()));
  }
  return out;
}

DeviceTimes DeviceSession::time(DeviceTimingOptions options) {
  if (!candidate_ || !reference_) throw Stop{RunOutcome::Kind::kMalformed, "timing needs both programs"};
  reference_->prepare(seed_);
  candidate_->prepare(seed_);
  options.seed = seed_ + kForwardOf;
  return time_in_turns(*reference_, *candidate_, given_, options, space_,
                       [&](const std::vector<at::Tensor>& outputs) { hand_out(outputs); });
}

}  // namespace tritonrl::runner
