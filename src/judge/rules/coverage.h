#pragma once

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "judge/replay.h"

namespace tritonrl::judge {

// Which operations of which kernels were executed, by their place in the candidate's file, and which ATen operators.
class Coverage {
 public:
  // Adds what the launches of one run executed, of all sections, and the operators of forward `forward`.
  void add(const program::Program& program, const CompiledProgram& compiled,
           const std::vector<runner::LaunchReport>& launches, int forward);

  // The first thing that is here and not there, with its line; nothing if all of it is there.
  struct Missing {
    std::string what;
    program::SourceLine at;
    bool rounds = false;  // all that is missing: a loop went round once or twice there and more often here
  };
  std::optional<Missing> missing_in(const Coverage& other) const;
  // Whether it has something that is here and not there.
  bool helps(const Coverage& here, const Coverage& there) const;

 private:
  struct Place {
    std::string kernel;
    program::SourceLine at;
    int column = 0, side = 0, form = 0;
    std::string code;
    bool operator<(const Place& other) const {
      return std::tie(kernel, at.file, at.line, column, side, form) <
             std::tie(other.kernel, other.at.file, other.at.line, other.column, other.side, other.form);
    }
  };
  std::set<Place> places_;
  std::set<std::string> operators_;  // and what torch writes over results of kernels, each time for itself
};

// How often the launches of a run's last forward load each input and store each output, in multiples of its size.
// Negative: torch reads or writes it too, or nothing is known.
struct Reach {
  std::vector<double> inputs, outputs;  // in the order of tensors_of
  // Of each launch and tensor: what earlier launches stored of it, in multiples of what this one loads.
  std::vector<double> between;
  std::vector<double> most_outputs;  // stores if every program stored as much as the one seen that stored most
};
Reach reach_of(const program::Program& program, const std::vector<runner::LaunchReport>& launches);

}  // namespace tritonrl::judge
