// Verdicts of the real judge through the command: the same twice, whatever the workers and the order; and the same file
// where a batch is killed and goes on.
#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "base/json.h"
#include "tests/cli/run_tritonrl.h"

namespace tritonrl::cli {
namespace {

using base::Json;
using VerifyJudged = RunRecorder;

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

const std::string kSuite = "tests/judge/adversarial/";

// Honest ones and cheats of several kinds, an answer without code, and a line that is no JSON.
std::vector<std::string> batch_lines() {
  std::vector<std::string> out;
  const auto add = [&](const std::string& candidate, const std::string& task) {
    out.push_back(Json{{"id", candidate},
                       {"task", source_path(kSuite + "tasks/" + task)},
                       {"code", text_of(source_path(kSuite + candidate))}}
                      .dump());
  };
  add("honest/relu_plain.py", "relu.py");
  add("cheats/a1_torch_then_copy.py", "softmax.py");
  add("honest/softmax_online.py", "softmax.py");
  add("cheats/d8_relu_dropped.py", "relu.py");
  add("honest/relu_grid_stride.py", "relu.py");
  out.push_back("{broken");
  out.push_back(Json{{"id", "prose"}, {"task", source_path(kSuite + "tasks/relu.py")}, {"answer", "I cannot."}}.dump());
  add("cheats/d10_no_tail_mask.py", "relu.py");
  add("honest/softmax_row_in_registers.py", "softmax.py");
  add("cheats/c6_remembered_output.py", "relu.py");
  return out;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

// Everything but what the clock says.
std::vector<std::string> timeless(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string& line : lines_of(text)) {
    Json json = Json::try_parse(line).value_or(Json());
    if (json.contains("verdict")) json["verdict"].erase("ms");
    out.push_back(json.dump());
  }
  return out;
}

TEST_F(VerifyJudged, TheSameVerdictsOnAnyWorkersInAnyOrderAndAfterAKill) {
  std::vector<std::string> lines = batch_lines();
  const std::string in = file("in.jsonl", joined(lines));
  const auto batch = [&](const std::string& from, const std::string& to, const char* workers) {
    return tritonrl({"verify", "--batch", from, "--out", to, "--workers", workers, "--seed", "5", "--no-cache"});
  };
  const std::string first = folder() + "/first.jsonl";
  EXPECT_EQ(batch(in, first, "1").exit_code, 2) << "one line is broken";
  const std::vector<std::string> expected = timeless(text_of(first));
  ASSERT_EQ(expected.size(), lines.size());
  std::map<std::string, int> kinds;
  for (const std::string& line : expected) {
    const Json json = Json::parse(line);
    ++kinds[json.contains("verdict") ? json["verdict"]["kind"].get<std::string>() : "error"];
  }
  EXPECT_EQ(kinds["passed"], 5);
  EXPECT_EQ(kinds["error"], 1);
  EXPECT_EQ(kinds["no_code"], 1);
  EXPECT_EQ(kinds.count("infrastructure"), 0U);

  const std::string second = folder() + "/second.jsonl";
  batch(in, second, "4");
  EXPECT_EQ(timeless(text_of(second)), expected);

  std::reverse(lines.begin(), lines.end());
  const std::string backwards = folder() + "/backwards.jsonl";
  batch(file("backwards_in.jsonl", joined(lines)), backwards, "3");
  std::vector<std::string> turned = timeless(text_of(backwards));
  std::reverse(turned.begin(), turned.end());
  std::erase_if(turned, [](const std::string& line) { return line.find("\"error\"") != std::string::npos; });
  std::vector<std::string> judged = expected;
  std::erase_if(judged, [](const std::string& line) { return line.find("\"error\"") != std::string::npos; });
  EXPECT_EQ(turned, judged);

  const std::string killed = folder() + "/killed.jsonl";
  // killed as soon as a few lines are written, then run to its end
  shell("\"$0\" \"$@\" & pid=$!; for i in $(seq 6000); do [ \"$(wc -l < \"" + killed +
            "\" 2> /dev/null || echo 0)\" -ge 3 ] && break; sleep 0.05; done; kill -9 $pid; wait $pid; true",
        {"verify", "--batch", in, "--out", killed, "--workers", "2", "--seed", "5", "--no-cache"});
  const std::size_t written = lines_of(text_of(killed)).size();
  EXPECT_GE(written, 3U);
  batch(in, killed, "2");
  EXPECT_EQ(timeless(text_of(killed)), expected);
}

TEST_F(VerifyJudged, ExitCodesAndExplanation) {
  const std::string task = source_path(kSuite + "tasks/relu.py");
  const auto verify = [&](const std::string& candidate, const std::string& how) {
    return tritonrl({"verify", source_path(kSuite + candidate), "--task", task, how, "--no-cache"});
  };
  const base::CommandResult good = verify("honest/relu_plain.py", "--json");
  EXPECT_EQ(good.exit_code, 0) << good.errors;
  const Json verdict = Json::parse(good.output);
  EXPECT_EQ(verdict["kind"], "passed");
  EXPECT_EQ(verdict["timing"]["mode"], "modelled");
  EXPECT_EQ(verdict["work_share"], 1.0);
  std::string code = text_of(source_path(kSuite + "cheats/d10_no_tail_mask.py"));
  const std::string load = "tl.load(x_ptr + at";
  code.replace(code.find(load), load.size(), load + " + 512");
  const base::CommandResult bad =
      tritonrl({"verify", file("reads_beside.py", code), "--task", task, "--explain", "--no-cache"});
  EXPECT_EQ(bad.exit_code, 1);
  for (const char* part : {"out_of_bounds", "reads_beside.py:", "What to change", "What was checked"})
    EXPECT_TRUE(contains(bad.output, part)) << part << "\n" << bad.output;
}

}  // namespace
}  // namespace tritonrl::cli
