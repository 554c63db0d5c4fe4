#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <optional>

#include "base/files.h"
#include "data/rows/row_reader.h"
#include "tests/cli/run_tritonrl.h"
#include "tests/hub/hub_server.h"
#include "tests/paths.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

class PrepareCommand : public RunRecorder {
 protected:
  std::string out(const std::string& name = "out") const { return folder() + "/" + name; }
  static std::map<std::string, std::string> files(const std::string& place) {
    std::map<std::string, std::string> out;
    for (const fs::directory_entry& entry : fs::directory_iterator(place))
      out[entry.path().filename().string()] = base::read_file(entry.path());
    return out;
  }
  static std::string golden(const std::string& name) { return source_path("tests/data/rows/goldens/" + name); }
};

TEST_F(PrepareCommand, GivesTheSameBytesForEveryFormat) {
  // The same name, so that rows that are left out are named alike.
  std::vector<std::string> formats = {"rows.json", "rows.jsonl"};
  if (data::reads_parquet()) formats.insert(formats.end(), {"rows_zstd.parquet", "rows_snappy.parquet"});
  std::map<std::string, std::string> first;
  for (const std::string& name : formats) {
    const std::string extension = fs::path(name).extension();
    const std::string source = folder() + "/" + name + "_/rows" + extension;
    fs::create_directories(fs::path(source).parent_path());
    fs::copy_file(golden(name), source);
    const base::CommandResult result = tritonrl({"prepare", source, "--out", out(name)});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const auto written = files(out(name));
    EXPECT_EQ(written.size(), 6u);
    EXPECT_GT(written.at("sft_train.jsonl").size(), 1000u);
    if (first.empty()) {
      first = written;
    } else {
      EXPECT_EQ(written, first) << name;
    }
  }
}

TEST_F(PrepareCommand, PrintsATable) {
  const base::CommandResult result =
      tritonrl({"prepare", golden("rows.jsonl"), "--out", out(), "--quiet", "--num-samples", "5"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(contains(result.output, " read, 5 kept (")) << result.output;
  EXPECT_TRUE(contains(result.output, "level 1   level 2   level 3")) << result.output;
  EXPECT_TRUE(contains(result.output, "instruction, Python tokens")) << result.output;
}

TEST_F(PrepareCommand, GoesOnAfterItWasKilled) {
  std::string rows;
  const std::string base_rows = base::read_file(golden("rows.jsonl"));
  for (int i = 0; i < 12; ++i) rows += base_rows;
  const std::string source = file("many.jsonl", rows);
  const std::vector<std::string> common = {"prepare", source,    "--keep-duplicates", "--labels",
                                           "text",    "--quiet", "--workers",         "1"};
  std::vector<std::string> whole = common, killed = common;
  whole.insert(whole.end(), {"--out", out("whole")});
  killed.insert(killed.end(), {"--out", out("killed")});
  ASSERT_EQ(tritonrl(whole).exit_code, 0);
  // Killed at any moment, again and again, until a run is left alone.
  for (const char* seconds : {"0.2", "0.5", "0.9"})
    shell("timeout -s KILL " + std::string(seconds) + " \"$0\" \"$@\"; true", killed);
  const base::CommandResult last = tritonrl(killed);
  ASSERT_EQ(last.exit_code, 0) << last.errors;
  EXPECT_EQ(files(out("killed")), files(out("whole")));
}

TEST_F(PrepareCommand, SaysWhatMustBeFixed) {
  struct Case {
    std::string source, message;
  };
  const std::string text = file("notes.txt", "these are notes\n"), cut = file("cut.parquet", "PAR1....");
  const Case cases[] = {{"missing.parquet", "does not exist"},
                        {text, "expected a parquet file, a JSON array of objects or JSON lines"},
                        {cut, "cut.parquet"},
                        {file("columns.jsonl", "{\"a\": 1}\n"), "python_code, pytorch_code and code"}};
  for (const Case& one : cases) {
    const base::CommandResult result = tritonrl({"prepare", one.source, "--out", out(), "--quiet"});
    EXPECT_EQ(result.exit_code, 2) << one.source;
    EXPECT_TRUE(contains(result.errors, one.message)) << one.source << ": " << result.errors;
  }
  EXPECT_EQ(tritonrl({"prepare", text, "--validation", "0.6", "--test", "0.6"}).exit_code, 2);
  EXPECT_EQ(tritonrl({"prepare", text, "--prompt", "short", "--one-shot"}).exit_code, 2);
}

// Other files are read all the same.
TEST_F(PrepareCommand, GoesOnBesideAFileThatIsDamaged) {
  const std::string cut = file("cut.parquet", "PAR1....");
  const base::CommandResult result =
      tritonrl({"prepare", cut, golden("rows.jsonl"), "--out", out(), "--quiet", "--labels", "text"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(contains(result.output, "unreadable")) << result.output;
  EXPECT_TRUE(contains(result.output, "cut")) << result.output;
}

// From the hub the first time, from its cache afterwards; JSON beside parquet is not fetched.
TEST_F(PrepareCommand, FetchesADataSetOfTheHub) {
  const bool parquet = data::reads_parquet();
  std::optional<hub::HubServer> server;
  server.emplace(
      hub::ServedRepository{.path = "datasets/ScalingIntelligence/KernelBook",
                            .files = {{"README.md", "read me"}},
                            .large = {{"dataset_permissive.parquet", base::read_file(golden("rows_zstd.parquet"))},
                                      {"dataset_permissive.json", base::read_file(golden("rows.json"))}}});
  const auto prepare = [&](const std::string& endpoint, const std::string& place) {
    return shell("env no_proxy=127.0.0.1 HF_ENDPOINT=" + endpoint + " HF_HOME=" + folder() + "/hf \"$0\" \"$@\"",
                 {"prepare", "ScalingIntelligence/KernelBook", "--out", out(place), "--labels", "text", "--quiet"});
  };
  const std::string address = server->address();
  const base::CommandResult first = prepare(address, "first");
  ASSERT_EQ(first.exit_code, 0) << first.errors;
  EXPECT_EQ(server->transfers("dataset_permissive.parquet").size(), parquet ? 1u : 0u);
  EXPECT_EQ(server->transfers("dataset_permissive.json").size(), parquet ? 0u : 1u);
  server.reset();
  const base::CommandResult second = prepare(address, "second");
  ASSERT_EQ(second.exit_code, 0) << second.errors;
  EXPECT_EQ(files(out("second")), files(out("first")));
  const base::CommandResult other = shell("env HF_HUB_OFFLINE=1 HF_HOME=" + folder() + "/hf \"$0\" \"$@\"",
                                          {"prepare", "nobody/nothing", "--out", out(), "--quiet"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.errors, "datasets--nobody--nothing does not exist")) << other.errors;
}

TEST_F(PrepareCommand, JudgesSolutionsOnRequest) {
  if (!fs::exists(build_path("tritonrl-runner"))) GTEST_SKIP() << "no runner was built";
  const auto quoted = [](const std::string& text) {
    std::string out = "\"";
    for (const char c : text) out += c == '\n' ? "\\n" : c == '"' ? "\\\"" : c == '\\' ? "\\\\" : std::string(1, c);
    return out + "\"";
  };
  const std::string task = base::read_file(source_path("examples/tasks/relu_bias.py"));
  const std::string right = base::read_file(source_path("examples/kernels/relu_bias.py"));
  std::string wrong = right;
  wrong.replace(wrong.find("x + bias"), 8, "x - bias");
  const std::string other = base::read_file(source_path("examples/tasks/rmsnorm.py"));
  const std::string rows =
      file("rows.jsonl", "{\"pytorch_code\":" + quoted(task) + ",\"triton_code\":" + quoted(right) +
                             ",\"id\":\"a\"}\n" + "{\"pytorch_code\":" + quoted(other) +
                             ",\"triton_code\":" + quoted(wrong) + ",\"id\":\"b\"}\n");
  const base::CommandResult result =
      tritonrl({"prepare", rows, "--out", out(), "--quiet", "--verify", "--no-decontaminate", "--no-cache"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(contains(result.output, "2 read, 2 kept (1 with a solution)")) << result.output;
  EXPECT_TRUE(contains(result.output, "solutions judged 2")) << result.output;
  EXPECT_TRUE(contains(result.output, "passed")) << result.output;
}

}  // namespace
}  // namespace tritonrl::cli
