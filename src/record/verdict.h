#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::record {

enum class VerdictKind : std::uint8_t {
  kPassed,
  kNoCode,        // the answer holds none
  kInvalid,       // the file cannot be a solution: `rule`
  kCompileError,  // it does not record at the task's shapes, or a kernel does not compile for the target
  kWrong,
  kCrashed,
  kTimeout,
  kCheated,         // the kernels are not the cause of the result: `rule`
  kInfrastructure,  // ours, and passing: no reward at all
  kUnjudged,        // the task cannot be judged here, whatever the candidate: no reward at all
};

// Whether the verdict says something of the candidate. Else it has no reward, and nobody may learn from it.
bool is_judged(VerdictKind kind);

std::span<const char* const> enum_names(VerdictKind);  // "compile_error"

enum class Stage : std::uint8_t { kExtract, kAst, kCompile, kTiny, kFull, kTiming };
std::span<const char* const> enum_names(Stage);  // "tiny"

struct VariationResult {
  enum class Status : std::uint8_t { kPassed, kFailed, kNotApplicable };
  std::string name;  // "original", "scaled", "seed", "shape", "dtype", …
  Status status = Status::kPassed;
  std::optional<double> max_error;  // largest |got - expected| where there was a comparison
  std::string message;              // why it failed or does not apply
  std::string size = {};  // "real": at the task's own sizes, on a GPU; empty: at sizes that the CPU can compute
  void fields(base::FieldVisitor& field);
  bool operator==(const VariationResult&) const = default;
};

std::span<const char* const> enum_names(VariationResult::Status);

struct Timing {
  bool measured = false;  // on a device; else modelled
  double speedup = 0;
  double cv = 0;  // coefficient of variation; 0 when modelled
  double reference_us = 0, candidate_us = 0;
  std::string target;
  // Measured only.
  int trials = 0;
  double speedup_low = 0, speedup_high = 0;             // 95 % interval
  double reference_host_us = 0, candidate_host_us = 0;  // to hand the work over to the GPU
  std::optional<double> modelled_speedup = std::nullopt;
  std::string device = {};                        // the GPU's own name
  std::optional<double> floor_us = std::nullopt;  // what it takes at least: outputs written, its own products computed
  std::string baseline = "eager";                 // what `speedup` and its interval are over: "eager", "compile"
  std::optional<double> compile_us = std::nullopt, speedup_over_compile = std::nullopt;  // torch.compile's, where asked
  void fields(base::FieldVisitor& field);
  bool operator==(const Timing&) const = default;
};

// The candidate's file run as it stands, not as it was recorded. Times are those of calls from Python, as KernelBench
// takes them; no reward depends on them.
struct LiveResult {
  std::optional<bool> agrees;  // with its recording; none: the reference does not run like this
  std::optional<double> wall_us, reference_wall_us, speedup;
  std::optional<double> max_error;
  std::string message = {};  // how it differs, why that is not known, or what is odd about its times
  void fields(base::FieldVisitor& field);
  bool operator==(const LiveResult&) const = default;
};

// Where in the candidate's file, for a person.
struct SourcePlace {
  std::string file;
  int line = 0;
  std::string code;
  void fields(base::FieldVisitor& field);
  bool operator==(const SourcePlace&) const = default;
};

// One thing that was looked at, in order.
struct CheckResult {
  std::string name;  // a rule's or stage's name
  bool passed = true;
  std::string detail;
  void fields(base::FieldVisitor& field);
  bool operator==(const CheckResult&) const = default;
};

struct Verdict {
  VerdictKind kind = VerdictKind::kInfrastructure;
  Stage stage = Stage::kExtract;  // the last stage entered
  std::string rule;               // machine-readable; empty where the kind says it all
  std::string message;            // for a person
  std::optional<double> reward;   // none where nothing was judged
  std::string policy = "kernelbench";
  std::string backend = "cpu";
  std::vector<VariationResult> variations;
  std::optional<Timing> timing;
  std::optional<double> work_share;  // part of the work that counted launches do: docs/judge.md
  std::map<std::string, double> ms;  // by stage
  std::string judge_version;

  // beyond the contract
  std::optional<double> plan_reward, code_reward;  // TritonRL's decomposition
  std::optional<SourcePlace> at;
  std::string expected, got;         // of the first wrong element
  std::string advice;                // what to change
  std::vector<CheckResult> checks;   // what was looked at
  std::vector<std::string> notes;    // worth knowing, no reason to refuse: "output is constant"
  std::string sandbox;               // the level that confined the candidate
  std::string protocol;              // whose tolerances hold
  std::optional<double> rtol, atol;  // of float32, or of the type that was asked for
  std::string sizes;       // "all", or "own": right at the task's own sizes, not at all that its reference takes
  std::string degenerate;  // what is wrong with the task as a test: its answer is the same whatever the inputs
  std::vector<std::string> unseen;  // classes of faults that nothing here would have shown (docs/judge.md)
  std::optional<LiveResult> live;   // where it was asked for
  void fields(base::FieldVisitor& field);
  bool operator==(const Verdict&) const = default;
};

std::string_view to_string(VerdictKind kind);
std::string_view to_string(Stage stage);
std::string_view to_string(VariationResult::Status status);

// One line of JSON in the form of DESIGN's contract. Absent values are null; fields beyond the contract are left out
// where they are empty.
std::string to_json(const Verdict& verdict);
base::Result<Verdict> verdict_from_json(std::string_view text);

}  // namespace tritonrl::record
