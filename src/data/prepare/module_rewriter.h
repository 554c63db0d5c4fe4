#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/prepare/example.h"
#include "data/prepare/prepare.h"
#include "teacher/facts/facts.h"
#include "teacher/reader/rewrite.h"

namespace tritonrl::data {

// Makes pairs of modules: the teacher's solution for each in which something can be replaced. One a thread.
class ModuleRewriter {
 public:
  ModuleRewriter(const TeacherOptions& options, const PrepareTools& tools);
  ~ModuleRewriter();

  // The example's text becomes normal, and it gets a solution, whatever it had before; judged, if the tools can. Deep
  // networks make the smallest difference large: where a solution is wrong, one of exact operators alone is tried.
  // Else why not: not_python, no_inputs (by trial), not_traced (its run failed on tensors without values), no_region
  // (nothing in it can be replaced).
  // `planted` gets the modules that were made of it (TeacherOptions::plants), with their solutions.
  std::optional<RowProblem> rewrite(Example& example, std::vector<Example>& planted);

 private:
  std::optional<RowProblem> find_inputs(Example& example);
  std::optional<RowProblem> write_pair(Example& example, int plants, std::vector<Example>& planted);
  void count_names(Example& example);  // where its text can be read
  std::optional<RowProblem> solve(Example& example, const syntax::SyntaxNode& module, const teacher::Facts& facts);
  void plant(const Example& example, const syntax::SyntaxNode& module, const teacher::Facts& facts, int plants,
             std::vector<Example>& planted);
  void add_copies(Example& example, const syntax::SyntaxNode& module, const teacher::Facts& facts,
                  const teacher::RewriteOptions& rewriting);

  const TeacherOptions& options_;
  const PrepareTools& tools_;
  std::unique_ptr<python::SyntaxReader> reader_;
};

}  // namespace tritonrl::data
