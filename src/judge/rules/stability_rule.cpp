#include <algorithm>
#include <map>
#include <set>

#include "judge/rules/groups.h"
#include "judge/rules/names.h"
#include "judge/rules/step_access.h"
#include "judge/rules/tensor_text.h"
#include "program/operator_table.h"
#include "program/program_json.h"
#include "runner/structure_tensors.h"

// Rule stability: forward does the same whenever it is called.

namespace tritonrl::judge {

using program::AtenCall;
using program::Launch;
using program::Program;
using program::Step;

namespace {

// What a forward does, with storages numbered as they appear: equal texts do equal things.
class Skeleton {
 public:
  struct Detail {
    bool offsets = true;   // where in its storage a view begins, which follows from strides
    bool numbers = false;  // that kernels are passed
  };
  Skeleton(const Program& program, std::size_t forward, Detail detail) : program_(program), detail_(detail) {
    const program::Forward& one = program.forwards[forward];
    for (const program::TensorRef ref : runner::tensors_of(one.inputs)) tensor(ref);
    for (const Step& step : one.steps) lines_.push_back(line(step));
    std::string outputs = "outputs";
    for (const program::TensorRef ref : runner::tensors_of(one.outputs)) outputs += " " + tensor(ref);
    lines_.push_back(outputs);
  }
  const std::vector<std::string>& lines() const { return lines_; }

  static constexpr std::string_view kQuestion = "question: ";

 private:
  std::string tensor(program::TensorRef ref) {
    const program::Tensor& one = tensor_of(program_, ref);
    const auto number = numbers_.try_emplace(one.storage, static_cast<int>(numbers_.size())).first->second;
    return "#" + std::to_string(number) + (detail_.offsets ? "+" + std::to_string(one.offset) : "") + shape_text(one);
  }

  static std::string number(const program::Value& value) {
    const bool plain = value.get_if<std::int64_t>() != nullptr || value.get_if<double>() != nullptr;
    return plain ? program::to_json(value) : "_";
  }

  std::string value(const program::Value& value) {
    if (const auto* list = value.get_if<program::Value::List>()) {
      std::string out = "(";
      for (const program::Value& item : *list) out += this->value(item) + ",";
      return out + ")";
    }
    std::string out;
    program::for_each_tensor(value, [&](program::TensorRef ref) { out += tensor(ref); });
    if (!out.empty()) return out;
    if (const auto* number = value.get_if<std::int64_t>()) return std::to_string(*number);
    if (const auto* flag = value.get_if<bool>()) return *flag ? "true" : "false";
    return "_";
  }

  std::string line(const Step& step) {
    if (const auto* call = std::get_if<AtenCall>(&step)) {
      std::string out = call->op;
      for (const program::Value& one : call->args) out += " " + value(one);
      for (const auto& [name, one] : call->kwargs) out += " " + name + "=" + value(one);
      return out + " -> " + value(call->result);
    }
    if (const auto* launch = std::get_if<Launch>(&step)) {
      std::string out = program_.kernels[static_cast<std::size_t>(launch->kernel)].name;
      for (const program::LaunchVariant& variant : launch->variants) {
        out += " [" + std::to_string(variant.grid[0]) + "," + std::to_string(variant.grid[1]) + "," +
               std::to_string(variant.grid[2]) + "]";
        for (const program::LaunchArgument& argument : variant.arguments) {
          const bool passed = argument.type == "constexpr" || argument.type.starts_with("*");
          if (passed) out += " " + value(argument.value);
          if (!passed && detail_.numbers) out += " " + number(argument.value);
        }
      }
      return out;
    }
    return std::string(kQuestion) + program::to_json(std::get<program::Question>(step).answer);
  }

  const Program& program_;
  const Detail detail_;
  std::map<int, int> numbers_;
  std::vector<std::string> lines_;
};

Checked different(const Skeleton& a, const Skeleton& b, const Program& program, std::size_t forward,
                  const std::string& what) {
  if (a.lines() == b.lines()) return std::nullopt;
  const auto [left, right] = std::mismatch(a.lines().begin(), a.lines().end(), b.lines().begin(), b.lines().end());
  // what follows another answer may be something else
  const auto is_question = [](const std::vector<std::string>& lines, auto at) {
    return at != lines.end() && at->starts_with(Skeleton::kQuestion);
  };
  if (is_question(a.lines(), left) && is_question(b.lines(), right)) return std::nullopt;
  const auto index = static_cast<std::size_t>(left - a.lines().begin());
  const auto& steps = program.forwards[forward].steps;
  const auto short_text = [](const std::string& text) {
    return text.size() > 120 ? text.substr(0, 120).append("…") : text;
  };
  return Violation{what + " differ: " + (left == a.lines().end() ? "nothing more" : short_text(*left)) + " against " +
                       (right == b.lines().end() ? "nothing more" : short_text(*right)),
                   index < steps.size() ? place_of(steps[index]) : program::SourceLine{},
                   "forward must do the same whenever it is called with the same shapes"};
}

// Whether numbers that kernels are passed may differ from call to call: seeds where the reference draws random numbers,
// counters where it changes its own state.
bool numbers_are_free(const Evidence& evidence) {
  if (evidence.reference == nullptr) return true;
  const Program& reference = *evidence.reference;
  std::set<int> state;
  for (const program::NamedTensor& one : reference.state) state.insert(tensor_of(reference, one.tensor).storage);
  for (const Step& step : reference.forwards.back().steps) {
    const auto* call = std::get_if<AtenCall>(&step);
    if (call == nullptr) continue;
    if (program::draws_random(*call)) return true;
    for (const int storage : access_of(reference, step).writes) {
      if (state.contains(storage)) return true;
    }
  }
  return false;
}

// Two recordings of the last forward do the same: operators, kernels, grids, shapes, and which memory is which.
Checked processes_differ(const Evidence& evidence) {
  const Program& one = *evidence.candidate;
  const Program& other = *evidence.again;
  const std::size_t last = one.forwards.size() - 1;
  const Skeleton::Detail detail{.numbers = !numbers_are_free(evidence)};
  const Skeleton known(one, last, detail);
  for (std::size_t f = std::min<std::size_t>(1, other.forwards.size() - 1); f < other.forwards.size(); ++f) {
    if (auto found =
            different(known, Skeleton(other, f, detail), one, last, "two recordings of forward in different processes"))
      return found;
  }
  return std::nullopt;
}

// By call of forward: the memory of its outputs that its steps use.
std::vector<std::set<int>> memory_of_outputs(const Program& program) {
  std::vector<std::set<int>> out;
  for (const program::Forward& forward : program.forwards) {
    std::set<int> used;
    for (const Step& step : forward.steps) {
      const StepAccess access = access_of(program, step);
      used.insert(access.reads.begin(), access.reads.end());
      used.insert(access.writes.begin(), access.writes.end());
    }
    std::set<int>& mine = out.emplace_back();
    for (const program::TensorRef ref : runner::tensors_of(forward.outputs)) {
      const int storage = tensor_of(program, ref).storage;
      if (used.contains(storage)) mine.insert(storage);
    }
    for (const program::TensorRef ref : runner::tensors_of(forward.inputs)) mine.erase(tensor_of(program, ref).storage);
  }
  return out;
}

// The call that works on what an earlier one gave back; 0: none.
std::size_t call_that_returns(const Program& program) {
  std::set<int> given;
  const std::vector<std::set<int>> calls = memory_of_outputs(program);
  for (std::size_t f = 0; f < calls.size(); ++f) {
    for (const int one : calls[f]) {
      if (given.contains(one)) return f;
    }
    given.insert(calls[f].begin(), calls[f].end());
  }
  return 0;
}

// Results are kept while forward is called again, so that memory comes back only where the file keeps it.
Checked outputs_return(const Evidence& evidence) {
  const std::size_t call = call_that_returns(*evidence.again);
  if (call == 0 || call_that_returns(*evidence.reference) != 0) return std::nullopt;
  return Violation{.message = "call " + std::to_string(call + 1) +
                              " of forward works on memory that an earlier call returned as its result",
                   .advice = "allocate the outputs of each call anew: a caller may keep them"};
}

// The same of all forwards of one recording but the first, which may prepare the module.
Checked calls_differ(const Evidence& evidence) {
  const Program& candidate = *evidence.candidate;
  const std::size_t last = candidate.forwards.size() - 1;
  if (last < 2) return std::nullopt;
  const Skeleton::Detail detail{.numbers = !numbers_are_free(evidence)};
  const Skeleton known(candidate, last, detail);
  for (std::size_t f = 1; f < last; ++f) {
    if (auto found = different(known, Skeleton(candidate, f, detail), candidate, last, "two calls of forward"))
      return found;
  }
  return std::nullopt;
}

// A recording that is used in the place of another: it was asked for with other strides or answers, and does the same
// in every call.
Checked replacement_differs(const Evidence& evidence) {
  const Program& one = *evidence.candidate;
  const Program& other = *evidence.again;
  for (std::size_t f = 0; f < std::min(one.forwards.size(), other.forwards.size()); ++f) {
    // a constructor that asks for values makes numbers of them
    const bool asks = std::any_of(other.initialise.begin(), other.initialise.end(),
                                  [](const Step& step) { return std::holds_alternative<program::Question>(step); });
    const Skeleton::Detail detail{.offsets = false, .numbers = !asks && !numbers_are_free(evidence)};
    if (auto found = different(Skeleton(one, f, detail), Skeleton(other, f, detail), one, f,
                               "two recordings of one call of forward"))
      return found;
  }
  return std::nullopt;
}

using record::Stage;
using Kind = record::VerdictKind;

constexpr Rule kStabilityRules[] = {
    {rules::kStability, Stage::kCompile, Kind::kCheated, LooksAt::kAnyRecording, rules::kStability, "", calls_differ,
     "calls of forward behind the first do different things", 4},
    {rules::kStability, Stage::kCompile, Kind::kCheated, LooksAt::kTwoRecordings, rules::kStability, "",
     processes_differ, "the file does something else in a second process"},
    {rules::kAliasing, Stage::kCompile, Kind::kWrong, LooksAt::kTwoRecordings, rules::kAliasing, "", outputs_return,
     "a call works on memory that an earlier one returned, where the reference does not", 8},
    {rules::kStability, Stage::kCompile, Kind::kCheated, LooksAt::kReplacement, rules::kStability, "",
     replacement_differs, "recorded once more, the file does something else", 4},
};

}  // namespace

std::span<const Rule> stability_rules() {
  return kStabilityRules;
}

}  // namespace tritonrl::judge
