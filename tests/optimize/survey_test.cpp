#include "optimize/survey.h"

#include <gtest/gtest.h>

#include "optimize/fewest_kernels.h"
#include "tests/python/test_recorder.h"

namespace tritonrl::optimize {
namespace {

constexpr const char* kNet = R"(import torch
import torch.nn as nn
from dataclasses import dataclass

@dataclass
class Config:
    width: int = 256
    parts: tuple = (1, 2)

class Act(nn.Module):
    def __init__(self, slope):
        super().__init__()
        self.slope = slope

    def forward(self, x):
        return torch.tanh(x) * self.slope + torch.sigmoid(x)

class Layer(nn.Module):
    def __init__(self, config, *, bias=True):
        super().__init__()
        self.fc = nn.Linear(config.width, config.width, bias=bias)
        self.act = Act(0.5)

    def forward(self, x):
        return self.act(self.fc(x))

class Net(nn.Module):
    def __init__(self, config, generator=None):
        super().__init__()
        self.layers = nn.ModuleList([Layer(config, bias=False) for _ in range(3)])

    def forward(self, x, scale=2):
        for layer in self.layers:
            x = layer(x)
        return x * scale

def get_inputs():
    return [torch.rand([512, 256])]

def get_init_inputs():
    return [Config()]
)";

const program::Target& h200() {
  return program::find_target("h200");
}

Subject net(const std::string& source = kNet) {
  Subject out;
  out.place = "net.py";
  out.entry_point = "Net";
  out.source = source;
  out.inputs_from = kOfTheFile;
  return out;
}

const SurveyedClass& class_of(const Survey& survey, const std::string& name) {
  for (const SurveyedClass& one : survey.classes) {
    if (one.name == name) return one;
  }
  throw std::out_of_range(name);
}

TEST(Survey, TellsSharesArgumentsAndWhatCouldBeSaved) {
  const Survey found = survey(net(), python::test_recorder(), h200());
  ASSERT_EQ(found.classes.size(), 3u);
  const SurveyedClass &whole = class_of(found, "Net"), &layer = class_of(found, "Layer"), &act = class_of(found, "Act");
  EXPECT_EQ(whole.calls, 1);
  EXPECT_EQ(layer.calls, 3);
  EXPECT_EQ(layer.paths, (std::vector<std::string>{"layers.0", "layers.1", "layers.2"}));
  EXPECT_DOUBLE_EQ(whole.seconds, found.seconds);
  EXPECT_NEAR(layer.own_seconds + act.seconds, layer.seconds, 1e-12);
  EXPECT_NEAR(whole.own_seconds + layer.seconds, whole.seconds, 1e-12);
  // four pointwise calls and one kernel
  EXPECT_EQ(act.kernels, 4);
  EXPECT_EQ(act.floor_kernels, 1);
  EXPECT_EQ(act.fused, (std::vector<std::string>{"tanh", "mul", "sigmoid", "add"}));
  EXPECT_GT(act.gain(), 0.5 * act.seconds);
  EXPECT_EQ(layer.kept, std::vector<std::string>{"mm"});
  EXPECT_EQ(command_for(act, "net.py", false), "tritonrl optimize net.py:Act --input 'f32[512,256]' --init '0.5'");
  EXPECT_EQ(
      command_for(layer, "net.py", true),
      "tritonrl optimize net.py:Layer --input 'f32[512,256]' --init 'Config(width=256, parts=(1, 2)), bias=False' "
      "--eval");
  EXPECT_NE(advice_for(act, found, "do").find("4 kernels of torch could be 1 (tanh, mul, sigmoid, add fused): do"),
            std::string::npos);
  EXPECT_GE(found.classes[0].gain(), found.classes[2].gain());
  const std::string text = survey_text(found, "net.py", false);
  for (const char* part : {"Net, inputs of the file; forward ", "could save", "tritonrl optimize net.py:Net"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_EQ(survey_json(found, "net.py", false).at("classes").size(), 3u);
}

TEST(Survey, AMeasuredTimeKeepsTheShareThatCouldBeSaved) {
  Survey found = survey(net(), python::test_recorder(), h200());
  SurveyedClass layer = class_of(found, "Layer");
  const double share = layer.gain() / layer.seconds;
  take_measured(layer, 1e-3);
  EXPECT_NEAR(layer.seconds, 3e-3, 1e-9);
  EXPECT_NEAR(layer.gain() / layer.seconds, share, 1e-9);
  EXPECT_TRUE(layer.measured);
}

TEST(Survey, SaysWhatToLeave) {
  std::string source = kNet;
  const std::string body = "torch.tanh(x) * self.slope + torch.sigmoid(x)";
  source.replace(source.find(body), body.size(), "x @ x.T @ x");
  const Survey found = survey(net(source), python::test_recorder(), h200());
  EXPECT_EQ(advice_for(class_of(found, "Act"), found, "do"), "leave it: torch does mm well");
}

TEST(Survey, WhatCannotBeWrittenIsSaid) {
  std::string source = kNet;
  source.replace(source.find("[Config()]"), 10, "[Config(), torch.Generator()]");
  const Survey found = survey(net(source), python::test_recorder(), h200());
  const SurveyedClass& whole = class_of(found, "Net");
  EXPECT_FALSE(whole.init);
  EXPECT_EQ(command_for(whole, "net.py", false), "");
  EXPECT_NE(advice_for(whole, found, "").find("its arguments cannot be written as options"), std::string::npos);
}

}  // namespace
}  // namespace tritonrl::optimize
