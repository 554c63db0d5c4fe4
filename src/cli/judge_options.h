#pragma once

#include <filesystem>
#include <string>

#include "base/fields.h"
#include "cli/machine.h"
#include "judge/options.h"

namespace CLI {
class App;
}

namespace tritonrl::cli {

void declare(CLI::App& command, judge::JudgeOptions& options);
// Where a model has a device and a run a seed of their own: --judge-device and --judge-seed.
void declare_beside_model(CLI::App& command, judge::JudgeOptions& options);
// What CLI11 cannot check: UserError for an unknown target.
void check(const judge::JudgeOptions& options);

// Where verdicts and compilations are kept.
struct CacheOptions {
  std::string folder;  // empty: the user's cache folder (machine.h)
  bool off = false;
  void fields(base::FieldVisitor& field) {
    field("cache", folder, {.help = "folder that keeps verdicts and compilations (default: the user's)"});
    field("no_cache", off, {.help = "neither take verdicts and compilations from a cache nor keep them"});
  }
};
void declare(CLI::App& command, CacheOptions& options);
// The folder of the verdict cache; empty: none.
std::filesystem::path verdict_folder(const CacheOptions& options);
// The compilations lie there too.
void apply(const CacheOptions& options, judge::ReplayerOptions& replayer);

// Everything that a verdict depends on beside the submission: versions, limits, options.
std::string verdict_context(const judge::JudgeOptions& options, const MachineOptions& machine,
                            const judge::ReplayerOptions& replayer);

}  // namespace tritonrl::cli
