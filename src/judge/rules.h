#pragma once

#include <string_view>

namespace tritonrl::judge::rules {

// Names of rules as verdicts give them (Verdict::rule) and as JudgeOptions::without takes them. docs/judge.md has for
// each an example, its reason and what would be a false alarm.

// The file itself (stage ast).
inline constexpr std::string_view kSyntax = "syntax";
inline constexpr std::string_view kNoEntryPoint = "no_entry_point";
inline constexpr std::string_view kNoKernel = "no_kernel";
inline constexpr std::string_view kEmptyKernel = "empty_kernel";
inline constexpr std::string_view kNotLaunched = "not_launched";

// What was recorded (stage compile).
inline constexpr std::string_view kNotRecordable = "not_recordable";
inline constexpr std::string_view kInputs = "inputs";                 // the candidate changed the task's inputs
inline constexpr std::string_view kKernelInFile = "kernel_in_file";   // a kernel's text is not in the candidate's file
inline constexpr std::string_view kWork = "work";                     // torch does no less than in the reference
inline constexpr std::string_view kStrict = "strict";                 // policy strict: arithmetic outside kernels
inline constexpr std::string_view kQuestions = "questions";           // values of inputs read by the host
inline constexpr std::string_view kHostConstants = "host_constants";  // tensors made by the host in forward
inline constexpr std::string_view kStability = "stability";           // recordings of the same thing differ

// What was executed (stages tiny and full).
inline constexpr std::string_view kNotExecutable = "not_executable";
inline constexpr std::string_view kOutputPlace = "output_place";  // on the host instead of the GPU, or the other way
inline constexpr std::string_view kCopies = "copies";             // launches that only copy or write constants
inline constexpr std::string_view kSilence = "silence";           // launches without effect on the output
inline constexpr std::string_view kRace = "race";
inline constexpr std::string_view kFailsOffShape = "fails_off_shape";
inline constexpr std::string_view kIgnoresParameters = "ignores_parameters";
inline constexpr std::string_view kUnverified = "unverified_at_real_shape";
inline constexpr std::string_view kWorkShare = "work_share";
inline constexpr std::string_view kGridLimit = "grid_limit";
inline constexpr std::string_view kTimedOutputs = "timed_outputs";        // another result while it was timed
inline constexpr std::string_view kImpossibleSpeed = "impossible_speed";  // faster than the GPU can write or multiply
inline constexpr std::string_view kDiffersLive = "differs_live";          // another one when nobody records it

// Protections without a rule of their own: what they stop is a wrong result.
inline constexpr std::string_view kState = "state";  // each forward gets inputs of its own, in one sequence
inline constexpr std::string_view kTiny = "tiny";    // the stage of that name
inline constexpr std::string_view kAst = "ast";      // all rules on the file but syntax and entry point

// What can be switched off; `variation:NAME` too.
inline constexpr std::string_view kSwitches[] = {
    kAst,       kNotLaunched, kInputs,  kKernelInFile, kWork,       kStrict,    kQuestions, kHostConstants,
    kStability, kCopies,      kSilence, kRace,         kUnverified, kGridLimit, kState,     kTiny};

}  // namespace tritonrl::judge::rules
