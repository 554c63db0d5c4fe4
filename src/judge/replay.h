#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/launch_model.h"
#include "python/kernel_compiler.h"
#include "python/recorder.h"
#include "runner/runner.h"

namespace tritonrl::judge {

struct ReplayerOptions {
  python::RecorderOptions recorder;
  python::KernelCompilerOptions compiler;
  runner::RunnerOptions runner;
  int max_recordings = 4;  // the first, and again wherever the runner lays a result out otherwise than recorded
};

struct CompileChoice {
  bool machine_code = false;  // also produce machine code for the program's target: registers and shared memory
  bool all_variants = false;  // of autotuned launches; else the first
  bool initialise = true;     // launches of the constructor too
};

// What the compiler made of a program's launches.
struct CompiledProgram {
  std::vector<python::CompiledKernel> kernels;  // by image; equal launches share one
  std::vector<runner::KernelImage> images;
  std::vector<runner::LaunchChoice> launches;  // of all sections, variants of one launch side by side
  // The first launch that did not compile, with the compiler's reasons; nothing after it was tried.
  struct Failure {
    runner::StepPlace at;
    int variant = 0;
    std::string kernel;
    python::CompileOutcome outcome;
  };
  std::optional<Failure> failure;
};

// Recorder, compiler and runner, joined: from sources to executed programs.
class Replayer {
 public:
  // Starts the three warm processes.
  explicit Replayer(const ReplayerOptions& options);
  ~Replayer();

  // Records. Questions of the recorded code are answered by executing the program so far, with the draws of `seed`.
  python::RecordOutcome record(python::RecordRequest request, std::uint64_t seed);

  CompiledProgram compile(const program::Program& program, const CompileChoice& choice = {});

  // Executes; `request` says how, its program, images and launches are filled in (one variant of each launch).
  runner::RunOutcome run(const program::Program& program, const CompiledProgram& compiled, runner::RunRequest request);

  struct Replay {
    python::RecordOutcome recording;
    CompiledProgram compiled;
    runner::RunOutcome outcome;
  };
  // All three, recording again with the real strides where they differ from the recorded ones.
  Replay replay(python::RecordRequest request, const CompileChoice& choice, const runner::RunRequest& how);

  runner::Runner& runner();

 private:
  std::unique_ptr<python::Recorder> recorder_;
  std::unique_ptr<python::KernelCompiler> compiler_;
  std::unique_ptr<runner::Runner> runner_;
  int max_recordings_ = 4;
};

}  // namespace tritonrl::judge
