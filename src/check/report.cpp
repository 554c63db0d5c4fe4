#include "check/report.h"

#include "base/fields.h"

namespace tritonrl::check {

void Place::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, file, line);
}

void LaunchReport::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, kernel, defined, launched, grid, num_warps, num_stages, times, counters, time, milliseconds,
             printed);
}

void CheckFinding::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, rule, place, code, kernel, test, message, program, times, launched);
}

void TestReport::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, name, outcome, seconds);
}

void ScriptReport::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, script, launches, findings, tests, unchecked, left_out, raised, raised_at, seconds);
}

void Report::fields(base::FieldVisitor& field) {
  TRL_FIELDS(field, scripts);
}

}  // namespace tritonrl::check
