#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/lasting_thread.h"
#include "judge/made_state.h"
#include "machine/launch_model.h"
#include "python/kernel_compiler.h"
#include "python/recorder.h"
#include "runner/device.h"
#include "runner/runner.h"

namespace tritonrl::judge {

struct ReplayerOptions {
  python::RecorderOptions recorder;
  python::KernelCompilerOptions compiler;
  runner::RunnerOptions runner;
  runner::DeviceOptions device;  // for JudgeOptions::device
  // All processes start at once and each is waited for when it is needed: for a judge of one candidate. What is wrong
  // with a process is told by what needs it.
  bool background = false;
  int max_recordings = 4;  // the first, and again wherever the runner lays a result out otherwise than recorded
};

// The same, for one candidate whose verdict is waited for.
ReplayerOptions in_background(ReplayerOptions options);

// Which variants of a launch get machine code for the program's target: registers and shared memory.
enum class MachineCodeFor : std::uint8_t {
  kNone,
  kFirst,  // that compiles to it; of the others the IR is known, and add_machine_code says the rest
  kAll,
};

struct CompileChoice {
  MachineCodeFor machine_code = MachineCodeFor::kNone;
  bool all_variants = false;  // of autotuned launches (the first kMostVariants), those left out that do not compile;
                              // else the first that does
  bool initialise = true;     // launches of the constructor too
  base::Budget budget = {};
};
inline constexpr std::size_t kMostVariants = 32;       // configurations of a launch that are looked at
inline constexpr std::size_t kMostCompilations = 256;  // of one program
// Real sizes may be beyond what can be computed here: then a question's answer is assumed.
inline constexpr double kAnswerableBytes = 256e6;

// Contents that a parameter or buffer gets where its constructor gives it some that no seed changes.
struct GivenState {
  std::string name;
  bool buffer = false;
  std::optional<double> constant;  // what it holds otherwise, where all of it is that or nothing else tells of it
  Origin origin = Origin::kConstant;
  std::string recipe;  // MadeTensor::recipe
  runner::TensorData contents;
};

// What the compiler made of a program's launches.
struct CompiledProgram {
  std::vector<python::CompiledKernel> kernels;  // by image; equal launches share one
  std::vector<runner::KernelImage> images;
  std::vector<runner::LaunchChoice> launches;  // of all sections, variants of one launch side by side
  // The first launch of which no variant compiled, with the compiler's reasons for the first; nothing after it was
  // tried.
  struct Failure {
    runner::StepPlace at;
    int variant = 0;
    std::string kernel;
    python::CompileOutcome outcome;
  };
  std::optional<Failure> failure;
  int refused_variants = 0;  // of autotuned launches, which Triton's autotuner would pass over too
};

// What was compiled for one candidate, at whatever size: its kernels are mostly the same there. Not thread-safe.
using KernelMemo = std::map<std::string, python::CompileOutcome>;

// What to record with where a run found only other strides (RunOutcome::kMismatch).
python::StrideOverride stride_override(const runner::RunOutcome& outcome);
// The same for all forwards of the program, whose calls do the same.
std::vector<python::StrideOverride> stride_overrides(const runner::RunOutcome& outcome,
                                                     const program::Program& program);

// Recorder, compiler and runner, joined: from sources to executed programs.
class Replayer {
 public:
  // Starts the three warm processes, side by side.
  explicit Replayer(const ReplayerOptions& options);
  // The same recorder and compiler with a runner of its own.
  Replayer(const Replayer& other, const runner::RunnerOptions& runner);
  ~Replayer();

  // How a question of recorded code is answered: the program so far is executed with these draws and inputs.
  struct Draws {
    std::uint64_t seed = 0;
    std::vector<runner::GivenInputs> inputs = {};  // of forwards that are not here: drawn
    std::vector<runner::DrawnTensor> drawn = {};   // those of steps that the program so far has
    double most_bytes = 0;  // larger programs are not executed: the answer is assumed. 0: no limit
    base::Budget budget = {};
  };
  python::Answerer answerer(Draws draws);

  // Records. Questions of the recorded code are answered by executing the program so far, with the draws of `seed`.
  python::RecordOutcome record(python::RecordRequest request, std::uint64_t seed);

  // `memo` (may be null) is asked first, and added to.
  CompiledProgram compile(const program::Program& program, const CompileChoice& choice = {},
                          KernelMemo* memo = nullptr);

  // Compiles what `compile` with these programs and choices would ask for into `memo`, in one process.
  void compile_ahead(const std::vector<std::pair<const program::Program*, CompileChoice>>& programs, KernelMemo* memo);

  // How many different compilations a program's launches ask for, counted to one more than kMostCompilations.
  static std::size_t compilations_of(const program::Program& program);

  // Machine code for a variant of a launch that was compiled without; false, and without that variant, if there is
  // none.
  bool add_machine_code(const program::Program& program, const runner::StepPlace& at, int variant,
                        const base::Budget& budget, CompiledProgram& compiled, KernelMemo* memo);

  // Executes; `request` says how, its program, images and launches are filled in (one variant of each launch).
  runner::RunOutcome run(const program::Program& program, const CompiledProgram& compiled, runner::RunRequest request);

  struct Replay {
    python::RecordOutcome recording;
    CompiledProgram compiled;
    runner::RunOutcome outcome;
  };
  struct ReplayRequest {
    python::RecordRequest record;
    runner::RunRequest how;
  };
  // All three of each, recording again with the real strides where they differ from the recorded ones. Those that are
  // asked for together are recorded side by side, and run side by side.
  std::vector<Replay> replay_all(std::vector<ReplayRequest> requests, const CompileChoice& choice = {});
  Replay replay(python::RecordRequest request, const CompileChoice& choice, const runner::RunRequest& how) {
    return std::move(replay_all({{std::move(request), how}}, choice).front());
  }

  python::Recorder& recorder();
  runner::Runner& runner();

 private:
  static runner::RunRequest run_request(const program::Program& program, const CompiledProgram& compiled,
                                        runner::RunRequest request);
  python::CompileOutcome compiled(const python::CompileRequest& request, const std::string& key,
                                  const base::Budget& budget, KernelMemo* memo);

  std::shared_ptr<std::list<base::LastingThread>> threads_;  // they started the processes below
  std::shared_ptr<python::Recorder> recorder_;
  std::shared_ptr<python::KernelCompiler> compiler_;
  std::shared_ptr<runner::Runner> runner_;
  int max_recordings_ = 4;
};

}  // namespace tritonrl::judge
