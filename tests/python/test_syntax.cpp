#include "tests/python/test_syntax.h"

#include <cstdio>

#include "tests/python/test_recorder.h"

namespace tritonrl::python {
namespace {

std::string dump_value(const syntax::SyntaxValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "True" : "False";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* text = std::get_if<std::string>(&value)) return "<" + *text + ">";
  if (const auto* other = std::get_if<syntax::OtherConstant>(&value)) return "other " + std::string(other->kind);
  if (const auto* node = std::get_if<const syntax::SyntaxNode*>(&value)) return dump(**node);
  if (const auto* real = std::get_if<double>(&value)) {
    char digits[64];
    std::snprintf(digits, sizeof(digits), "%.17g", *real);
    return digits;
  }
  std::string out = "[";
  if (const auto* nodes = std::get_if<std::vector<const syntax::SyntaxNode*>>(&value)) {
    for (const syntax::SyntaxNode* node : *nodes) out += (node == nullptr ? "None" : dump(*node)) + ",";
    return out + "]";
  }
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    for (const std::string& text : *texts) out += "<" + text + ">,";
    return out + "]";
  }
  return "None";
}

}  // namespace

SyntaxReaderOptions test_syntax_options() {
  const RecorderOptions recorder = test_recorder_options();
  SyntaxReaderOptions options;
  options.interpreter = recorder.interpreter;
  options.library = recorder.library;
  options.policy = recorder.policy;
  return options;
}

SyntaxReader& test_syntax() {
  static SyntaxReader reader(test_syntax_options());
  return reader;
}

ParsedSource parse_text(std::string_view text, bool normalise) {
  return std::move(test_syntax().parse({&text, 1}, normalise).front());
}

std::string dump(const syntax::SyntaxNode& node) {
  std::string out = std::string(node.kind) + "@" + std::to_string(node.line) + ":" + std::to_string(node.column) + "-" +
                    std::to_string(node.end_line) + ":" + std::to_string(node.end_column) + "(";
  for (const auto& [name, value] : node.fields) out += std::string(name) + "=" + dump_value(value) + " ";
  return out + ")";
}

}  // namespace tritonrl::python
