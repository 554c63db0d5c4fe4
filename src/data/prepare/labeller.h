#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "abstract/difficulty.h"
#include "abstract/forward_operators.h"
#include "data/prepare/example_reader.h"
#include "data/prepare/prepare.h"

namespace tritonrl::data {

// What is known of an example's module.
struct Labelled {
  std::optional<RowProblem> problem;  // not_python, no_module, no_inputs: it cannot be used
  abstract::ForwardOperators forward;
  abstract::Difficulty difficulty;
  // Whether kernels for it can be judged, as far as is known.
  bool runnable() const { return forward.has_inputs && not_recorded.empty(); }
  std::string text_hash, program_hash;  // of its operators; the second where it was recorded
  std::string not_recorded;             // why, where that was tried in vain
  std::string normal;                   // by Python's unparse, where the prompt needs it
};

// Reads modules. One a thread.
class Labeller {
 public:
  Labeller(const PrepareOptions& options, const PrepareTools& tools);

  // One result an example.
  std::vector<Labelled> label(std::span<const Example* const> examples);

 private:
  static Labelled known(const Example& example);
  std::vector<Labelled> read(std::span<const Example* const> examples);
  void record(const Example& example, Labelled& labelled);

  const PrepareOptions& options_;
  const PrepareTools& tools_;
  std::unique_ptr<python::SyntaxReader> reader_;  // made for the first text that must be read
};

}  // namespace tritonrl::data
