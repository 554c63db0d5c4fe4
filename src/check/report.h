#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "check/launcher/launch_result.h"

namespace tritonrl::base {
class FieldVisitor;
}

namespace tritonrl::check {

struct Place {
  std::string file;
  int line = 0;  // from 1; 0: unknown
  bool operator==(const Place&) const = default;
  void fields(base::FieldVisitor& field);
};

// One launch of a kernel, or several that did the same.
struct LaunchReport {
  std::string kernel;
  Place defined, launched;
  std::array<std::int64_t, 3> grid = {1, 1, 1};
  int num_warps = 0, num_stages = 0;
  std::int64_t times = 1;  // launches like this one; the figures are the first one's
  machine::Counters counters;
  machine::LaunchTime time;
  double milliseconds = 0;  // that all of them took here
  std::string printed;
  void fields(base::FieldVisitor& field);
};

// Something wrong, where it is wrong.
struct CheckFinding {
  std::string rule;  // a name that stays: "out_of_bounds"
  Place place;
  std::string code;    // the line's text
  std::string kernel;  // empty: in the script's own code
  std::string test;    // that pytest ran, where one is known
  std::string message;
  std::array<std::int64_t, 3> program = {0, 0, 0};  // the first one
  std::int64_t times = 1;                           // how often it was found
  Place launched;
  void fields(base::FieldVisitor& field);
};

// A test of a file that pytest ran.
struct TestReport {
  std::string name;     // "test_softmax.py::test_rows[128]"
  std::string outcome;  // "passed", "failed", "skipped"
  double seconds = 0;
  void fields(base::FieldVisitor& field);
};

struct ScriptReport {
  std::string script;
  std::vector<LaunchReport> launches;
  std::vector<CheckFinding> findings;
  std::vector<TestReport> tests;
  std::vector<std::string> unchecked;  // what could not be executed, and why
  std::vector<std::string> left_out;   // configurations and sizes that were not run
  std::string raised;                  // what ended the script; empty: it ran to its end
  Place raised_at;
  double seconds = 0;
  void fields(base::FieldVisitor& field);
};

struct Report {
  std::vector<ScriptReport> scripts;
  void fields(base::FieldVisitor& field);
};

}  // namespace tritonrl::check
