// `tritonrl optimize` from a module to a file that the judge passes again, and what it says to bad input.
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/files.h"
#include "base/json.h"
#include "generate/scripted_generator.h"
#include "serve/serving.h"
#include "tests/cli/run_tritonrl.h"
#include "tests/paths.h"
#include "weights/model_files.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;

// The teacher has nothing for it.
constexpr const char* kSorts =
    "import torch\nimport torch.nn as nn\n\nclass Sorts(nn.Module):\n"
    "    def forward(self, x):\n        return torch.sort(x)[0]\n";

class Optimize : public RunRecorder {
 protected:
  // Time for all candidates, however busy the machine is.
  base::CommandResult optimize(std::vector<std::string> arguments, const std::string& seconds = "600") const {
    arguments.insert(arguments.begin(), "optimize");
    arguments.insert(arguments.end(), {"--no-model", "--no-cache", "--search", "1", "--budget-seconds", seconds});
    return tritonrl(arguments);
  }
  std::string path(const std::string& name) const { return folder() + "/" + name; }
  static std::string module(const std::string& name) { return source_path("examples/modules/" + name); }
};

TEST_F(Optimize, WritesAFileThatTheJudgePassesAgain) {
  const base::CommandResult result = optimize({module("rms_norm.py") + ":RMSNorm", "--input", "f32[64..256,1024]",
                                               "--inner-sizes", "0", "--out", path("fast.py")});
  ASSERT_EQ(result.exit_code, 0) << result.output << result.errors;
  for (const char* part : {"rms_norm.py:RMSNorm, inputs given", "teacher, fast", "passed", "modelled",
                           "lowest: 64..256 = 64", "times eager torch (modelled on h200", "written: "})
    EXPECT_TRUE(contains(result.output, part)) << part << " in\n" << result.output;
  const Json proof = Json::parse(base::read_file(path("fast.json")));
  EXPECT_TRUE(proof.at("winner").at("faster").boolean());
  EXPECT_TRUE(proof.at("winner").at("same_state_dict").boolean());
  EXPECT_EQ(proof.at("winner").at("other_sizes").size(), 1u);
  const base::CommandResult again =
      tritonrl({"verify", path("fast.py"), "--task", file("task.py", proof.at("task").text()), "--json", "--no-cache"});
  EXPECT_EQ(again.exit_code, 0) << again.output << again.errors;
}

TEST_F(Optimize, WritesNothingWhereEagerIsBetter) {
  // two launches where torch has one
  const std::string mean = file("mean.py",
                                "import torch.nn as nn\n\nclass Mean(nn.Module):\n"
                                "    def forward(self, x):\n        return x.mean()\n");
  const base::CommandResult result = optimize({mean, "--input", "f32[1000]", "--out", path("slow.py")});
  EXPECT_EQ(result.exit_code, 1) << result.output << result.errors;
  EXPECT_TRUE(contains(result.output, "eager torch is the better choice: the best proven kernel")) << result.output;
  EXPECT_TRUE(contains(result.output, "nothing was written; --even-slower writes it all the same")) << result.output;
  EXPECT_FALSE(fs::exists(path("slow.py")));
}

TEST_F(Optimize, SaysWhatWasTriedWhereNothingPasses) {
  const std::string sorts = file("sorts.py", kSorts);
  const base::CommandResult result = optimize({sorts, "--input", "f32[4,8]", "--out", path("no.py")});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_TRUE(contains(result.output, "no kernel for sorts.py:Sorts was proven")) << result.output;
  EXPECT_TRUE(contains(result.output, "nothing in it can be replaced by a kernel")) << result.output;
  EXPECT_FALSE(fs::exists(path("no.py")));
}

TEST_F(Optimize, AsksAServer) {
  const text::ModelText text = weights::open_tokenizer({.path = source_path("models/embedded")});
  generate::ScriptedGenerator generator({"```python\nimport torch\nclass ModelNew(torch.nn.Module):\n"
                                         "    def forward(self, x):\n        return x\n```"},
                                        text.tokenizer);
  serve::ServedParts parts;
  parts.model = {&generator, &text, "small", {.vocabulary = text.tokenizer.size(), .context = 4096}};
  serve::ServeOptions options;
  options.port = 0;
  serve::Serving serving(options, "", parts);
  std::thread serves([&] { serving.run(std::chrono::seconds(10)); });
  const std::string sorts = file("sorts.py", kSorts), tokenizer = source_path("models/embedded");
  const auto asked = [&](int port) {
    return tritonrl({"optimize", sorts, "--input", "f32[4,8]", "--model", "http://127.0.0.1:" + std::to_string(port),
                     "--tokenizer", tokenizer, "--samples", "1", "--no-cache", "--out", path("no.py"),
                     "--budget-seconds", "600"});
  };
  const base::CommandResult result = asked(serving.port());
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_TRUE(contains(result.output, "model, likeliest answer: invalid: no_kernel")) << result.output << result.errors;
  serving.stop();
  serves.join();
  const base::CommandResult nameless = tritonrl({"optimize", sorts, "--model", "http://127.0.0.1:1"});
  EXPECT_EQ(nameless.exit_code, 2);
  EXPECT_TRUE(contains(nameless.errors, "pass --tokenizer")) << nameless.errors;
}

TEST_F(Optimize, ListsWhatOfAFileIsWorthIt) {
  const std::string net = file("net.py",
                               "import torch\nimport torch.nn as nn\nfrom dataclasses import dataclass\n\n"
                               "@dataclass\nclass Sizes:\n    width: int = 64\n\n"
                               "class Act(nn.Module):\n    def __init__(self, sizes):\n        super().__init__()\n"
                               "    def forward(self, x):\n        return torch.tanh(x) * torch.sigmoid(x)\n\n"
                               "class Net(nn.Module):\n    def __init__(self, sizes: Sizes):\n"
                               "        super().__init__()\n        self.act = Act(sizes)\n"
                               "        self.fc = nn.Linear(sizes.width, 8)\n"
                               "    def forward(self, x):\n        return self.fc(self.act(x))\n\n"
                               "print(Net(Sizes(64))(torch.rand(2, 64)))\n");
  const base::CommandResult result = tritonrl({"optimize", "--model-file", net, "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json surveys = Json::parse(result.output).at("surveys");
  ASSERT_EQ(surveys.size(), 1u) << "the activation is one of the network's";
  const Json& classes = surveys[0].at("classes");
  ASSERT_EQ(classes.size(), 2u);
  const Json& act = classes[classes[0].at("class").text() == "Act" ? 0 : 1];
  EXPECT_EQ(act.at("class").text(), "Act");
  EXPECT_TRUE(contains(act.at("command").text(), "net.py:Act --input 'f32[64,64,64]' --init 'Sizes(width=64)'"))
      << act.at("command").text();
  const base::CommandResult both = tritonrl({"optimize", net, "--model-file", net});
  EXPECT_EQ(both.exit_code, 2) << both.errors;
}

// Warm processes are shared; what is there is not done again.
TEST_F(Optimize, ManyModulesGoOnWhereTheyWereStopped) {
  const std::string list = file("list.jsonl", "{\"id\": \"rms\", \"module\": \"" + module("rms_norm.py") +
                                                  "\", \"input\": [\"f32[64,1024]\"]}\n"
                                                  "{\"id\": \"sorts\", \"module\": \"" +
                                                  file("sorts.py", kSorts) +
                                                  "\", \"input\": [\"f32[4,8]\"]}\n"
                                                  "{\"id\": \"none\", \"module\": \"none.py\"}\n");
  const auto batch = [&](const std::string& seconds) {
    return optimize({"--batch", list, "--out", path("out.jsonl"), "--at-once", "2"}, seconds);
  };
  const base::CommandResult result = batch("600");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(contains(result.output, "3 modules: 1 proven, times modelled\nover eager torch: 1 of 1 faster"))
      << result.output;
  EXPECT_TRUE(fs::exists(path("out/rms.py")));
  EXPECT_TRUE(fs::exists(path("out/rms.json")));
  std::vector<std::string> lines = lines_of(base::read_file(path("out.jsonl")));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(Json::parse(lines[0]).contains("options"));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Json line = Json::parse(lines[i]);
    EXPECT_EQ(line.at("proven").boolean(), line.at("id").text() == "rms") << lines[i];
    EXPECT_EQ(line.contains("problem"), line.at("id").text() != "rms") << lines[i];
  }
  // what is missing is done again, and a torn line is none
  std::erase_if(lines, [](const std::string& line) { return contains(line, "\"id\":\"none\""); });
  file("out.jsonl", lines[0] + "\n" + lines[1] + "\n" + lines[2] + "\n{\"id\": \"");
  const base::CommandResult again = batch("600");
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_EQ(lines_of(base::read_file(path("out.jsonl"))).size(), 4u);
  const base::CommandResult other = batch("601");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.errors, "is not of these options")) << other.errors;
}

TEST_F(Optimize, BadInputIsTheUsersToMend) {
  struct Case {
    std::vector<std::string> arguments;
    const char* why;
  };
  const std::string rms = module("rms_norm.py");
  const Case cases[] = {
      {{path("none.py")}, "none.py: there is no such file"},
      {{rms, "--input", "f32[8"}, "--input 'f32[8': is no input; write TYPE[SIZE,...]"},
      {{rms, "--input", "f32[8,16]", "--init", "7"}, "RMSNorm does not run (forward"},
      {{rms, "--out", rms}, "is there and is no earlier result of this command"},
      {{rms, "--baseline", "compile"}, "needs a GPU"},
      {{rms, "--batch", path("list.jsonl")}, "name one module, FILE:Class, or many by --batch"},
  };
  for (const Case& each : cases) {
    const base::CommandResult result = optimize(each.arguments);
    EXPECT_EQ(result.exit_code, 2) << result.output << result.errors;
    EXPECT_TRUE(contains(result.errors, each.why)) << each.why << " in\n" << result.errors;
  }
}

}  // namespace
}  // namespace tritonrl::cli
