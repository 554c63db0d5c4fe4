#pragma once

#include <string>
#include <string_view>

#include "syntax/parse.h"
#include "teacher/typing/infer_facts.h"

namespace tritonrl::teacher {

// A module read by our own parser, and what inference tells of it. A text that cannot be read fails the test.
class InferredModule {
 public:
  explicit InferredModule(std::string text);

  // Of the first evaluated expression with exactly this text, on this line where one is given: "float32[2, 3]", "int
  // 3", "(int 2, int 3)", "Linear", "unknown"; "never" where it was not evaluated.
  std::string of(std::string_view expression, int line = 0) const;
  const Fact* fact(std::string_view expression, int line = 0) const;
  const Inferred& inferred() const { return inferred_; }
  const syntax::SyntaxNode& root() const { return *root_; }

 private:
  std::string text_;
  syntax::SyntaxArena arena_;
  const syntax::SyntaxNode* root_ = nullptr;
  Inferred inferred_;
};

std::string show(const Fact& fact);

// A text in KernelBench's layout: constructor and forward as lines with their own further indentation; forward takes
// what `inputs` makes, "x=torch.randn(2, 3), y=torch.randn(3)".
std::string module_text(std::string_view constructor, std::string_view forward,
                        std::string_view inputs = "x=torch.randn(4, 6, 8)", std::string_view before = "");

}  // namespace tritonrl::teacher
