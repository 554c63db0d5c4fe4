#include <filesystem>

#include "base/files.h"
#include "base/json.h"
#include "generate/engine.h"
#include "model/adapter.h"
#include "model/save_model.h"
#include "record/sample.h"
#include "tests/cli/run_tritonrl.h"
#include "tests/generate/small_model.h"
#include "tests/paths.h"
#include "text/tokenizer/tokenizer_json.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

// `tritonrl generate` with a small random model in Hugging Face's layout.
class Generate : public RunTritonrl {
 protected:
  void SetUp() override {
    model_ = generate::small_model(/*max_position=*/1024);
    model::save_model(*model_, model_folder());
    base::write_file_atomically(model_folder() / "tokenizer.json",
                                text::tokenizer_json(generate::small_tokenizer().parts()));
  }

  fs::path model_folder() const { return fs::path(folder()) / "model"; }

  base::CommandResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"generate", "--model", model_folder().string(), "--device", "cpu"});
    return tritonrl(arguments);
  }

  // Of --json.
  static std::vector<record::Sample> samples_of(const base::CommandResult& result) {
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    std::vector<record::Sample> samples;
    for (const std::string& line : lines_of(result.output)) {
      const base::Result<record::Sample> sample = record::sample_from_json(line);
      EXPECT_TRUE(sample.ok()) << line;
      if (sample.ok()) samples.push_back(sample.value());
    }
    return samples;
  }

  // Exit code 2 and one line that says why.
  static void expect_refused(const base::CommandResult& result, const std::string& why) {
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_EQ(result.output, "");
    EXPECT_TRUE(contains(result.errors, why)) << result.errors;
    EXPECT_EQ(lines_of(result.errors).size(), 1u) << result.errors;
  }

  std::unique_ptr<model::Transformer> model_;
};

// Through `tritonrl serve` the samples are the same, tokens and log-probabilities too.
TEST_F(Generate, AServerSaysTheSame) {
  const std::vector<std::string> asked = {"--prompt", "the quick",        "--samples", "3",     "--seed",
                                          "5",        "--max-new-tokens", "12",        "--json"};
  constexpr const char* kThroughServer = R"sh(
model=$1 out=$(mktemp)
shift
export TRITONRL_TOKEN=word
"$0" serve --model "$model" --device cpu --port 0 --no-judge > "$out" &
pid=$!
for i in $(seq 600); do grep -q listening "$out" && break; sleep 0.1; done
"$0" generate --model "$(sed -n 's/^listening at //p' "$out")" --tokenizer "$model" "$@"
kill -TERM $pid
wait $pid || echo "the server ended with $?"
rm "$out"
)sh";
  std::vector<std::string> through = asked;
  through.insert(through.begin(), model_folder().string());
  const std::vector<record::Sample> remote = samples_of(shell(kThroughServer, through));
  EXPECT_EQ(remote.size(), 3U);
  EXPECT_EQ(remote, samples_of(run(asked)));
  expect_refused(tritonrl({"generate", "--model", "http://127.0.0.1:1", "--prompt", "x"}), "--tokenizer");
}

TEST_F(Generate, SaysWhatTheEngineSays) {
  generate::GenerateRequest request;
  request.id = "prompt";
  request.prompt = generate::small_tokenizer().encode("def kernel");
  request.samples = 5;
  request.seed = 3;
  request.sampling.temperature = 0.8;
  request.sampling.top_k = 40;
  request.sampling.top_p = 0.95;
  request.sampling.min_p = 0.01;
  request.sampling.repetition_penalty = 1.1;
  request.sampling.max_new_tokens = 30;
  request.sampling.stop_strings = {"ab", "ca"};
  generate::Engine engine(*model_, generate::small_tokenizer(), {.slots = 5, .capacity = 64});
  std::vector<record::Sample> expected = engine.generate({&request, 1});

  std::vector<std::string> arguments = {"--prompt",  "def kernel",
                                        "--samples", "5",
                                        "--seed",    "3",
                                        "--top-k",   "40",
                                        "--top-p",   "0.95",
                                        "--min-p",   "0.01",
                                        "--stop",    "ab",
                                        "--stop",    "ca",
                                        "--json",    "--temperature",
                                        "0.8",       "--repetition-penalty",
                                        "1.1",       "--max-new-tokens",
                                        "30"};
  for (const char* slots : {"1", "2", "32"}) {
    std::vector<std::string> with_slots = arguments;
    with_slots.insert(with_slots.end(), {"--slots", slots, "--threads", "1"});
    std::vector<record::Sample> samples = samples_of(run(with_slots));
    ASSERT_EQ(samples.size(), 5u);
    std::ranges::sort(samples, {}, &record::Sample::index);
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(samples[i].id, "prompt");
      EXPECT_EQ(samples[i].tokens, expected[i].tokens) << slots;
      EXPECT_EQ(samples[i].text, expected[i].text);
      EXPECT_EQ(samples[i].finish, expected[i].finish);
      EXPECT_EQ(samples[i].seed, expected[i].seed);
      EXPECT_EQ(samples[i].prompt, request.prompt);
    }
  }
}

// An adapter changes the answer, as it does in memory; 8-bit weights and bf16 load and answer.
TEST_F(Generate, TakesAnAdapterEightBitWeightsAndOtherTypes) {
  const weights::AdapterConfig config;
  model::add_adapter(*model_, config, /*seed=*/2);
  for (const model::NamedTensor& parameter : model::adapter_parameters(*model_)) {
    at::Tensor values = parameter.tensor.detach();
    values.fill_(0.02);
  }
  const fs::path adapter = fs::path(folder()) / "adapter";
  model::save_adapter(*model_, config, adapter);
  generate::GenerateRequest request;
  request.prompt = generate::small_tokenizer().encode("x = ");
  request.sampling.temperature = 0;
  request.sampling.max_new_tokens = 20;
  generate::Engine engine(*model_, generate::small_tokenizer(), {.slots = 1, .capacity = 64});
  const std::string expected = engine.generate({&request, 1}).front().text;

  const std::vector<std::string> plain = {"--prompt", "x = ", "--max-new-tokens", "20", "--temperature", "0"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = plain;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  };
  EXPECT_EQ(with({"--adapter", adapter.string()}).output, expected + "\n");
  EXPECT_NE(run(plain).output, expected + "\n");

  const std::string merged = (fs::path(folder()) / "merged").string();
  const std::vector<std::string> merge = {"merge", "--model", model_folder().string(), "--adapter", adapter.string(),
                                          "--out", merged};
  EXPECT_EQ(tritonrl(merge).exit_code, 0);
  EXPECT_EQ(tritonrl({"generate", "--model", merged, "--device", "cpu", "--prompt", "x = ", "--max-new-tokens", "20",
                      "--temperature", "0"})
                .output,
            expected + "\n");
  expect_refused(tritonrl(merge), "is not empty");
  // Before any work: neither model nor adapter is there.
  const std::string plain_file = file("plain", "x");
  for (const std::string& out : {plain_file, file("empty", ""), plain_file + "/below"}) {
    expect_refused(tritonrl({"merge", "--model", "nowhere", "--adapter", "nowhere", "--out", out}),
                   "--out " + out + (out.ends_with("below") ? " cannot be" : " is a file; name a new folder"));
  }
  EXPECT_EQ(base::read_file(plain_file), "x");
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--8bit"}, {"--dtype", "bf16"}, {"--dtype", "fp16", "--adapter", adapter.string()}}) {
    const base::CommandResult result = with(more);
    EXPECT_EQ(result.exit_code, 0) << more[0] << result.errors;
    EXPECT_FALSE(result.output.empty());
  }
}

TEST_F(Generate, SaysTheSameOnAGpu) {
  const std::vector<std::string> arguments = {"--prompt", "x = ", "--max-new-tokens", "40",   "--samples", "6",
                                              "--top-p",  "0.9",  "--dtype",          "fp32", "--json"};
  std::vector<std::string> on_gpu = arguments;
  on_gpu.insert(on_gpu.begin(), {"generate", "--model", model_folder().string(), "--device", "cuda"});
  const base::CommandResult result = tritonrl(on_gpu);
  if (contains(result.errors, "no GPU")) GTEST_SKIP() << result.errors;
  std::vector<record::Sample> samples = samples_of(result);
  std::vector<record::Sample> expected = samples_of(run(arguments));
  ASSERT_EQ(samples.size(), 6u);
  ASSERT_EQ(expected.size(), 6u);
  std::ranges::sort(samples, {}, &record::Sample::index);
  std::ranges::sort(expected, {}, &record::Sample::index);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(samples[i].text, expected[i].text) << i;
}

TEST_F(Generate, PrintsTheTextAlone) {
  const std::vector<std::string> arguments = {"--prompt", "x = ", "--max-new-tokens", "8", "--temperature", "0"};
  const base::CommandResult text = run(arguments);
  std::vector<std::string> with_json = arguments;
  with_json.push_back("--json");
  const std::vector<record::Sample> samples = samples_of(run(with_json));
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(text.output, samples.front().text + "\n");
  EXPECT_EQ(text.errors, "");
  std::vector<std::string> streamed = arguments;
  streamed.push_back("--stream");
  EXPECT_EQ(run(streamed).output, text.output);
  // A prompt from a file, and from the input.
  const std::string prompt = file("prompt.txt", "x = ");
  EXPECT_EQ(run({"--prompt-file", prompt, "--max-new-tokens", "8", "--temperature", "0"}).output, text.output);
  const base::CommandResult piped =
      shell("printf 'x = ' | \"$0\" generate --model \"$1\" --prompt-file - --max-new-tokens 8 --temperature 0",
            {model_folder().string()});
  EXPECT_EQ(piped.output, text.output) << piped.errors;
}

TEST_F(Generate, AsksThroughTheChatTemplate) {
  const auto prompt_text = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--max-new-tokens", "1", "--json"});
    const std::vector<record::Sample> samples = samples_of(run(arguments));
    return samples.empty() ? "" : generate::small_tokenizer().decode(samples.front().prompt);
  };
  EXPECT_EQ(prompt_text({"--prompt", "hello"}), "hello");  // the model has no template
  EXPECT_EQ(prompt_text({"--prompt", "hello", "--chat"}), "<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n");
  EXPECT_EQ(prompt_text({"--prompt", "hello", "--system", "Be brief."}),
            "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n");
}

// What continues a text begins as the tokenizer's template says; a chat has a beginning of its own.
TEST_F(Generate, ATextBeginsAsTheTokenizerSays) {
  text::TokenizerParts parts = generate::small_tokenizer().parts();
  parts.before_text = {generate::kEndOfTurn};
  base::write_file_atomically(model_folder() / "tokenizer.json", text::tokenizer_json(parts));
  const auto prompt_of = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--max-new-tokens", "1", "--json"});
    const std::vector<record::Sample> samples = samples_of(run(arguments));
    return samples.empty() ? "" : generate::small_tokenizer().decode(samples.front().prompt);
  };
  EXPECT_EQ(prompt_of({"--prompt", "hello", "--raw"}), "<|end|>hello");
  EXPECT_EQ(prompt_of({"--prompt", "hello"}), "<|end|>hello");
  EXPECT_EQ(prompt_of({"--prompt", "<|end|>hello", "--raw"}), "<|end|>hello");
  EXPECT_EQ(prompt_of({"--prompt", "hello", "--chat"}), "<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n");
}

// A model is asked as it was trained: in the words that `prepare` writes, whatever the class is called.
TEST_F(Generate, WordsATaskAsTrainingDataDo) {
  model::save_model(*generate::small_model(/*max_position=*/16384), model_folder());
  const std::string code = R"("""A module."""
import torch
from torch import nn


class Gate( nn.Module ):
    '''Of two.'''

    def forward(self, x, y):
        "says nothing"
        return torch.atan2(x * torch.sigmoid(y), torch.cosh(x))  # a gate


def get_inputs():
    return [torch.rand(4), torch.rand(4)]


def get_init_inputs():
    return [[], {}]
)";
  const std::string task = file("gate.py", code);
  const base::Json row = {
      {"id", "gate"},
      {"pytorch_code", code},
      {"triton_code", "import triton\n\n@triton.jit\ndef k(x):\n    pass\n\nclass ModelNew:\n    pass\n"}};
  const std::string rows = file("rows.jsonl", row.dump() + "\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"full"}, {"full", "--one-shot"}, {"plan"}, {"short"}}) {
    std::vector<std::string> prepare = {"prepare",      rows,   "--out",   folder() + "/data",
                                        "--validation", "0",    "--test",  "0",
                                        "--labels",     "text", "--prompt"};
    prepare.insert(prepare.end(), words.begin(), words.end());
    const base::CommandResult prepared = tritonrl(prepare);
    ASSERT_EQ(prepared.exit_code, 0) << prepared.errors;
    const std::vector<std::string> pairs = lines_of(base::read_file(folder() + "/data/sft_train.jsonl"));
    ASSERT_EQ(pairs.size(), 1u) << prepared.output;

    std::vector<std::string> asked = {"--task", task, "--raw", "--max-new-tokens", "1", "--json", "--task-form"};
    asked.insert(asked.end(), words.begin(), words.end());
    const std::vector<record::Sample> samples = samples_of(run(asked));
    ASSERT_EQ(samples.size(), 1u) << words[0];
    EXPECT_EQ(generate::small_tokenizer().decode(samples.front().prompt),
              base::Json::parse(pairs[0])["instruction"].text());
    fs::remove_all(folder() + "/data");
  }
  expect_refused(run({"--task", task, "--task-form", "short", "--one-shot"}), "--one-shot has no place");
}

TEST_F(Generate, RefusesAChatTemplateThatItDoesNotKnow) {
  base::write_file_atomically(model_folder() / "chat_template.jinja",
                              "{% for message in messages %}<|start_header_id|>{{ message['role'] }}{% endfor %}");
  const char* why =
      "chat template is none that is known here (Qwen2, Qwen2.5, SmolLM2 and plain ChatML are); pass --raw";
  expect_refused(run({"--prompt", "hello", "--max-new-tokens", "1"}), why);
  expect_refused(run({"--prompt", "hello", "--max-new-tokens", "1", "--chat"}), why);
  const std::vector<record::Sample> samples =
      samples_of(run({"--prompt", "hello", "--max-new-tokens", "1", "--json", "--raw"}));
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(generate::small_tokenizer().decode(samples.front().prompt), "hello");
}

TEST_F(Generate, FindsAModelInTheHubCache) {
  const fs::path hub = fs::path(folder()) / "hub", entry = hub / "models--someone--small";
  fs::create_directories(entry / "snapshots");
  fs::create_directories(entry / "refs");
  fs::rename(model_folder(), entry / "snapshots" / "0123abc");
  base::write_file_atomically(entry / "refs" / "main", "0123abc");
  const std::string rest =
      " HF_HUB_OFFLINE=1 \"$0\" generate --model someone/small --prompt x --max-new-tokens 2 --temperature 0";
  EXPECT_EQ(shell("HF_HUB_CACHE=\"$1\"" + rest, {hub.string()}).exit_code, 0);
  EXPECT_EQ(shell("unset HF_HUB_CACHE; HF_HOME=\"$1\"" + rest, {folder()}).exit_code, 0);
  expect_refused(shell("HF_HUB_CACHE=\"$1\"" + rest, {folder()}), "someone/small");
}

TEST_F(Generate, HelpShowsTheRealOptions) {
  const base::CommandResult own = tritonrl({"generate", "--help"});
  EXPECT_EQ(own.exit_code, 0);
  for (const char* option : {"--model", "--adapter", "--top-p", "--stop", "--samples", "--8bit", "--slots", "--stream"})
    EXPECT_TRUE(contains(own.output, option)) << option;
  EXPECT_TRUE(contains(tritonrl({"--help"}).output, "generate"));
}

TEST_F(Generate, RefusesBadInput) {
  expect_refused(tritonrl({"generate", "--model", folder() + "/nowhere", "--prompt", "x"}), "nowhere");
  expect_refused(run({}), "no prompt; pass --prompt TEXT");
  expect_refused(run({"--prompt", "x", "--top-p", "2"}), "top_p is 2");
  expect_refused(run({"--prompt", "x", "--temperature", "-1"}), "temperature is -1");
  expect_refused(run({"--prompt", "x", "--max-new-tokens", "0"}), "max_new_tokens is 0");
  expect_refused(run({"--prompt", "x", "--adapter", folder() + "/nowhere"}), "nowhere");
  expect_refused(run({"--prompt-file", folder() + "/nowhere"}), "nowhere");
  expect_refused(run({"--prompt", "x", "--stream", "--json"}), "--stream shows one sample");
  expect_refused(run({"--prompt", std::string(1200, 'x')}), "1200 tokens");
  EXPECT_EQ(run({"--prompt", "x", "--dtype", "fp64"}).exit_code, 2);
  EXPECT_EQ(run({"--prompt", "x", "--samples", "0"}).exit_code, 2);
  EXPECT_EQ(run({"--prompt", "x", "--unheard-of"}).exit_code, 2);
  EXPECT_EQ(run({"--prompt", "x", "--task", "y"}).exit_code, 2);
}

TEST_F(Generate, StopsCleanly) {
  const base::CommandResult result = shell(
      "\"$0\" generate --model \"$1\" --prompt x --samples 100000 --slots 4 --max-new-tokens 400 --json > \"$2\" & "
      "while kill -0 $! && [ ! -s \"$2\" ]; do sleep 0.05; done; kill -INT $!; wait $!",
      {model_folder().string(), folder() + "/out"});
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_TRUE(contains(result.errors, "of 100000 samples were finished")) << result.errors;
  const std::vector<std::string> lines = lines_of(base::read_file(folder() + "/out"));
  EXPECT_GE(lines.size(), 1u);
  for (const std::string& line : lines) {
    const base::Result<record::Sample> sample = record::sample_from_json(line);
    ASSERT_TRUE(sample.ok()) << line;
    EXPECT_NE(sample.value().finish, record::FinishReason::kCancelled);
  }
}

TEST_F(Generate, SaysThatItsProgramIsMissing) {
  fs::copy_file(build_path("tritonrl"), folder() + "/tritonrl");
  const base::CommandResult result =
      base::run_command({folder() + "/tritonrl", "generate", "--help"}, std::chrono::minutes(1));
  expect_refused(result, "generate needs tritonrl-model beside this program");
}

TEST_F(Generate, AsksAsTheModelsOwnFileSays) {
  const std::string task = source_path("examples/tasks/relu_bias.py");
  base::write_file_atomically(model_folder() / "prompt.json",
                              R"({"form": "short", "facts": "none", "names": "source"})");
  const auto tokens = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--task", task, "--json", "--max-new-tokens", "1", "--raw"});
    const std::vector<record::Sample> samples = samples_of(run(more));
    return samples.empty() ? 0 : samples.front().prompt.size();
  };
  const std::size_t as_told = tokens({});
  EXPECT_EQ(as_told, tokens({"--task-form", "short"}));
  base::write_file_atomically(model_folder() / "prompt.json", R"({"form": "long"})");
  expect_refused(run({"--task", task}), "prompt.json");
}

}  // namespace
}  // namespace tritonrl::cli
