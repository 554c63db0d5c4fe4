#include "record/verdict.h"

namespace tritonrl::record {

std::string_view to_string(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kPassed:
      return "passed";
    case VerdictKind::kNoCode:
      return "no_code";
    case VerdictKind::kInvalid:
      return "invalid";
    case VerdictKind::kCompileError:
      return "compile_error";
    case VerdictKind::kWrong:
      return "wrong";
    case VerdictKind::kCrashed:
      return "crashed";
    case VerdictKind::kTimeout:
      return "timeout";
    case VerdictKind::kCheated:
      return "cheated";
    case VerdictKind::kInfrastructure:
      return "infrastructure";
  }
  TRL_CHECK(false, "a kind without a name");
}

std::string_view to_string(Stage stage) {
  switch (stage) {
    case Stage::kExtract:
      return "extract";
    case Stage::kAst:
      return "ast";
    case Stage::kCompile:
      return "compile";
    case Stage::kTiny:
      return "tiny";
    case Stage::kFull:
      return "full";
    case Stage::kTiming:
      return "timing";
  }
  TRL_CHECK(false, "a stage without a name");
}

std::string_view to_string(VariationResult::Status status) {
  switch (status) {
    case VariationResult::Status::kPassed:
      return "passed";
    case VariationResult::Status::kFailed:
      return "failed";
    case VariationResult::Status::kNotApplicable:
      return "not_applicable";
  }
  TRL_CHECK(false, "a status without a name");
}

}  // namespace tritonrl::record
