#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "data/prepare/spread.h"
#include "record/data_folder.h"

namespace tritonrl::data {

// The figures of a run of `prepare`: what was read, what was left out and why, what was kept.
struct Statistics {
  std::int64_t read = 0;                                  // rows and modules, good and bad
  std::map<std::string, std::int64_t> left_out;           // by reason
  std::map<std::string, std::vector<std::string>> named;  // the first few of each reason: "train-00000, row 17: …"
  std::map<std::string, std::int64_t> task_only;          // kept without their solution, by reason

  std::array<std::array<std::int64_t, 4>, 3> tasks{};  // [split][level], kept
  std::array<std::array<std::int64_t, 4>, 3> pairs{};  // of them with a solution
  std::int64_t labelled_by_program = 0;
  std::int64_t degenerate = 0, not_runnable = 0;
  std::map<std::string, std::int64_t> operators;  // tasks that use each
  std::map<std::string, std::int64_t> verdicts;   // of solutions that were judged, by kind

  // Of installed packages: classes by what became of them, "pair", "task" or the reason that they were left out.
  std::map<std::string, std::map<std::string, std::int64_t>> packages;

  // How the labels agree with KernelBench's own levels: [own][label], of all tasks and of the odd-numbered.
  std::array<std::array<std::int64_t, 4>, 5> confusion{}, odd_confusion{};

  Spread instruction_tokens, output_tokens, code_bytes, output_bytes;
  std::string token_unit;  // whose tokens: "Python" or a model's name

  std::int64_t kept() const;
  std::int64_t kept_pairs() const;
  // A row that was not used; the first five of each reason are named.
  void leave_out(const std::string& reason, const std::string& place, const std::string& message);
  void fields(base::FieldVisitor& field);  // all of it: a run goes on later
};

// prepare_report.json.
std::string to_json(const Statistics& statistics);

// As a table for people.
std::string to_text(const Statistics& statistics);

}  // namespace tritonrl::data
