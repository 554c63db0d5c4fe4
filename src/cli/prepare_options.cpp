#include "cli/prepare_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "cli/field_options.h"

namespace tritonrl::cli {
namespace {

void declare_sources(CLI::App& command, PrepareArguments& arguments) {
  command.add_option(
      "SOURCE", arguments.sources,
      std::string("a file of rows (parquet, JSON array, JSON lines), a folder of Python modules, a checkout of "
                  "KernelBench, or owner/name of a data set on the hub (default: ") +
          kKernelBook + ")");
  const auto also = [&](const char* name, const char* meaning) {
    command.add_option_function<std::vector<std::string>>(
        name,
        [&arguments](const std::vector<std::string>& more) {
          arguments.sources.insert(arguments.sources.end(), more.begin(), more.end());
        },
        meaning);
  };
  also("--kernelbook", "the same as SOURCE: KernelBook's rows");
  also("--kernelbench", "the same as SOURCE: KernelBench's tasks");
  also("--tasks", "the same as SOURCE: a folder of modules, tasks without solutions");
}

void declare_teacher(CLI::App& command, PrepareArguments& arguments) {
  data::TeacherOptions& teacher = arguments.prepare.teacher;
  command.add_option_function<std::vector<std::string>>(
      "--rewrite",
      [&arguments](const std::vector<std::string>& more) {
        arguments.prepare.teacher.rewrite = true;
        arguments.sources.insert(arguments.sources.end(), more.begin(), more.end());
      },
      "sources whose modules get solutions of the teacher's: as SOURCE, or the name of an installed Python package; "
      "classes without inputs get some by trial");
  command.add_option("--families", arguments.families, "of --generate: weights of the kinds of modules")
      ->capture_default_str();
  command
      .add_option("--variants", arguments.variants,
                  "of the teacher's solutions: canonical is one regular form, fast is tuned; both")
      ->check(CLI::IsMember({"canonical", "fast", "both"}))
      ->capture_default_str();
  command
      .add_option_function<std::string>(
          "--sizes", [&teacher](const std::string& sizes) { teacher.realistic_sizes = sizes == "realistic"; },
          "of --generate: small tensors, or realistic ones for a GPU (default small)")
      ->check(CLI::IsMember({"small", "realistic"}));
}

// "fusions=3,singles=1": what is not named has no weight.
void read_families(const std::string& text, data::TeacherOptions& teacher) {
  const auto fail = [&] {
    throw base::UserError("prepare",
                          "--families " + text + ": write weights as fusions=3,singles=1,rewrites=6,chains=1");
  };
  teacher.fusions = teacher.singles = teacher.rewrites = teacher.chains = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) fail();
    const std::string name = part.substr(0, equals);
    double weight = -1;
    const char* last = part.data() + part.size();
    const auto read = std::from_chars(part.data() + equals + 1, last, weight);
    double* place = name == "fusions"    ? &teacher.fusions
                    : name == "singles"  ? &teacher.singles
                    : name == "rewrites" ? &teacher.rewrites
                    : name == "chains"   ? &teacher.chains
                                         : nullptr;
    if (place == nullptr || read.ec != std::errc() || read.ptr != last || !(weight >= 0)) fail();
    *place = weight;
    at = end + 1;
  }
  if (!(teacher.fusions + teacher.singles + teacher.rewrites + teacher.chains > 0)) fail();
}

double share(const std::string& choice, const char* second) {
  return choice == "both" ? 0.5 : choice == second ? 1 : 0;
}

}  // namespace

void declare(CLI::App& command, PrepareArguments& arguments) {
  declare_sources(command, arguments);
  declare_teacher(command, arguments);
  declare_fields(command, arguments.prepare);
  command.add_flag("--verify", arguments.verify, "judge every solution; only what passes is kept as a pair");
  command.add_option("--tokenizer", arguments.tokenizer,
                     "count this model's tokens (folder, .gguf or hub id) instead of Python's");
  command.add_option("--write-fragments", arguments.write_fragments,
                     "write the pieces of the training answers that save most tokens as single ones, and stand in no "
                     "prompt, to this file: a JSON array, for the trainer of a tokenizer");
  command.add_option("--write-hashes", arguments.write_hashes,
                     "write the operator hashes of the sources' tasks to this file, and nothing else");
  command.add_flag("--json", arguments.json, "print the figures as JSON");
  command.add_flag("--quiet", arguments.quiet, "no progress");
  declare(command, arguments.judge);
  // The judge's own, with more to choose from.
  command.remove_option(command.get_option("--policy"));
  command
      .add_option(
          "--policy", arguments.policy,
          "strict: no arithmetic outside kernels but on tiny tensors, for the judge or, where it writes, the teacher; "
          "both: half of the teacher's solutions")
      ->check(CLI::IsMember({"kernelbench", "strict", "both"}))
      ->capture_default_str();
  declare(command, arguments.cache);
  declare(command, arguments.machine);
}

data::PrepareOptions prepare_options(const PrepareArguments& arguments) {
  data::PrepareOptions options = arguments.prepare;
  read_families(arguments.families, options.teacher);
  const bool teaches = options.teacher.rewrite || options.teacher.generate > 0;
  if (!teaches && arguments.policy == "both")
    throw base::UserError("prepare", "--policy both is for --generate and --rewrite; choose kernelbench or strict");
  options.teacher.seed = arguments.judge.seed.value_or(0);
  options.teacher.strict = share(arguments.policy, "strict");
  options.teacher.fast = share(arguments.variants, "fast");
  if (options.prompt.act == text::PromptAct::kPlan) options.teacher.plan = teacher::PlanForm::kLines;
  options.teacher.counted_names = options.prompt.names == text::PromptNames::kCounted;
  if (options.teacher.generate > 0) {
    if (!arguments.sources.empty())
      throw base::UserError("prepare", "--generate reads no sources; leave out " + arguments.sources.front() +
                                           ", or prepare it in a run of its own");
    options.duplicates.near = false;  // modules that differ in names alone are what makes a model copy names
  }
  if (options.split.validation + options.split.test > 1)
    throw base::UserError("prepare", "--validation and --test are together more than 1; leave something for training");
  if (const std::string problem = text::contradiction(options.prompt); !problem.empty())
    throw base::UserError("prepare", problem);
  return options;
}

}  // namespace tritonrl::cli
