// Classes cut out of a project, with all that they need.
#include "data/prepare/module_cutter.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "tests/base/scratch_folder.h"
#include "tests/python/test_syntax.h"

namespace tritonrl::data {
namespace {

namespace fs = std::filesystem;

class ModuleCutterTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    const fs::path path = fs::path(scratch_.path("net")) / name;
    fs::create_directories(path.parent_path());
    base::write_file_atomically(path, text);
  }
  CutFile cut(const std::string& name) {
    ModuleCutter cutter(std::make_unique<python::SyntaxReader>(python::test_syntax_options()), scratch_.path("net"),
                        "net");
    return cutter.cut(fs::path(scratch_.path("net")) / name);
  }
  base::ScratchFolder scratch_;
};

TEST_F(ModuleCutterTest, TakesHelpersAndLeavesTheRest) {
  write("a.py",
        "import os\nimport torch\nimport torch.nn as nn\nfrom math import sqrt, pi\nSCALE = 2\nUNUSED = 3\ndef "
        "helper(x):\n"
        "    return sqrt(SCALE) * x\ndef other():\n    pass\nclass Base(nn.Module):\n    pass\nclass Block(Base):\n    "
        "def "
        "forward(self, x):\n        return helper(x)\nclass NoModule:\n    def forward(self, x):\n        return x\n");
  const CutFile file = cut("a.py");
  ASSERT_EQ(file.classes.size(), 1u);
  EXPECT_EQ(file.classes[0].name, "Block");
  EXPECT_EQ(file.classes[0].problem, "");
  EXPECT_EQ(
      file.classes[0].code,
      "from __future__ import annotations\nfrom math import sqrt\nimport torch\nimport torch.nn as nn\nSCALE = 2\n"
      "def helper(x):\n    return sqrt(SCALE) * x\nclass Base(nn.Module):\n    pass\nclass Block(Base):\n\n    def "
      "forward(self, x):\n        return helper(x)\n");
}

TEST_F(ModuleCutterTest, FollowsImportsAsScriptsMeanThem) {
  write("losses/dice.py",
        "from helpers import scale\nfrom losses.cross import weigh\nimport torch.nn as nn\n"
        "class Dice(nn.Module):\n    def forward(self, x):\n        return scale(weigh(x))\n");
  write("losses/helpers.py", "def scale(x):\n    return x * 3\n");
  write("losses/cross.py", "def weigh(x):\n    return x + 4\n");
  const CutFile file = cut("losses/dice.py");
  ASSERT_EQ(file.classes.size(), 1u);
  EXPECT_EQ(file.classes[0].problem, "");
  EXPECT_NE(file.classes[0].code.find("return x * 3"), std::string::npos);
  EXPECT_NE(file.classes[0].code.find("return x + 4"), std::string::npos);
}

TEST_F(ModuleCutterTest, FollowsImportsOfTheSameProject) {
  write("__init__.py", "");
  write("layers/__init__.py", "from .mlp import Mlp\n");
  write("layers/mlp.py",
        "import torch.nn as nn\nfrom ..tools import twice as double\nclass Mlp(nn.Module):\n    def forward(self, "
        "x):\n        "
        "return double(x)\n");
  write("tools.py", "def twice(x):\n    return 2 * x\n");
  write("model.py", "from net.layers import Mlp as Feed\nclass Model(Feed):\n    def extra(self):\n        return 1\n");
  const CutFile file = cut("model.py");
  ASSERT_EQ(file.classes.size(), 1u);
  const std::string& code = file.classes[0].code;
  EXPECT_EQ(file.classes[0].problem, "");
  const std::size_t twice = code.find("def twice"), alias = code.find("double = twice"), mlp = code.find("class Mlp"),
                    feed = code.find("Feed = Mlp"), model = code.find("class Model(Feed)");
  EXPECT_TRUE(twice < alias && alias < mlp && mlp < feed && feed < model && model != std::string::npos) << code;
}

TEST_F(ModuleCutterTest, LooksIntoStarsAndAcceptsWhatIsTheSameTwice) {
  write("__init__.py", "");
  write("tools.py",
        "import logging\n_log = logging.getLogger(__name__)\ndef twice(x):\n    _log.info('2')\n    return 2 * x\n");
  write("d.py",
        "import logging\nimport torch.nn as nn\nfrom .tools import *\n_log = logging.getLogger(__name__)\nclass "
        "A(nn.Module):\n    "
        "def forward(self, x):\n        _log.info('a')\n        return twice(x)\n");
  write("e.py",
        "import torch.nn as nn\nfrom .tools import twice\n_log = 3\nclass A(nn.Module):\n    def forward(self, x):\n   "
        "     return "
        "twice(x) * _log\n");
  const CutFile file = cut("d.py");
  ASSERT_EQ(file.classes.size(), 1u);
  EXPECT_EQ(file.classes[0].problem, "");
  EXPECT_LT(file.classes[0].code.find("def twice"), file.classes[0].code.find("class A")) << file.classes[0].code;
  // Two things of one name: the second gets a number.
  const std::string code = cut("e.py").classes.at(0).code;
  const bool first = code.find("return twice(x) * _log2") != std::string::npos,
             second = code.find("_log2.info('2')") != std::string::npos;
  EXPECT_TRUE(first != second) << code;
  EXPECT_NE(code.find("_log2 = "), std::string::npos) << code;
}

TEST_F(ModuleCutterTest, EndsWhereFilesImportEachOther) {
  write("__init__.py", "from .one import *\n");
  write("one.py", "from .two import thing\nfrom . import *\n");
  write("two.py",
        "import torch.nn as nn\nfrom .one import thing\nclass A(nn.Module):\n    def forward(self, x):\n        return "
        "thing(x, y)\n");
  EXPECT_EQ(cut("two.py").classes.size(), 1u);
}

TEST_F(ModuleCutterTest, EndsWhereDataclassesAreAnnotatedWithEachOther) {
  write("a.py",
        "import torch.nn as nn\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Node:\n    next: 'Node'\n    def owner(self) -> Tree: ...\n"
        "@dataclass\nclass Tree:\n    root: Node\n    def first(self) -> Node: ...\n"
        "class A(nn.Module):\n    def __init__(self, tree: Tree, node: Node):\n        super().__init__()\n"
        "    def forward(self, x):\n        return x\n");
  const CutFile file = cut("a.py");
  ASSERT_EQ(file.classes.size(), 1u);
  EXPECT_EQ(file.classes[0].problem, "");
  EXPECT_NE(file.classes[0].code.find("class Tree"), std::string::npos);
}

TEST_F(ModuleCutterTest, NamesWhatIsMissing) {
  write("b.py",
        "import torch.nn as nn\nfrom other_package import thing\nclass A(nn.Module):\n    def forward(self, x):\n      "
        "  return "
        "thing(x)\nclass B(nn.Module):\n    def forward(self, x: thing):\n        return x\n");
  const CutFile file = cut("b.py");
  ASSERT_EQ(file.classes.size(), 2u);
  EXPECT_EQ(file.classes[0].problem, "needs `thing` of `other_package`");
  EXPECT_EQ(file.classes[1].problem, "");  // an annotation is never looked up
}

TEST_F(ModuleCutterTest, LeavesOutMethodsThatNothingAsksFor) {
  write("a.py",
        "import torch.nn as nn\nfrom elsewhere import paint\nimport telemetry\n"
        "class Base(nn.Module):\n"
        "    def plot(self):\n        return paint(self)\n"
        "    def scaled(self, x):\n        return x * self.factor()\n"
        "    def factor(self):\n        return 2\n"
        "    def reset_parameters(self):\n        pass\n"
        "class Block(Base):\n"
        "    def export(self):\n        telemetry.send(self.plot())\n"
        "    def forward(self, x):\n        return self.scaled(x)\n");
  const CutFile file = cut("a.py");
  ASSERT_EQ(file.classes.size(), 1u);
  EXPECT_EQ(file.classes[0].problem, "");
  EXPECT_EQ(file.classes[0].code,
            "from __future__ import annotations\nimport torch\nimport torch.nn as nn\n"
            "class Base(nn.Module):\n\n    def scaled(self, x):\n        return x * self.factor()\n\n"
            "    def factor(self):\n        return 2\n\n    def reset_parameters(self):\n        pass\n"
            "class Block(Base):\n\n    def forward(self, x):\n        return self.scaled(x)\n");
}

TEST_F(ModuleCutterTest, KeepsMethodsThatMayBeAskedForByAText) {
  const std::string base =
      "import torch.nn as nn\nclass Block(nn.Module):\n    def left(self, x):\n        return x\n"
      "    def right(self, x):\n        return -x\n    def forward(self, x, side='left'):\n";
  write("by_text.py", base + "        return getattr(self, 'left')(x)\n");
  write("by_value.py", base + "        return getattr(self, side)(x)\n");
  write("by_name.py", base + "        return x\n    alias = right\n");
  EXPECT_NE(cut("by_text.py").classes.at(0).code.find("def left"), std::string::npos);
  EXPECT_EQ(cut("by_text.py").classes.at(0).code.find("def right"), std::string::npos);
  EXPECT_NE(cut("by_value.py").classes.at(0).code.find("def right"), std::string::npos);
  EXPECT_NE(cut("by_name.py").classes.at(0).code.find("def right"), std::string::npos);
}

TEST_F(ModuleCutterTest, KeepsWhatDecoratorsNeedAndGive) {
  write("a.py",
        "import torch.nn as nn\nTABLE = []\ndef enlist(f):\n    TABLE.append(f)\n    return f\n"
        "class Block(nn.Module):\n    def _twice(x):\n        return 2 * x\n    def _checked(fn):\n        return fn\n"
        "    @_checked\n    def step(self, x):\n        return self.half(x)\n    def half(self, x, f=_twice):\n"
        "        return x\n    @enlist\n    def listed(self, x):\n        return x\n    def forward(self, x):\n"
        "        return TABLE[0](self, self.step(x))\n");
  const std::string code = cut("a.py").classes.at(0).code;
  EXPECT_NE(code.find("def _checked"), std::string::npos) << code;
  EXPECT_NE(code.find("def _twice"), std::string::npos) << code;
  EXPECT_NE(code.find("def listed"), std::string::npos) << code;
}

TEST_F(ModuleCutterTest, TasksStayWhole) {
  write("task.py",
        "import torch.nn as nn\nclass Model(nn.Module):\n    def forward(self, x):\n        return x\ndef "
        "get_inputs():\n    return []\n");
  EXPECT_TRUE(cut("task.py").has_inputs);
  write("broken.py", "def (:\n");
  EXPECT_NE(cut("broken.py").error, "");
}

TEST_F(ModuleCutterTest, LeavesOutWhatOnlyRegistersOrLogs) {
  write("registry.py", "MODELS = []\ndef register(cls):\n    MODELS.append(cls)\n    return cls\n");
  write("utils.py", "class Logging:\n    def get_logger(self, name):\n        return None\nlogging = Logging()\n");
  write("f.py",
        "import torch.nn as nn\nfrom dataclasses import dataclass\nfrom hub import HubMixin\nfrom checks import typed\n"
        "from .registry import register\nfrom .utils import logging\nlogger = logging.get_logger(__name__)\n"
        "@dataclass\nclass Settings:\n    width: int = 3\n"
        "@register\nclass A(nn.Module, HubMixin):\n    @typed\n    def __init__(self, settings: Settings):\n"
        "        super().__init__()\n        logger.info('made')\n    def forward(self, x):\n        return x\n");
  const CutFile file = cut("f.py");
  ASSERT_EQ(file.classes.size(), 1u);
  const std::string& code = file.classes[0].code;
  EXPECT_EQ(file.classes[0].problem, "");
  for (const char* part :
       {"class A(nn.Module):", "logger = logging.getLogger(__name__)", "import logging\n", "@dataclass"})
    EXPECT_NE(code.find(part), std::string::npos) << part << "\n" << code;
  for (const char* part : {"HubMixin", "@typed", "register", "Logging"})
    EXPECT_EQ(code.find(part), std::string::npos) << part << "\n" << code;
}

TEST_F(ModuleCutterTest, TakesThingsOfTheOtherPackages) {
  const fs::path other = fs::path(scratch_.path("other"));
  fs::create_directories(other);
  base::write_file_atomically(other / "__init__.py", "from .tools import twice\n");
  base::write_file_atomically(other / "tools.py", "def twice(x):\n    return 2 * x\n");
  write("g.py",
        "import torch.nn as nn\nfrom other import twice\nclass A(nn.Module):\n    def forward(self, x):\n"
        "        return twice(x)\n");
  EXPECT_EQ(cut("g.py").classes.at(0).problem, "needs `twice` of `other`");
  ModuleCutter cutter(std::make_unique<python::SyntaxReader>(python::test_syntax_options()), scratch_.path("net"),
                      "net", {{"other", other}});
  const CutFile file = cutter.cut(fs::path(scratch_.path("net")) / "g.py");
  EXPECT_EQ(file.classes.at(0).problem, "");
  EXPECT_NE(file.classes[0].code.find("def twice(x):"), std::string::npos) << file.classes[0].code;
  EXPECT_EQ(file.classes[0].packages, std::vector<std::string>({"other"}));
}

}  // namespace
}  // namespace tritonrl::data
