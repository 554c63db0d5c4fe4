// Every kernel of the examples and of the corpus, as recorded at small shapes, compiles for the H200: to Triton IR, and
// to machine code.
#include <gtest/gtest.h>

#include <set>

#include "record/task_constants.h"
#include "tests/base/scratch_folder.h"
#include "tests/python/corpus.h"
#include "tests/python/test_compiler.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::python {
namespace {

struct Recorded {
  std::string name;  // of the pair
  program::Program program;
};

const std::vector<Recorded>& recorded_corpus() {
  static const std::vector<Recorded> corpus = [] {
    std::vector<Recorded> out;
    Recorder recorder(test_recorder_options());
    for (const CorpusPair& pair : read_corpus()) {
      RecordOutcome outcome =
          recorder.record(candidate_request(record::with_constants(pair.task, pair.small), pair.candidate));
      EXPECT_EQ(outcome.kind, RecordOutcome::Kind::kRecorded) << pair.name << ": " << outcome.message;
      if (outcome.program) out.push_back({pair.name, std::move(*outcome.program)});
    }
    return out;
  }();
  return corpus;
}

// With a cache: many launches are alike.
KernelCompiler& compiler() {
  static const base::ScratchFolder folder;
  static KernelCompiler one = [] {
    KernelCompilerOptions options = test_compiler_options();
    options.cache = folder.path("cache");
    return KernelCompiler(std::move(options));
  }();
  return one;
}

// Calls `visit(pair, kernel, variant)` for every variant of every launch.
template <class Visitor>
void for_each_launch(Visitor&& visit) {
  for (const Recorded& one : recorded_corpus()) {
    const auto see = [&](const std::vector<program::Step>& steps) {
      for (const program::Step& step : steps) {
        const auto* launch = std::get_if<program::Launch>(&step);
        if (launch == nullptr) continue;
        const program::Kernel& kernel = one.program.kernels.at(static_cast<std::size_t>(launch->kernel));
        for (const program::LaunchVariant& variant : launch->variants) visit(one.name, kernel, variant);
      }
    };
    see(one.program.initialise);
    for (const program::Forward& forward : one.program.forwards) see(forward.steps);
  }
}

TEST(CompileCorpus, EveryKernelHasItsIr) {
  int compiled = 0;
  for_each_launch([&](const std::string& pair, const program::Kernel& kernel, const program::LaunchVariant& variant) {
    SCOPED_TRACE(pair + ": " + kernel.name);
    const CompileOutcome outcome = compiler().compile(
        {.kernel = &kernel, .variant = &variant, .target = &program::find_target("h200"), .machine_code = false});
    ASSERT_EQ(outcome.kind, CompileOutcome::Kind::kCompiled) << outcome.exception << " " << outcome.message << "\n"
                                                             << outcome.code << "\n"
                                                             << outcome.log.substr(0, 1000);
    EXPECT_NE(outcome.kernel.ir.find("tt.func public @" + kernel.name + "("), std::string::npos);
    EXPECT_FALSE(outcome.kernel.signature.empty());
    ++compiled;
  });
  EXPECT_GT(compiled, 100);
}

// In one of its configurations, as it is judged; the IR of all of them is above.
TEST(CompileCorpus, EveryKernelHasItsMachineCode) {
  std::set<const program::Kernel*> seen;
  for_each_launch([&](const std::string& pair, const program::Kernel& kernel, const program::LaunchVariant& variant) {
    if (!seen.insert(&kernel).second) return;
    SCOPED_TRACE(pair + ": " + kernel.name);
    const CompileOutcome outcome = compiler().compile(
        {.kernel = &kernel, .variant = &variant, .target = &program::find_target("h200"), .machine_code = true});
    ASSERT_EQ(outcome.kind, CompileOutcome::Kind::kCompiled) << outcome.exception << " " << outcome.message << "\n"
                                                             << outcome.log.substr(0, 1000);
    EXPECT_EQ(outcome.kernel.entry, kernel.name);
    EXPECT_GT(outcome.kernel.registers, 0);
    EXPECT_LE(outcome.kernel.registers, 255);
    EXPECT_EQ(outcome.kernel.scratch_bytes > 0,
              outcome.kernel.ir.find("tt.make_tensor_descriptor") != std::string::npos);
  });
}

}  // namespace
}  // namespace tritonrl::python
