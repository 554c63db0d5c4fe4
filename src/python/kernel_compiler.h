#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "program/kernel_parameter.h"
#include "program/program.h"
#include "program/target.h"
#include "python/interpreter.h"
#include "python/kernel_text.h"
#include "sandbox/policy.h"

namespace tritonrl::python {

struct KernelCompilerOptions {
  Interpreter interpreter;
  sandbox::Policy policy;  // limits and protections of each compilation; `readable` is completed with what Python
                           // needs, and `processes` is allowed for machine code alone (its assembler is a program)
  std::string library;     // libtritonrl_sandbox_enter.so
  std::filesystem::path
      cache;                // folder of finished compilations; empty: none is kept. It only grows: delete it at will
  bool background = false;  // the zygote starts while the caller goes on; the first request waits for it
};

struct CompileRequest {
  const program::Kernel* kernel = nullptr;
  const program::LaunchVariant* variant = nullptr;
  const program::Target* target = nullptr;
  bool machine_code = false;
};

// Untrusted bytes: a kernel's text decides what its compilation says. The IR is text (UTF-8), the cubin was taken apart
// by read_cubin, and the numbers are in sane ranges; nothing more is known.
struct CompiledKernel {
  KernelText source;
  std::string ir;  // after the front end and Triton's own passes, with locations in kSourceFile
  std::vector<program::KernelParameter> signature;  // of the compiled function, one by one
  int num_warps = 0, num_ctas = 0, num_stages = 0;

  // Machine code only. The cubin's function takes two pointers more than `signature`: scratch of Triton's (null where
  // scratch_bytes is 0) and of its profiler (null).
  std::string cubin, ptx;
  std::string entry;                                   // the function's name in the cubin
  std::vector<program::DescriptorLayout> descriptors;  // of each whole descriptor in `signature`, in order
  std::int64_t shared_bytes = 0;                       // dynamic shared memory of a program
  int registers = 0;                                   // of a thread
  std::int64_t stack_bytes = 0;                        // local memory of a thread: spilled registers and arrays
  std::int64_t scratch_bytes = 0;                      // global memory that a program needs beside its arguments
  std::int64_t scratch_align = 1;
};

struct CompileFrame {
  std::string function;
  int line = 0;  // in KernelText::text
  program::SourceLine at;
  std::string code;  // the line's text
};

struct CompileOutcome {
  enum class Kind : std::uint8_t {
    kCompiled,
    kRefused,  // its source holds more than jit functions, constants and imports of triton
    kError,    // Triton or the target's limits refuse it
    kTimeout,
    kCrashed,    // the process died: a signal, no memory, exit() without an answer
    kMalformed,  // it sent something that is no answer
  };
  Kind kind = Kind::kCompiled;
  CompiledKernel kernel;  // kCompiled
  std::string message;    // the reason, then one line for each call that led there
  std::string exception;  // its type's name
  std::string function;   // where: the innermost place in the user's own functions
  program::SourceLine at;
  std::string code;
  std::vector<CompileFrame> calls;  // the calls that led there, the kernel first, `at` last
  bool cached = false;
  double milliseconds = 0;
  std::string log;  // the first 64 KiB of what was printed
};

std::span<const char* const> enum_names(CompileOutcome::Kind);
std::string to_string(CompileOutcome::Kind kind);

// From a recorded kernel and launch to Triton IR and machine code, without GPU or trust: each compilation runs in a
// sandboxed child of a warm zygote. Thread-safe. A zygote that dies is replaced.
class KernelCompiler {
 public:
  // Starts the zygote: half a second. UserError if the interpreter cannot serve or the cache cannot be written.
  explicit KernelCompiler(KernelCompilerOptions options);
  ~KernelCompiler();
  KernelCompiler(const KernelCompiler&) = delete;
  KernelCompiler& operator=(const KernelCompiler&) = delete;

  // InfrastructureError if the machine fails; everything that a kernel can do is an outcome.
  CompileOutcome compile(const CompileRequest& request, const base::Budget& budget = {});

  // The same for several launches of one candidate, one after the other in one sandboxed process. A text may decide
  // what is said of those after it there, so where compilations are kept each text has a process of its own. One that
  // ends the process has that outcome, and the others are tried in a fresh one. What is not done until `budget` is
  // kTimeout.
  std::vector<CompileOutcome> compile_all(std::span<const CompileRequest> requests, const base::Budget& budget = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tritonrl::python
