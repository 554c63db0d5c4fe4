// How constructors come by the state of a module, and which of it gets other contents.
#include "judge/made_state.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "judge/constant_state.h"
#include "tests/python/test_recorder.h"
#include "tests/runner/test_runner.h"

namespace tritonrl::judge {
namespace {

program::Program program_with(const std::string& init) {
  const std::string source =
      "import copy\nimport torch\nimport torch.nn as nn\nclass Model(nn.Module):\n    def __init__(self):\n"
      "        super().__init__()\n        " +
      init + "\n    def forward(self, x):\n        return x + 1\ndef get_inputs():\n    return [torch.rand(4)]\n";
  python::RecordOutcome outcome = python::test_recorder().record(python::task_request(source));
  EXPECT_TRUE(outcome.program) << outcome.message;
  return std::move(*outcome.program);
}

std::vector<runner::TensorData> initial_state(const program::Program& program, std::uint64_t seed) {
  runner::RunRequest how;
  how.program = &program;
  how.seed = seed;
  how.want_state = true;
  return runner::test_runner().run(how).state;
}

std::vector<GivenState> others_of(const program::Program& program) {
  return other_state(program, initial_state(program, 3), 5);
}

std::vector<std::string> names_of(const std::vector<GivenState>& state) {
  std::vector<std::string> out;
  for (const GivenState& one : state) out.push_back(one.name);
  return out;
}

using Names = std::vector<std::string>;

struct MadeCase {
  const char* init;
  std::vector<Origin> origins;  // of the state
  Names others;                 // what gets other contents
};

const MadeCase kCases[] = {
    {"self.a = nn.Parameter(torch.ones(8))", {Origin::kConstant}, {"a"}},
    {"self.a = nn.Parameter(torch.tensor([0.5, 0.7]))", {Origin::kLiteral}, {"a"}},
    {"self.a = nn.Parameter(torch.ones(8) * 0.5)", {Origin::kComputed}, {"a"}},
    {"self.a = nn.Parameter(torch.eye(4))", {Origin::kComputed}, {"a"}},
    {"self.a = nn.Parameter(torch.zeros(8)); self.a.data[4:] = 1.0", {Origin::kComputed}, {"a"}},
    {"self.a = nn.Parameter(torch.log(torch.arange(1, 9).float()))", {Origin::kComputed}, {"a"}},
    {"self.a = nn.Parameter(torch.randn(8))", {Origin::kDrawn}, {}},
    {"self.a = nn.Parameter(torch.randn(8) * 0.5)", {Origin::kDrawn}, {}},
    {"self.a = nn.Parameter(nn.init.normal_(torch.empty(8), 1.0, 1e-6))", {Origin::kDrawn}, {"a"}},
    {"self.a = nn.Parameter(torch.randn(8)); self.b = nn.Parameter(self.a.detach().clone())",
     {Origin::kDrawn, Origin::kRepeated},
     {"b"}},
    {"self.a = nn.Parameter(torch.randn(8)); self.b = nn.Parameter(self.a.detach().norm().reshape(1))",
     {Origin::kDrawn, Origin::kRepeated},
     {"b"}},
    {"self.a = nn.Parameter(torch.empty(8).uniform_()); self.b = nn.Parameter(torch.empty(8).uniform_())",
     {Origin::kDrawn, Origin::kDrawn},
     {}},
    // buffers: constants and numbers of the source, not what a module computes for itself
    {"self.register_buffer('a', torch.ones(8))", {Origin::kConstant}, {"a"}},
    {"self.register_buffer('a', torch.tensor([1.0, 2.0, 1.0]))", {Origin::kLiteral}, {"a"}},
    {"self.register_buffer('a', torch.tril(torch.ones(4, 4)))", {Origin::kComputed}, {}},
    {"self.register_buffer('a', torch.linspace(0, 1, 8))", {Origin::kComputed}, {}},
    // copies of one layer have places of their own
    {"one = nn.LayerNorm(4); self.a = nn.ModuleList([copy.deepcopy(one) for _ in range(2)])",
     {Origin::kConstant, Origin::kConstant, Origin::kConstant, Origin::kConstant},
     {"a.0.weight", "a.0.bias", "a.1.weight", "a.1.bias"}},
};

TEST(MadeState, IsWhatAnotherSeedWouldNotChange) {
  for (const MadeCase& one : kCases) {
    const program::Program program = program_with(one.init);
    const MadeState made = made_state(program);
    ASSERT_EQ(made.state.size(), one.origins.size()) << one.init;
    for (std::size_t i = 0; i < one.origins.size(); ++i) {
      ASSERT_TRUE(made.state[i]) << one.init;
      EXPECT_EQ(made.state[i]->origin, one.origins[i]) << one.init << ", " << program.state[i].name;
    }
    EXPECT_EQ(names_of(others_of(program)), one.others) << one.init;
  }
}

// Other contents given where they are made are what the state holds, all of it and each its own.
TEST(MadeState, OtherContentsArriveInTheState) {
  for (const MadeCase& one : kCases) {
    const program::Program program = program_with(one.init);
    const std::vector<GivenState> others = others_of(program);
    if (others.empty()) continue;
    const DrawnState drawn = drawn_of(program, others);
    EXPECT_TRUE(drawn.missing.empty()) << one.init;
    runner::RunRequest how;
    how.program = &program;
    how.seed = 3;
    how.want_state = true;
    how.drawn = drawn.drawn;
    const std::vector<runner::TensorData> state = runner::test_runner().run(how).state;
    ASSERT_EQ(state.size(), program.state.size()) << one.init;
    for (const GivenState& given : others) {
      const auto at = std::ranges::find(program.state, given.name, &program::NamedTensor::name) - program.state.begin();
      EXPECT_EQ(state[static_cast<std::size_t>(at)].bytes, given.contents.bytes) << one.init << ", " << given.name;
    }
  }
}

struct Match {
  const char *reference, *candidate;
  Names missing;
};

const Match kMatches[] = {
    {"self.a = nn.Parameter(torch.ones(8) * 0.5)", "self.own = nn.Parameter(torch.full((8,), 0.5))", {}},
    {"self.a = nn.Parameter(torch.eye(4))", "self.own = nn.Parameter(torch.zeros(4, 4).fill_diagonal_(1.0))", {}},
    {"self.a = nn.Parameter(torch.ones(8) * 0.5)", "pass", {"a"}},
    {"self.a = nn.Parameter(torch.ones(8)); self.b = nn.Parameter(torch.zeros(8))",
     "self.b = nn.Parameter(torch.zeros(8))",
     {"a"}},
    // packed by the constructor: where the parts are made
    {"self.a = nn.Parameter(torch.ones(8)); self.b = nn.Parameter(torch.zeros(8))",
     "self.both = nn.Parameter(torch.cat([torch.ones(8), torch.zeros(8)]))",
     {}},
};

TEST(MadeState, FindsTheCandidatesOwn) {
  for (const Match& one : kMatches) {
    const std::vector<GivenState> others = others_of(program_with(one.reference));
    Names missing;
    for (const GivenState* given : drawn_of(program_with(one.candidate), others).missing)
      missing.push_back(given->name);
    EXPECT_EQ(missing, one.missing) << one.reference << " / " << one.candidate;
  }
}

}  // namespace
}  // namespace tritonrl::judge
