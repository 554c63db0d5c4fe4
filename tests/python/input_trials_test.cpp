// Constructor arguments and inputs found by trial.
#include "python/input_trials.h"

#include <gtest/gtest.h>

#include "tests/python/test_recorder.h"

namespace tritonrl::python {
namespace {

TriedInputs tried(const std::string& body, const std::string& name) {
  InputTrials trials(test_recorder(), program::find_target("h200"));
  return trials.find({.id = "m.py", .source = "import torch\nimport torch.nn as nn\n" + body, .entry_point = name});
}

// What was found makes a task that records.
void expect_runs(const std::string& body, const std::string& name, const std::string& inputs) {
  const TriedInputs found = tried(body, name);
  EXPECT_NE(found.text.find(inputs), std::string::npos) << found.text << found.message;
  RecordRequest request = task_request("import torch\nimport torch.nn as nn\n" + body + found.text);
  request.task.entry_point = name;
  const RecordOutcome outcome = test_recorder().record(request);
  EXPECT_EQ(to_string(outcome.kind), "recorded") << outcome.message;
}

TEST(InputTrials, FindsImagesForConvolutions) {
  expect_runs(
      "class Block(nn.Module):\n    def __init__(self, in_ch, out_ch, kernel_size, drop_rate, act_layer):\n        "
      "super().__init__()\n        assert drop_rate < 0.5\n        self.conv = nn.Conv2d(in_ch, out_ch, kernel_size)\n "
      "       "
      "self.act = act_layer()\n    def forward(self, x):\n        return self.act(self.conv(x))\n",
      "Block", "torch.rand([4, 64, 16, 16])");
}

TEST(InputTrials, FindsSequencesForAttention) {
  expect_runs(
      "class Attention(nn.Module):\n    def __init__(self, dim: int, num_heads: int):\n        super().__init__()\n    "
      "    "
      "self.h = num_heads\n        self.qkv = nn.Linear(dim, 3 * dim)\n    def forward(self, x):\n        b, n, c = "
      "x.shape\n        q, k, v = self.qkv(x).reshape(b, n, 3, self.h, c // self.h).permute(2, 0, 3, 1, 4)\n        "
      "return "
      "(q @ k.transpose(-2, -1)).softmax(-1) @ v\n",
      "Attention", "torch.rand([4, 16, 64])");
}

TEST(InputTrials, GivesNoFurtherArgumentsToOthers) {
  expect_runs(
      "class M(nn.Module):\n    def __init__(self, inner_kwargs):\n        super().__init__()\n        self.fc = "
      "nn.Linear(64, 8, **inner_kwargs)\n    def forward(self, x):\n        return self.fc(x)\n",
      "M", "{'inner_kwargs': {}}");
}

TEST(InputTrials, FindsIdsAndTargets) {
  expect_runs(
      "class Words(nn.Module):\n    def __init__(self, vocab_size, dim):\n        super().__init__()\n        self.e = "
      "nn.Embedding(vocab_size, dim)\n    def forward(self, input_ids):\n        return self.e(input_ids)\n",
      "Words", "torch.randint(0, 10, [4, 16])");
  expect_runs(
      "class DiceLoss(nn.Module):\n    def forward(self, pred, target):\n        if target.dtype != torch.int64:\n     "
      "       "
      "raise TypeError('labels')\n        return nn.functional.cross_entropy(pred, target)\n",
      "DiceLoss", "torch.randint(0, 4, [4, 16, 16])");
}

TEST(InputTrials, AConfigurationAnswersWhatItIsAsked) {
  expect_runs(
      "class Layer(nn.Module):\n    def __init__(self, config):\n        super().__init__()\n        self.config = "
      "config\n"
      "        self.q = nn.Linear(config.hidden_size, config.num_heads * 16)\n    def forward(self, hidden_states):\n"
      "        b, n, c = hidden_states.shape\n"
      "        return torch.relu(self.q(hidden_states)) * (2.0 if self.config.output_attentions else 1.0)\n",
      "Layer", "SimpleNamespace(hidden_size=64, num_heads=4, output_attentions=False)");
}

TEST(InputTrials, ADataclassIsMade) {
  expect_runs(
      "from dataclasses import dataclass\n@dataclass\nclass Settings:\n    width: int\n    rate: float = 0.5\n"
      "class M(nn.Module):\n    def __init__(self, s: Settings):\n        super().__init__()\n"
      "        self.fc = nn.Linear(s.width, 7)\n    def forward(self, x):\n        return torch.tanh(self.fc(x))\n",
      "M", "{'s': Settings(width=");
}

TEST(InputTrials, LayersTellTheInputs) {
  expect_runs(
      "class V(nn.Module):\n    def __init__(self, spatial_dims: int):\n        super().__init__()\n"
      "        assert spatial_dims == 3\n        self.c = nn.Conv3d(17, 8, 3)\n    def forward(self, x):\n"
      "        b, c, d, h, w = x.shape\n        return torch.relu(self.c(x))\n",
      "V", "torch.rand([2, 17, 8, 16, 16])");
}

// What the text has is kept, and the rest follows from it.
TEST(InputTrials, FindsWhatIsMissingAlone) {
  const std::string block =
      "class Block(nn.Module):\n    def __init__(self, dim, hidden_dim=64):\n        super().__init__()\n"
      "        self.fc = nn.Linear(dim, hidden_dim)\n    def forward(self, x):\n        return "
      "torch.relu(self.fc(x))\n";
  const TriedInputs arguments = tried(block + "def get_inputs():\n    return [torch.rand([3, 48])]\n", "Block");
  EXPECT_EQ(arguments.text, "\n\ndef get_init_inputs():\n    return [[], {'dim': 48}]\n") << arguments.message;
  const TriedInputs inputs = tried(block + "def get_init_inputs():\n    return [40]\n", "Block");
  EXPECT_EQ(inputs.text.find("get_init_inputs"), std::string::npos) << inputs.text;
  EXPECT_NE(inputs.text.find(", 40])]"), std::string::npos) << inputs.text << inputs.message;
  const std::string images =
      "class C(nn.Module):\n    def __init__(self, cin, cout):\n        super().__init__()\n"
      "        self.conv = nn.Conv2d(cin, cout, 3)\n    def forward(self, x):\n        return self.conv(x)\n"
      "def get_inputs():\n    return [torch.rand([2, 24, 8, 8])]\n";
  EXPECT_NE(tried(images, "C").text.find("{'cin': 24, 'cout': 24}"), std::string::npos) << tried(images, "C").message;
  // a default that the inputs contradict
  const std::string defaulted =
      "class D(nn.Module):\n    def __init__(self, channels=64):\n        super().__init__()\n"
      "        self.conv = nn.Conv2d(channels, 8, 3)\n    def forward(self, x):\n        return self.conv(x)\n"
      "def get_inputs():\n    return [torch.rand([2, 24, 8, 8])]\n";
  EXPECT_NE(tried(defaulted, "D").text.find("{'channels': 24}"), std::string::npos) << tried(defaulted, "D").message;
}

TEST(InputTrials, MakesInputsLargerWhereTheModuleTakesThem) {
  InputTrials trials(test_recorder(), program::find_target("h200"));
  const auto larger = [&](const std::string& forward) {
    return trials
        .find({.id = "m.py",
               .source = "import torch\nimport torch.nn as nn\nclass M(nn.Module):\n    def forward(self, x):\n"
                         "        b, c, h, w = x.shape\n" +
                         forward + "        return torch.relu(x)\n",
               .entry_point = "M"},
              /*larger=*/true)
        .text;
  };
  EXPECT_NE(larger("").find("torch.rand([64, 64, 64, 64])"), std::string::npos) << larger("");
  const std::string small = larger("        assert h == 16\n");
  EXPECT_NE(small.find("torch.rand([64, 64, 16, 16])"), std::string::npos) << small;
  const std::string few = larger("        assert b == 4\n");
  EXPECT_NE(few.find("torch.rand([4, 64, 16, 16])"), std::string::npos) << few;
}

TEST(InputTrials, SaysWhatTheBestTrialSaid) {
  const TriedInputs found = tried(
      "class Never(nn.Module):\n    def forward(self, x):\n        raise RuntimeError('only on Sundays')\n", "Never");
  EXPECT_EQ(found.text, "");
  EXPECT_NE(found.message.find("only on Sundays"), std::string::npos) << found.message;
}

}  // namespace
}  // namespace tritonrl::python
