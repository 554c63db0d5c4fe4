#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "optimize/subject.h"
#include "program/target.h"
#include "python/recorder.h"

namespace tritonrl::optimize {

// One class of a file: what it takes of the time of a module that uses it, and what kernels of its own could save.
struct SurveyedClass {
  std::string name;
  std::vector<std::string> paths;  // where it stands: "layers.0.attention"; empty text: the module itself
  int calls = 0;
  double seconds = 0;        // of all its calls under eager torch, classes inside it among them
  double own_seconds = 0;    // of that without other classes of the file
  double floor_seconds = 0;  // with the fewest kernels that could do it, products and the like left as they are
  int kernels = 0, floor_kernels = 0;  // of one call: torch's, and those fewest
  std::vector<std::string> fused;      // what these would do, by torch's names
  std::vector<std::string> kept;       // what stays torch's
  bool measured = false;               // `seconds`, on a GPU
  // How it is optimised by itself: options of its costliest call. None: they cannot be written.
  std::optional<std::string> init;
  std::optional<std::vector<std::string>> inputs;

  double gain() const { return seconds - floor_seconds; }
};

// All classes of a file that one of its modules uses, the one that could save most first.
struct Survey {
  std::string module;  // the class that was run
  std::string inputs_from, shown_inputs;
  double seconds = 0;  // of its forward
  std::string target;
  std::vector<SurveyedClass> classes;
};

// Runs the subject on tensors without values and models the time of every call. UserError where it does not run.
Survey survey(const Subject& subject, python::Recorder& recorder, const program::Target& target);

// The seconds of torch as they were measured for its costliest call take the place of those modelled; the share that
// could be saved stays.
void take_measured(SurveyedClass& of, double seconds_of_a_call);

// The command that optimises it; empty: its inputs cannot be written. `file`: as the user named it.
std::string command_for(const SurveyedClass& one, const std::string& file, bool eval);
// What to do about it, in a sentence.
std::string advice_for(const SurveyedClass& one, const Survey& survey, const std::string& command);

// A table with a sentence for each, and the same for programs.
std::string survey_text(const Survey& survey, const std::string& file, bool eval);
base::Json survey_json(const Survey& survey, const std::string& file, bool eval);

}  // namespace tritonrl::optimize
