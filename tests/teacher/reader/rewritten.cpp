#include "tests/teacher/reader/rewritten.h"

#include <gtest/gtest.h>

#include "syntax/parse.h"
#include "syntax/unparse.h"
#include "teacher/typing/infer_facts.h"

namespace tritonrl::teacher {
namespace {

std::string indented(std::string_view lines) {
  std::string out;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    out += "        " + std::string(lines.substr(0, end)) + "\n";
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return out;
}

}  // namespace

std::string module_text(std::string_view forward, std::string_view constructor) {
  return "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\nclass Model(nn.Module):\n\n"
         "    def __init__(self):\n        super().__init__()\n        self.w = nn.Parameter(torch.randn(6))\n" +
         indented(constructor) + "\n    def forward(self, x, y, v):\n" + indented(forward) +
         "\ndef get_inputs():\n    return [torch.randn(4, 6, 5, 5), torch.randn(4, 6, 5, 5), torch.randn(4, 6)]\n"
         "\ndef get_init_inputs():\n    return []\n";
}

Rewritten rewritten(const std::string& module, const RewriteOptions& options) {
  syntax::SyntaxArena arena;
  const syntax::Parsed parsed = syntax::parse(module, arena);
  EXPECT_NE(parsed.module, nullptr) << parsed.error;
  if (parsed.module == nullptr) return {};
  const Inferred inferred = infer_facts(*parsed.module, "Model");
  std::optional<Rewritten> answer = rewrite(*parsed.module, inferred.facts, "Model", options);
  if (!answer) return {};
  syntax::SyntaxArena again;
  const std::string code = answer->solution.substr(answer->plan.size());
  const syntax::Parsed solution = syntax::parse(code, again);
  EXPECT_NE(solution.module, nullptr) << solution.error << " in line " << solution.line << "\n" << code;
  if (solution.module != nullptr) {
    EXPECT_EQ(syntax::unparse(*solution.module) + "\n", code);
  }
  return *answer;
}

bool has(const Rewritten& answer, std::string_view part) {
  return answer.solution.find(part) != std::string::npos;
}

}  // namespace tritonrl::teacher
