#include "teacher/families/usual_form.h"

#include <gtest/gtest.h>

#include "syntax/parse.h"
#include "syntax/unparse.h"

namespace tritonrl::teacher {
namespace {

// Of statements behind the imports.
std::string usual(const std::string& body, const std::string& imports = "") {
  syntax::SyntaxArena arena;
  const std::string head = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n" + imports;
  const syntax::Parsed parsed = syntax::parse(head + body, arena);
  EXPECT_NE(parsed.module, nullptr) << parsed.error;
  return syntax::unparse(*usual_form(*parsed.module, arena)).substr(head.size());
}

TEST(UsualForm, OperatorsHaveTheirFirstNames) {
  EXPECT_EQ(usual("y = torch.clip(x, 0, max=1)"), "y = torch.clamp(x, 0, max=1)");
  EXPECT_EQ(usual("y = x.clip(0, 1).true_divide(z)"), "y = x.clamp(0, 1).div(z)");
  EXPECT_EQ(usual("y = x.clamp_min(0.5)"), "y = x.clamp(min=0.5)");
  EXPECT_EQ(usual("y = torch.clamp_max(x, 0.5)"), "y = torch.clamp(x, max=0.5)");
  EXPECT_EQ(usual("y = nn.functional.gelu(input=x, approximate='tanh')"),
            "y = torch.nn.functional.gelu(x, approximate='tanh')");
  EXPECT_EQ(usual("y = torch.add(input=x, other=z)"), "y = torch.add(x, other=z)");
  EXPECT_EQ(usual("y = torch.addcmul(x, a, b, value=2.0)"), "y = x + 2.0 * (a * b)");
  EXPECT_EQ(usual("y = x.addcdiv(a, b)"), "y = x + a / b");
  EXPECT_EQ(usual("y = torch.swapaxes(x, 0, 1) + torch.swapaxes(x, axis0=0, axis1=1)"),
            "y = torch.transpose(x, 0, 1) + torch.swapaxes(x, axis0=0, axis1=1)");
}

TEST(UsualForm, MethodsOfOtherThingsKeepTheirNames) {
  const std::string own =
      "class Net(nn.Module):\n\n    def clip(self, x):\n        return x\n\n    def forward(self, x):\n"
      "        return self.clip(x)";
  EXPECT_EQ(usual(own), "\n" + own);
  EXPECT_EQ(usual("y = x.clip(0, 1)", "import numpy as np\n"), "y = x.clip(0, 1)");
  EXPECT_EQ(usual("y = np.clip(x, 0, 1)", "import numpy as np\n"), "y = np.clip(x, 0, 1)");
  EXPECT_EQ(usual("y = F.relu(x)"), "y = F.relu(x)");
}

TEST(UsualForm, ChoicesAreStatements) {
  EXPECT_EQ(usual("y = a if c else b if d else e"), "if c:\n    y = a\nelif d:\n    y = b\nelse:\n    y = e");
  EXPECT_EQ(usual("def f(x):\n    return x if x > 0 else -x"),
            "\ndef f(x):\n    if x > 0:\n        return x\n    else:\n        return -x");
  EXPECT_EQ(usual("y = f(a if c else b)"), "y = f(a if c else b)");
}

TEST(UsualForm, FormulasAreWrittenWhereTheyAreCalled) {
  EXPECT_EQ(usual("def forward(self, x):\n    f = lambda u: torch.tanh(u) * self.scale\n    y = f(x)\n    return f(y) "
                  "+ f(self.z)"),
            "\ndef forward(self, x):\n    y = torch.tanh(x) * self.scale\n    return torch.tanh(y) * self.scale + "
            "torch.tanh(self.z) * self.scale");
  EXPECT_EQ(usual("def forward(self, x):\n\n    def gate(u, v):\n        return u * v\n    return gate(x, x)"),
            "\ndef forward(self, x):\n    return x * x");
  // an argument that computes something, a function that is handed on, one that calls itself
  for (const char* kept : {"def f(x):\n    g = lambda u: u * u\n    return g(x + 1)",
                           "def f(x):\n    g = lambda u: u\n    return map(g, x)",
                           "def f(x):\n    g = lambda t: t / x.std()\n    return sum((g(x) for x in x.split(1)))",
                           "def f(x):\n    global g\n    g = lambda t: t\n    return x",
                           "def f(x):\n\n    def g(u):\n        return g(u)\n    return g(x)"})
    EXPECT_EQ(usual(kept), "\n" + std::string(kept));
}

}  // namespace
}  // namespace tritonrl::teacher
