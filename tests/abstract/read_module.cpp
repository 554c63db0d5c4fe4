#include "tests/abstract/read_module.h"

#include <gtest/gtest.h>

#include "tests/python/test_syntax.h"

namespace tritonrl::abstract {

ForwardOperators read_module(std::string_view source, const std::string& entry_point) {
  const python::ParsedSource parsed = python::parse_text(source);
  EXPECT_TRUE(parsed.tree.has_value()) << parsed.error << ", line " << parsed.line << " of\n" << source;
  return parsed.tree.has_value() ? forward_operators(parsed.tree->root(), entry_point) : ForwardOperators();
}

std::string computing(const ForwardOperators& forward) {
  std::string names;
  for (const ForwardOperator& op : forward.operators) {
    if (!program::is_compute(op.kind)) continue;
    names += (names.empty() ? "" : " ") + op.name + (op.repeated ? "*" : "");
  }
  return names;
}

std::string computing(std::string_view source, const std::string& entry_point) {
  return computing(read_module(source, entry_point));
}

std::string model(std::string_view constructor, std::string_view forward) {
  const auto indented = [](std::string_view lines) {
    std::string text = "        ";
    for (const char c : lines) {
      text += c;
      if (c == '\n') text += "        ";
    }
    return text + "\n";
  };
  return "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
         "class Model(nn.Module):\n    def __init__(self, n=3, flag=True, width=8):\n        super().__init__()\n" +
         indented(constructor.empty() ? "pass" : constructor) + "    def forward(self, x, y=None):\n" +
         indented(forward);
}

}  // namespace tritonrl::abstract
