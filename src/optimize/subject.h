#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "optimize/input_spec.h"
#include "program/target.h"
#include "python/recorder.h"
#include "python/syntax_reader.h"
#include "record/task.h"

namespace tritonrl::optimize {

// Which module, as a user names it.
struct SubjectRequest {
  std::string place;                // FILE, FILE:Class or package.module:Class
  std::vector<std::string> inputs;  // --input; empty: those of the file, or found by trial
  std::string init;                 // --init: constructor arguments as in a call: "64, 4, bias=False"; empty: likewise
  bool eval = false;                // in evaluation mode: its constructor ends with self.eval()
};

// Where inputs and constructor arguments come from, for a person.
inline constexpr const char* kOfTheFile = "of the file";
inline constexpr const char* kGiven = "given";
inline constexpr const char* kFoundByTrial = "found by trial";

// What finding it needs. The recorder is asked for where inputs or arguments must be found by trial.
struct SubjectTools {
  std::unique_ptr<python::SyntaxReader> reader;
  std::function<python::Recorder&()> recorder;
  const program::Target* target = nullptr;
  std::vector<std::string> python_paths;  // where installed modules are looked for
};

// A module that is to become faster: a task at any sizes of its ranges.
struct Subject {
  std::string place;              // as it was named
  std::string entry_point;        // the class
  std::string source;             // a text that stands alone, without what follows
  std::string init_text;          // get_init_inputs() and imports that it needs; empty: the source has it
  std::vector<InputSpec> inputs;  // as they were given; empty: in the source or in init_text
  std::string inputs_from;
  std::vector<std::string> classes;  // module classes of the file; none where it is taken as it stands
  std::string mode;                  // "training", "evaluation"
  std::string shown_inputs;          // those found by trial, as text

  std::vector<Range> ranges() const { return ranges_of(inputs); }
  record::Task task(const Sizes& sizes) const;
};

// Finds the file, cuts the class out with what it needs (data/prepare/module_cutter.h; a file that has get_inputs stays
// as it is) and adds inputs. Nothing is executed but, confined, what trials need. UserError names file, class and what
// to do.
Subject find_subject(const SubjectRequest& request, SubjectTools& tools);

}  // namespace tritonrl::optimize
