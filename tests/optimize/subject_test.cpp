#include "optimize/subject.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "optimize/eval_mode.h"
#include "optimize/state_names.h"
#include "optimize/teacher_candidates.h"
#include "tests/base/scratch_folder.h"
#include "tests/paths.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::optimize {
namespace {

const program::Target& target() {
  return program::find_target("h200");
}

SubjectTools tools() {
  const python::RecorderOptions options = python::test_recorder_options();
  SubjectTools out;
  out.reader = std::make_unique<python::SyntaxReader>(python::SyntaxReaderOptions{
      .interpreter = options.interpreter, .policy = options.policy, .library = options.library});
  out.recorder = []() -> python::Recorder& { return python::test_recorder(); };
  out.target = &target();
  return out;
}

Subject subject(const SubjectRequest& request, const std::vector<std::string>& paths = {}) {
  SubjectTools made = tools();
  made.python_paths = paths;
  return find_subject(request, made);
}

void expect_refused(const SubjectRequest& request, const std::string& why) {
  try {
    subject(request);
    ADD_FAILURE() << request.place << " is taken";
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

std::string recorded(const record::Task& task) {
  python::RecordRequest request;
  request.task = task;
  request.target = &target();
  const python::RecordOutcome outcome = python::test_recorder().record(request);
  return to_string(outcome.kind) + (outcome.message.empty() ? "" : ": " + outcome.message);
}

// A project of two files, with a script's work at the end of one.
class Project : public ::testing::Test {
 protected:
  Project() {
    base::make_folder_of(folder_.path("net/x"));
    base::write_file_atomically(folder_.path("net/__init__.py"), "");
    base::write_file_atomically(folder_.path("net/parts.py"), "def twice(x):\n    return x + x\n");
    base::write_file_atomically(
        folder_.path("net/blocks.py"),
        "import torch\nimport torch.nn as nn\nfrom .parts import twice\n\n\nclass First(nn.Module):\n"
        "    def forward(self, x):\n        return torch.relu(twice(x))\n\n\nclass Second(nn.Module):\n"
        "    def __init__(self, channels, groups=4):\n        super().__init__()\n"
        "        self.norm = nn.GroupNorm(groups, channels)\n\n    def forward(self, x):\n"
        "        return torch.tanh(self.norm(x))\n\n\nprint(undefined_name_of_a_script)\n");
  }
  std::string file() const { return folder_.path("net/blocks.py"); }
  const base::ScratchFolder folder_;
};

TEST_F(Project, AClassIsTakenWithWhatItNeedsFromOtherFiles) {
  const Subject first = subject({.place = file() + ":First", .inputs = {"f32[1..8,32]"}, .init = {}});
  EXPECT_EQ(first.entry_point, "First");
  EXPECT_EQ(first.source.find("Second"), std::string::npos) << first.source;
  EXPECT_NE(first.source.find("def twice"), std::string::npos) << first.source;
  EXPECT_EQ(first.inputs_from, kGiven);
  EXPECT_EQ(first.ranges(), (std::vector<Range>{{"1..8", 1, 8}}));
  EXPECT_NE(first.task({{"1..8", 3}}).source.find("torch.rand([3, 32])"), std::string::npos);
  EXPECT_EQ(recorded(first.task({{"1..8", 3}})), "recorded");
  // by its name in the environment
  EXPECT_EQ(subject({.place = "net.blocks:First", .inputs = {"f32[8]"}, .init = {}}, {folder_.path()}).entry_point,
            "First");
}

TEST_F(Project, ArgumentsFollowFromInputsAndInputsAreAsLargeAsPeoples) {
  const Subject given = subject({.place = file(), .inputs = {"f32[2,48,5]"}, .init = {}});
  EXPECT_EQ(given.entry_point, "Second") << "the last one of the file";
  EXPECT_NE(given.init_text.find("'channels': 48"), std::string::npos) << given.init_text;
  EXPECT_EQ(recorded(given.task({})), "recorded");
  const Subject made = subject({.place = file(), .inputs = {"f32[2,48,5]"}, .init = "48, groups=6"});
  EXPECT_NE(made.init_text.find("return [[48], {'groups': 6}]"), std::string::npos) << made.init_text;
  EXPECT_EQ(recorded(made.task({})), "recorded");
  const Subject found = subject({.place = file(), .inputs = {}, .init = {}});
  EXPECT_EQ(found.inputs_from, kFoundByTrial);
  EXPECT_EQ(found.shown_inputs, "[torch.rand([64, 64, 64, 64])]");
  EXPECT_EQ(recorded(found.task({})), "recorded");
}

TEST_F(Project, OptionsMayNameWhatTheFileDefines) {
  base::write_file_atomically(folder_.path("sized.py"),
                              "import torch.nn as nn\n\nclass Sizes:\n    def __init__(self, n):\n"
                              "        self.n = n\n\nclass Sized(nn.Module):\n    def __init__(self, sizes):\n"
                              "        super().__init__()\n        self.fc = nn.Linear(sizes.n, 4)\n\n"
                              "    def forward(self, x):\n        return self.fc(x)\n");
  const Subject sized = subject({.place = folder_.path("sized.py"), .inputs = {"f32[2,8]"}, .init = "Sizes(8)"});
  EXPECT_EQ(recorded(sized.task({})), "recorded") << sized.task({}).source;
}

TEST_F(Project, GivenInputsTakeThePlaceOfTheFilesOwn) {
  const std::string task = source_path("examples/tasks/softmax.py");
  const Subject own = subject({.place = task, .inputs = {}, .init = {}});
  EXPECT_EQ(own.task({}).source, base::read_file(task));
  EXPECT_EQ(own.entry_point, "Model");
  EXPECT_EQ(own.inputs_from, kOfTheFile);
  const Subject given = subject({.place = task, .inputs = {"f32[7,9]"}, .init = {}});
  EXPECT_EQ(given.source.find("def get_inputs"), std::string::npos) << given.source;
  EXPECT_NE(given.task({}).source.find("torch.rand([7, 9])"), std::string::npos);
  EXPECT_EQ(recorded(given.task({})), "recorded");
}

TEST_F(Project, BadInputIsNamedWithTheFix) {
  expect_refused({.place = folder_.path("none.py"), .inputs = {}, .init = {}}, "there is no such file; check the path");
  expect_refused({.place = "no.such.module:Block", .inputs = {}, .init = {}},
                 "no module of that name in the Python environment");
  expect_refused({.place = folder_.path("net"), .inputs = {}, .init = {}}, "is a folder; name one file of it");
  expect_refused({.place = file() + ":Third", .inputs = {}, .init = {}},
                 "defines no module class Third; it has First, Second");
  expect_refused({.place = file() + ":9", .inputs = {}, .init = {}}, "is no name of a class");
  expect_refused({.place = folder_.path("net/parts.py"), .inputs = {}, .init = {}},
                 "defines no class that derives from nn.Module");
  expect_refused({.place = file(), .inputs = {}, .init = "48, groups="}, "write constructor arguments as in a call");
  expect_refused({.place = file(), .inputs = {}, .init = "48); import os; f("}, "--init");
  expect_refused({.place = file(), .inputs = {"f32[2,7,5,5]"}, .init = {}}, "were found by trial (");
  base::write_file_atomically(folder_.path("broken.py"), "class X(:\n");
  expect_refused({.place = folder_.path("broken.py"), .inputs = {}, .init = {}},
                 "broken.py:1: is no Python that can be read");
  base::write_file_atomically(folder_.path("latin.py"), "# \xff\n");
  expect_refused({.place = folder_.path("latin.py"), .inputs = {}, .init = {}}, "is no UTF-8 text");
}

TEST(EvalMode, EndsTheConstructorOrAddsOne) {
  const std::string text =
      "import torch.nn as nn\n\nclass A(nn.Module):\n\n    def __init__(this, n):\n        super().__init__()\n"
      "\nclass B(A):\n\n    def forward(self, x):\n        return x";
  EXPECT_NE(in_eval_mode(text, "A").find("        super().__init__()\n        this.eval()\n"), std::string::npos)
      << in_eval_mode(text, "A");
  EXPECT_NE(in_eval_mode(text, "B").find("        super().__init__(*args, **kwargs)\n        self.eval()\n"),
            std::string::npos);
  EXPECT_EQ(in_eval_mode(text, "A").find("*args"), std::string::npos);
  EXPECT_THROW(in_eval_mode(text, "C"), base::UserError);
  EXPECT_THROW(in_eval_mode("class (", "C"), base::UserError);
}

class Teacher : public Project {
 protected:
  TeacherCandidates candidates(const record::Task& task, bool strict = false) {
    SubjectTools made = tools();
    python::ExpressionTracer tracer(python::test_recorder(), target());
    return teacher_candidates(task, strict, *made.reader, tracer);
  }
};

TEST_F(Teacher, WritesEveryFormOnceAndFewerKernelsWhereAsked) {
  const record::Task task = {
      .id = "M",
      .source =
          "import torch\nimport torch.nn as nn\n\nclass M(nn.Module):\n\n"
          "    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(64, 64)\n\n"
          "    def forward(self, x):\n        y = torch.relu(x) * 2\n        z = self.fc(y)\n"
          "        return torch.softmax(z, -1) + 1\n\ndef get_inputs():\n    return [torch.rand([128, 64])]\n",
      .entry_point = "M"};
  const TeacherCandidates all = candidates(task);
  ASSERT_EQ(all.candidates.size(), 2u) << all.why_none;
  EXPECT_EQ(all.candidates[0].source, "teacher, fast");
  ASSERT_GE(all.canonical.size(), 1u);
  EXPECT_EQ(all.canonical[0].source, "teacher, canonical");
  for (const Candidate& one : all.candidates) EXPECT_NE(one.code.find("class ModelNew"), std::string::npos);
  const std::vector<Candidate> fewer = all.fewer(all.candidates[0]);
  ASSERT_EQ(fewer.size(), 2u);
  EXPECT_EQ(fewer[0].code.find("tl.where(x > 0") == std::string::npos, true) << fewer[0].code;
  EXPECT_NE(fewer[0].code.find("torch.relu(x)"), std::string::npos) << fewer[0].code;
  EXPECT_NE(fewer[1].code.find("torch.softmax(z, -1) + 1"), std::string::npos) << fewer[1].code;
  EXPECT_TRUE(all.fewer(fewer[0]).empty()) << "there is one kernel left";
  for (const Candidate& one : candidates(task, /*strict=*/true).candidates)
    EXPECT_EQ(one.code.find("self.fc(y)"), std::string::npos) << one.code;
  // the same state dict
  EXPECT_EQ(other_state(task, all.candidates[0].code, python::test_recorder(), target()), "");
  std::string other = all.candidates[0].code;
  for (std::size_t at = 0; (at = other.find("self.fc", at)) != std::string::npos; at += 7)
    other.replace(at, 7, "self.fd");
  EXPECT_EQ(other_state(task, other, python::test_recorder(), target()), "it has no fc.bias");
}

TEST_F(Teacher, SaysWhereAModuleDoesNotRun) {
  const auto refused = [&](const std::string& forward, const std::string& why) {
    try {
      candidates(
          {.id = "M",
           .source =
               "import torch\nimport torch.nn as nn\n\nclass M(nn.Module):\n\n    def forward(self, x):\n        " +
               forward + "\n\ndef get_inputs():\n    return [torch.rand([4, 8])]\n",
           .entry_point = "M"});
      ADD_FAILURE() << forward;
    } catch (const base::UserError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused("return x @ x", "M does not run (forward at `return x @ x`): RuntimeError");
  refused("return undefined(x)", "NameError");
  const TeacherCandidates none = candidates({.id = "M",
                                             .source = "import torch\nimport torch.nn as nn\n\nclass M(nn.Module):\n\n"
                                                       "    def forward(self, x):\n        return torch.sort(x)[0]\n\n"
                                                       "def get_inputs():\n    return [torch.rand([4, 8])]\n",
                                             .entry_point = "M"});
  EXPECT_TRUE(none.candidates.empty());
  EXPECT_NE(none.why_none.find("nothing in it can be replaced"), std::string::npos) << none.why_none;
}

}  // namespace
}  // namespace tritonrl::optimize
