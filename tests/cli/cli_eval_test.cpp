#include <filesystem>

#include "base/files.h"
#include "base/json.h"
#include "model/adapter.h"
#include "model/save_model.h"
#include "tests/cli/run_tritonrl.h"
#include "tests/generate/small_model.h"
#include "tests/paths.h"
#include "text/prompt.h"
#include "text/tokenizer/tokenizer_json.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;

// `tritonrl eval` on two tasks.
class Eval : public RunRecorder {
 protected:
  void SetUp() override {
    RunRecorder::SetUp();
    fs::create_directories(path("tasks"));
    for (const char* name : {"relu_bias", "softmax"}) fs::copy(example("tasks", name), path("tasks"));
  }

  std::string path(const std::string& name) const { return folder() + "/" + name; }
  static std::string example(const std::string& kind, const std::string& name) {
    return source_path("examples/" + kind + "/" + name + ".py");
  }
  base::CommandResult eval(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"eval", "--tasks", path("tasks"), "--no-cache", "--quiet"});
    return tritonrl(arguments);
  }
  std::string answers(const std::string& name, const std::vector<std::pair<std::string, std::string>>& lines) const {
    std::string text;
    for (const auto& [id, answer] : lines) text += Json{{"id", id}, {"text", answer}}.dump() + "\n";
    return file(name, text);
  }
  static void expect_refused(const base::CommandResult& result, const std::string& why) {
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_TRUE(contains(result.errors, why)) << result.errors;
  }
};

TEST_F(Eval, ScoresAnswersThatWereWrittenElsewhereAndComparesThem) {
  const std::string kernel = "```python\n" + base::read_file(example("kernels", "relu_bias")) + "```";
  const std::string good = answers("good.jsonl", {{"modules/relu_bias.py", kernel}, {"modules/softmax.py", "no idea"}});
  const std::string bad = answers("bad.jsonl", {{"modules/relu_bias.py", "no idea"}, {"modules/softmax.py", "none"}});
  const base::CommandResult first = eval({"--answers", good, "--out", path("out/good.json")});
  EXPECT_EQ(first.exit_code, 0) << first.errors;
  EXPECT_TRUE(contains(first.output, "correct_rate            50.0 % (")) << first.output;
  EXPECT_TRUE(contains(first.output, "1 extraction")) << first.output;
  const Json json = Json::parse(base::read_file(path("out/good.json")));
  EXPECT_EQ(json.at("num_tasks").integer(), 2);
  EXPECT_EQ(json.at("timing").text(), "modelled");
  EXPECT_EQ(json.at("metrics").at("correct_rate").real(), 0.5);
  EXPECT_EQ(json.at("detailed_results").at(0).at("text").text(), kernel);
  EXPECT_EQ(json.at("detailed_results").at(1).at("stage").text(), "extract");

  // All is there: the same command says the same, another judge must be asked for.
  EXPECT_EQ(eval({"--answers", good, "--out", path("out/good.json")}).output, first.output);
  EXPECT_EQ(Json::parse(base::read_file(path("out/good.json"))), json);
  expect_refused(eval({"--answers", good, "--out", path("out/good.json"), "--policy", "strict"}),
                 "was begun with other options: judge.policy");

  EXPECT_EQ(eval({"--answers", bad, "--out", path("out/bad.json")}).exit_code, 0);
  const base::CommandResult compared = tritonrl({"eval", "--compare", path("out/good.json"), path("out/bad.json")});
  EXPECT_EQ(compared.exit_code, 0) << compared.errors;
  EXPECT_TRUE(contains(compared.output, "2 tasks: both solve 0, only the first 1, only this 0; p = 1 (McNemar)"))
      << compared.output;
}

TEST_F(Eval, TheTeacherAnswers) {
  const base::CommandResult result =
      eval({"--model_path", "teacher", "--num-tasks", "1", "--out", path("teacher.json")});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json json = Json::parse(base::read_file(path("teacher.json")));
  EXPECT_EQ(json.at("model_path").text(), "teacher");
  EXPECT_EQ(json.at("metrics").at("correct_rate").real(), 1) << result.output;
  expect_refused(tritonrl({"eval", "--from-results", path("teacher.json"), "--kernelbench-results", folder()}),
                 "no task is one of KernelBench's");
}

TEST_F(Eval, SaysWhatIsMissingBeforeAnythingRuns) {
  const std::string none = answers("none.jsonl", {{"another/task", "text"}});
  expect_refused(eval({}), "name who answers");
  expect_refused(eval({"--answers", none}), "answers none of the tasks: it has another/task");
  expect_refused(eval({"--answers", path("nothing.jsonl")}), "nothing.jsonl");
  expect_refused(eval({"--model", path("nothing")}), "nothing");
  fs::create_directories(path("empty"));
  expect_refused(eval({"--model", path("empty"), "--out", path("empty.json")}), "no model in this folder");
  EXPECT_FALSE(fs::exists(path("empty.jsonl")));
  expect_refused(tritonrl({"eval", "--model", path("empty")}), "name tasks");
  expect_refused(tritonrl({"eval", "--compare", none, none}), "none.jsonl: ");
}

TEST_F(Eval, AsksAModelInTheWordsOfTraining) {
  std::unique_ptr<model::Transformer> model = generate::small_model(/*max_position=*/4096);
  model::save_model(*model, path("model"));
  const text::Tokenizer tokenizer = generate::small_tokenizer();
  base::write_file_atomically(path("model/tokenizer.json"), text::tokenizer_json(tokenizer.parts()));
  const std::vector<std::string> arguments = {"--model",   path("model"), "--device",         "cpu", "--dtype", "fp32",
                                              "--samples", "2",           "--max-new-tokens", "12",  "--seed",  "3",
                                              "--greedy",  "--out",       path("model.json")};
  const base::CommandResult result = eval(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json json = Json::parse(base::read_file(path("model.json")));
  const Json& details = json.at("detailed_results");
  ASSERT_EQ(details.size(), 6u);
  EXPECT_EQ(json.at("metrics").at("rates_of").text(), "greedy answer");
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string source = base::read_file(example("tasks", i < 3 ? "relu_bias" : "softmax"));
    const std::string asked = text::prompt({.code = source, .normal = {}, .entry_point = "Model"}, {});
    EXPECT_EQ(details.at(i).at("prompt_tokens").natural(), tokenizer.encode_from_start(asked).size());
    EXPECT_EQ(details.at(i).at("kind").text(), "no_code") << details.at(i);
    EXPECT_EQ(details.at(i).at("greedy").boolean(), i % 3 == 0);
  }
  EXPECT_NE(details.at(1).at("text"), details.at(2).at("text"));
  // Taken away from the log, a sample comes back the same.
  const std::string log = base::read_file(path("model.jsonl"));
  const std::vector<std::string> lines = lines_of(log);
  ASSERT_EQ(lines.size(), 7u);
  base::write_file_atomically(path("model.jsonl"),
                              lines[0] + "\n" + lines[1] + "\n" + lines[2] + "\n" + lines[4] + "\n");
  EXPECT_EQ(eval(arguments).exit_code, 0);
  EXPECT_EQ(Json::parse(base::read_file(path("model.json"))).at("detailed_results"), details);

  // An adapter that was never trained is the base under another name.
  model::add_adapter(*model, {}, /*seed=*/2);
  model::save_adapter(*model, {.base_model = path("model")}, path("adapter"));
  expect_refused(eval({"--model", path("adapter"), "--device", "cpu"}), "was never trained");
}

// Nobody says how it is asked: that lies beside its weights. Its answers are counted names without constructors.
TEST_F(Eval, TheModelThatIsShippedWritesKernelsThatPass) {
  const base::CommandResult result =
      eval({"--model", source_path("models/embedded"), "--device", "cpu", "--temperature", "0", "--max-new-tokens",
            "1500", "--out", path("out/shipped.json")});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const Json json = Json::parse(base::read_file(path("out/shipped.json")));
  EXPECT_EQ(json.at("metrics").at("correct_rate").real(), 1) << result.output;
  EXPECT_EQ(json.at("options").at("prompt").at("names").text(), "counted");
  EXPECT_TRUE(contains(json.at("detailed_results").at(0).at("text").text(), "def __init__")) << "made whole";
}

}  // namespace
}  // namespace tritonrl::cli
