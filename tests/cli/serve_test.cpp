#include "tests/cli/run_tritonrl.h"

namespace tritonrl::cli {
namespace {

class Serve : public RunTritonrl {};

// Starts "$0 serve …" with the words after the first two, runs the Python text "$2" with its address and stops it.
constexpr const char* kServeScript = R"sh(
python=$1 text=$2 out=$(mktemp)
shift 2
"$0" serve --port 0 "$@" > "$out" &
pid=$!
for i in $(seq 600); do grep -q listening "$out" && break; sleep 0.1; done
"$python" -c "$text" "$(sed -n 's/^listening at //p' "$out")"
echo "client $?"
kill -TERM $pid
wait $pid
echo "server $?"
rm "$out"
)sh";

constexpr const char* kAskingClient = R"py(
import json, sys, urllib.error, urllib.request
def ask(path, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(sys.argv[1] + path, data, {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
task = "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x.relu()\ndef get_inputs():\n    return [torch.rand(4)]\n"
)py";

class ServeJudge : public RunRecorder {};

TEST_F(ServeJudge, JudgesUntilItIsStopped) {
  const std::string client = std::string(kAskingClient) + R"py(
status, text = ask("/v1/verify", {"id": 1, "task": task, "answer": "I cannot."})
print(status, json.loads(text)["verdict"]["kind"])
status, text = ask("/v1/verify", {"id": 1, "task": "import nothing_of_that_name\n", "code": "x = 1\n"})
print(status, json.loads(text)["error"]["field"])
status, text = ask("/v1/verify", {"id": 1, "task": "inside.py", "answer": "I cannot.", "options": {"policy": "strict"}})
print(status, json.loads(text)["verdict"]["policy"])
print(ask("/v1/verify", {"id": 1, "task": "../outside.py", "answer": "x"})[0], ask("/nothing")[0], ask("/healthz")[0])
)py";
  std::filesystem::create_directory(folder() + "/tasks");
  file("tasks/inside.py",
       "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
       "def get_inputs():\n    return [torch.rand(4)]\n");
  file("outside.py", "class Model: pass\n");
  const base::CommandResult got = shell(
      kServeScript, {plain_python(), client, "--no-cache", "--tasks", folder() + "/tasks", "--python", test_python()});
  EXPECT_EQ(got.output, "200 no_code\n422 task\n200 strict\n400 404 200\nclient 0\nserver 0\n") << got.errors;
}

TEST_F(Serve, SaysWhatMustBeMended) {
  const struct {
    std::vector<std::string> arguments;
    const char* said;
  } cases[] = {
      {{"--host", "0.0.0.0"}, "--token-file"},
      {{"--tasks", folder() + "/none"}, "is no folder"},
      {{"--port", "70000"}, "--port"},
      {{"--token-file", file("empty", "\n")}, "is empty"},
      {{"--token-file", file("blank", "two words")}, "characters"},
      {{"--policy", "lax"}, "lax"},
      {{"--prot", "1"}, "--p"},
      {{"--model", "none/of-that-name-here"}, "none/of-that-name-here"},
  };
  for (const auto& one : cases) {
    std::vector<std::string> arguments = {"serve", "--python", test_python(), "--no-cache"};
    if (one.arguments.front() == "--model") arguments = {"serve"};
    arguments.insert(arguments.end(), one.arguments.begin(), one.arguments.end());
    const base::CommandResult got = shell("HF_HUB_OFFLINE=1 exec \"$0\" \"$@\"", arguments);
    EXPECT_EQ(got.exit_code, 2) << one.said << got.errors;
    EXPECT_EQ(got.output, "");
    EXPECT_TRUE(contains(got.errors, one.said)) << got.errors;
  }
}

}  // namespace
}  // namespace tritonrl::cli
