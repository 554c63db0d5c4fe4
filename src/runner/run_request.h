#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/machine.h"
#include "program/kernel_parameter.h"
#include "program/program.h"
#include "runner/step_place.h"

namespace tritonrl::runner {

// Machine code of a kernel and how a GPU's driver starts it.
struct MachineCode {
  std::string cubin;
  std::string entry;                                   // the function's name
  std::vector<program::DescriptorLayout> descriptors;  // of each whole descriptor among its parameters, in order
  int num_warps = 0, num_ctas = 0;
  std::int64_t shared_bytes = 0;
  std::int64_t scratch_bytes = 0, scratch_align = 1;  // global memory that each program needs beside its arguments
  bool cooperative = false;                           // all programs of the grid run at once
  void fields(base::FieldVisitor& field);             // all but the cubin
  bool operator==(const MachineCode&) const = default;
};

// What the compiler made of one variant of a kernel.
struct KernelImage {
  std::string ir;                                   // Triton IR as text; not for a GPU
  std::vector<program::KernelParameter> signature;  // of the compiled kernel
  std::string source_file;                          // the file of the IR's locations whose lines a person knows
  std::optional<MachineCode> code = std::nullopt;   // for a GPU alone
  void fields(base::FieldVisitor& field);           // all but the IR
  bool operator==(const KernelImage&) const = default;
};

// Which image executes a launch, and for which of its variants it was compiled.
struct LaunchChoice {
  StepPlace at;
  int variant = 0;
  int image = 0;  // index into RunRequest::images
  void fields(base::FieldVisitor& field);
};

// Contents for a tensor: its elements in order, as if it were contiguous.
struct GivenTensor {
  program::TensorRef tensor;
  std::string bytes;
  void fields(base::FieldVisitor& field);  // all but the bytes
};

// Contents that a tensor gets once a step of Program::initialise has run: a constructor that packs its weights later
// packs these.
struct DrawnTensor {
  int step = 0;  // index into Program::initialise
  GivenTensor given;
  void fields(base::FieldVisitor& field);
};

// Contents of all inputs of a forward, in the order of tensors_of(Forward::inputs).
struct GivenInputs {
  int forward = 0;
  std::vector<std::string> tensors;
  void fields(base::FieldVisitor& field);  // of the tensors their number
};

// Executes the program up to a launch, gives its operands other contents, and executes that launch.
struct Alone {
  enum class Fill : std::uint8_t {
    kReal,      // as the program left them
    kRandom,    // floats: normal deviates times `scale`; all else as it is
    kNan,       // floats: NaN; all else as it is
    kPositive,  // as kRandom, without signs
  };
  StepPlace at;
  Fill fill = Fill::kRandom;
  double scale = 1;
  std::uint64_t seed = 0;
  void fields(base::FieldVisitor& field);
};
std::span<const char* const> enum_names(Alone::Fill);

inline constexpr std::int64_t kAllPrograms = std::int64_t{1} << 40;

// What values a sampled run is to send back. The rows of a task are the entries of a dimension along which its results
// do not depend on one another; a tensor's dimension of rows holds `count` of them, or so many groups of neighbours.
struct SampledRows {
  std::int64_t count = 0;            // rows of the task
  std::int64_t most = 0;             // rows that come back; where fewer were stored some come back again
  std::vector<int> inputs, outputs;  // by tensor of the forward: its dimension of rows; -1: all rows share it
  std::uint64_t seed = 0;            // which rows
  bool positive = false;             // random inputs lie in [0, 1), else in ±1.5
  double torch_ms = 0;               // what torch may take on the way, by a rough model; beyond nothing is known
  void fields(base::FieldVisitor& field);
};

// One run of a program: `initialise`, then the chosen forwards.
struct RunRequest {
  const program::Program* program = nullptr;
  bool partial = false;  // a program so far, sent with a question
  std::vector<KernelImage> images;
  std::vector<LaunchChoice> launches;  // one for each launch that is to be executed

  // Of the random operators. The generator is seeded with `seed` before initialise, with seed + 1 + 2·i before the
  // inputs of forward i and seed + 2 + 2·i before its steps: the same draw for a reference and a candidate.
  std::uint64_t seed = 0;
  // Of what torch.empty holds: random bytes (bool: 0 and 1). Reading it shows, as it would on a used GPU.
  std::uint64_t garbage_seed = 0;

  std::vector<int> forwards = {0};  // in this order, each as often as it is named
  bool keep_state = false;          // else each forward starts from the state after initialise
  std::vector<DrawnTensor> drawn;   // written during initialise, those of one step in this order
  std::vector<GivenTensor> state;   // written after initialise
  std::vector<GivenInputs> inputs;  // instead of what make_inputs of that forward computes

  std::vector<StepPlace> silenced;  // launches that are not executed
  std::optional<Alone> alone;
  std::optional<program::Question> question;  // answered after the last of `forwards`
  // A recorded answer that does not hold on this data stops the run. Not while inputs are made: whatever the task makes
  // with the recorded ones are inputs.
  bool check_answers = true;

  bool want_inputs = false;
  bool want_outputs = true;
  bool watch = false;       // RunOutcome::overwritten; with keep_state
  bool want_state = false;  // the tensors of Program::state after initialise and what `state` wrote

  // A higher-precision oracle: initialise and inputs as recorded, then the steps of the forward with every tensor of
  // fp16, bf16 or fp32 widened to float64 (oracle_type.h); such outputs come back as float64. Recorded answers in a
  // forward are taken for granted. kNotExecutable for forwards that cannot be widened: launches, complex tensors,
  // random draws, floats whose storage is also seen as another type. Not with `sample`, `alone` or `question`, nor with
  // `keep_state` over several forwards.
  bool oracle = false;

  // Products of float32 tensors round their operands to TF32 first, as tensor cores do where they are allowed to.
  bool tf32 = false;
  // Results of operators that round are off by up to four steps of their type, at random: how far rounding carries.
  bool noisy = false;

  // > 0: nothing is computed. Each launch executes that many programs of its grid on memory that is made where it is
  // touched: floats in ±1.5, small integer tensors as the program computes them, other integers zero. For real shapes.
  std::int64_t sample = 0;  // kAllPrograms: all of them
  // With `sample`: RunOutcome::rows of the last forward. Parameters are drawn as in any run, random inputs made up, and
  // what torch does is computed as far as it is known; a launch's values count where all that it loads is known.
  std::optional<SampledRows> rows;

  machine::MachineOptions machine;  // `target` and `sample` are taken from the program and from above
  int threads = 1;                  // of ATen
  std::int64_t wall_ms = 0;         // 0: the runner's policy
  std::int64_t memory_bytes = 0;    // 0: the runner's policy

  void fields(base::FieldVisitor& field);  // all but program, images and question (request_wire.h)
};

}  // namespace tritonrl::runner
