#include <algorithm>
#include <cmath>
#include <set>

#include "judge/mending.h"
#include "judge/rules/groups.h"
#include "judge/rules/names.h"
#include "judge/rules/step_access.h"
#include "judge/rules/tensor_text.h"
#include "judge/rules/work.h"
#include "program/operator_table.h"
#include "runner/structure_tensors.h"

// Rules on a recorded program: what is computed, by whom, how much. "The last forward" is the one that counts: earlier
// ones may prepare the module.

namespace tritonrl::judge {
namespace {

using program::AtenCall;
using program::Launch;
using program::OperatorKind;
using program::Program;
using program::Step;

constexpr std::int64_t kStrictElements = 16;
constexpr std::int64_t kInputValues = 8, kOtherValues = 64;
constexpr std::int64_t kHostBytes = 4096;

void collect_leaves(const program::Structure& structure, std::vector<const program::Structure*>& out) {
  if (structure.kind == program::Structure::Kind::kLeaf) out.push_back(&structure);
  for (const auto& [name, item] : structure.items) collect_leaves(item, out);
}

// The inputs are the task's: as many tensors of the same types and shapes in every forward, and the same other values.
Checked other_inputs(const Evidence& evidence) {
  const Program& reference = *evidence.reference;
  const Program& candidate = *evidence.candidate;
  const auto different = [](const std::string& message) {
    return Violation{"the candidate's code changed the task's inputs: " + message,
                     {},
                     "leave the task's sizes, get_inputs and torch's own functions alone"};
  };
  for (std::size_t f = 0; f < std::min(reference.forwards.size(), candidate.forwards.size()); ++f) {
    std::vector<const program::Structure*> want, have;
    collect_leaves(reference.forwards[f].inputs, want);
    collect_leaves(candidate.forwards[f].inputs, have);
    if (want.size() != have.size())
      return different(std::to_string(have.size()) + " instead of " + std::to_string(want.size()));
    for (std::size_t i = 0; i < want.size(); ++i) {
      const auto* a = want[i]->leaf.get_if<program::TensorRef>();
      const auto* b = have[i]->leaf.get_if<program::TensorRef>();
      if (a == nullptr && b == nullptr && want[i]->leaf == have[i]->leaf) continue;
      if (a == nullptr || b == nullptr) return different("argument " + std::to_string(i));
      const program::Tensor& x = tensor_of(reference, *a);
      const program::Tensor& y = tensor_of(candidate, *b);
      if (x.dtype != y.dtype || x.sizes != y.sizes)
        return different("argument " + std::to_string(i) + " is " + shape_text(y) + ", the task's is " + shape_text(x));
    }
  }
  return std::nullopt;
}

// What is no tensor among the results, in order.
std::vector<double> numbers_of(const program::Structure& outputs) {
  std::vector<const program::Structure*> leaves;
  collect_leaves(outputs, leaves);
  std::vector<double> out;
  for (const program::Structure* one : leaves) {
    if (const auto* whole = one->leaf.get_if<std::int64_t>()) out.push_back(static_cast<double>(*whole));
    if (const auto* number = one->leaf.get_if<double>()) out.push_back(*number);
    if (const auto* flag = one->leaf.get_if<bool>()) out.push_back(*flag ? 1 : 0);
  }
  return out;
}

// Numbers that forward returns beside its tensors are the reference's; where nobody computed them, as many.
Checked other_numbers(const Evidence& evidence) {
  constexpr double kPart = 1e-2;  // they are sums of data that may be added up in any order
  const Program& reference = *evidence.reference;
  const Program& candidate = *evidence.candidate;
  // recorded once more it may be for other inputs than the reference was
  const bool known = evidence.again == nullptr && !assumes_answers(reference) && !assumes_answers(candidate);
  for (std::size_t f = 0; f < std::min(reference.forwards.size(), candidate.forwards.size()); ++f) {
    const std::vector<double> want = numbers_of(reference.forwards[f].outputs);
    const std::vector<double> have = numbers_of(candidate.forwards[f].outputs);
    if (want.size() != have.size()) {
      return Violation{.message = "forward returns " + std::to_string(have.size()) +
                                  " numbers beside its tensors, the " + "reference " + std::to_string(want.size()),
                       .advice = "return what the reference returns"};
    }
    for (std::size_t i = 0; known && i < want.size(); ++i) {
      if (!(std::abs(want[i] - have[i]) > kPart * std::max(std::abs(want[i]), kPart))) continue;
      return Violation{.message = "a number among the results is another one than the reference's",
                       .advice = "return what the reference returns",
                       .expected = std::to_string(want[i]),
                       .got = std::to_string(have[i])};
    }
  }
  return std::nullopt;
}

Checked nothing_launched(const Evidence& evidence) {
  for (const Step& step : evidence.candidate->forwards.back().steps) {
    if (std::holds_alternative<Launch>(step)) return std::nullopt;
  }
  return Violation{
      "forward launches no Triton kernel", {}, "launch the kernel from ModelNew.forward: kernel[grid](...)"};
}

// The text without indentation and blank lines, one line each.
std::string squeezed(const std::string& text) {
  std::string out, line;
  const auto flush = [&] {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string::npos) out += line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1) + "\n";
    line.clear();
  };
  for (const char c : text) {
    if (c == '\n') {
      flush();
    } else {
      line += c;
    }
  }
  flush();
  return out;
}

// The text of every launched kernel is in the candidate's file.
Checked kernel_elsewhere(const Evidence& evidence) {
  const Program& candidate = *evidence.candidate;
  const std::string file = squeezed(evidence.code);
  std::set<int> used;
  for (const program::Forward& forward : candidate.forwards) {
    for (const Step& step : forward.steps) {
      if (const auto* launch = std::get_if<Launch>(&step)) used.insert(launch->kernel);
    }
  }
  for (const int index : used) {
    const program::Kernel& kernel = candidate.kernels[static_cast<std::size_t>(index)];
    for (const program::KernelFunction& function : kernel.functions) {  // Triton's own are imported, and none of them
      if (file.find(squeezed(function.source)) == std::string::npos) {
        return Violation{"the text of " + function.name + ", which was launched, is not in the candidate's file",
                         function.at, "write every kernel out in the file"};
      }
    }
  }
  return std::nullopt;
}

// No ATen arithmetic on tensors of more than a few elements in the last forward.
Checked arithmetic_in_torch(const Evidence& evidence) {
  const Program& candidate = *evidence.candidate;
  for (const Step& step : candidate.forwards.back().steps) {
    const program::Operator* op = computing_operator(step);
    if (op == nullptr || op->kind == OperatorKind::kPermute) continue;
    const auto& call = std::get<AtenCall>(step);
    std::int64_t most = 0;
    const auto look = [&](program::TensorRef ref) { most = std::max(most, tensor_of(candidate, ref).numel()); };
    for (const program::Value& value : call.args) program::for_each_tensor(value, look);
    program::for_each_tensor(call.result, look);
    if (most <= kStrictElements) continue;
    return Violation{"policy strict: torch's " + std::string(program::plain_name(call.op)) + " computes on " +
                         std::to_string(most) + " elements in forward",
                     call.at, "do it in a kernel; torch may allocate, view, copy, cast, pad and concatenate"};
  }
  return std::nullopt;
}

// Few values reach the host in a forward, of those that depend on inputs fewer.
Checked values_read_back(const Evidence& evidence) {
  const Program& candidate = *evidence.candidate;
  const auto values = [&](const program::Question& question) -> std::int64_t {
    return question.kind == program::Question::Kind::kList ? tensor_of(candidate, question.about.front()).numel() : 1;
  };
  for (std::size_t f = 0; f < candidate.forwards.size(); ++f) {
    const std::vector<bool> tainted = tainted_by_inputs(candidate, static_cast<int>(f));
    std::int64_t inputs = 0, others = 0;
    for (const Step& step : candidate.forwards[f].steps) {
      const auto* question = std::get_if<program::Question>(&step);
      if (question == nullptr) continue;
      const bool of_input = std::any_of(question->about.begin(), question->about.end(), [&](program::TensorRef ref) {
        return tainted[static_cast<std::size_t>(tensor_of(candidate, ref).storage)];
      });
      (of_input ? inputs : others) += values(*question);
      if (inputs <= kInputValues && others <= kOtherValues) continue;
      return Violation{"forward reads " + std::to_string(std::max(inputs, others)) + " values back to the host; " +
                           std::to_string(of_input ? kInputValues : kOtherValues) + " are allowed",
                       question->at, "keep the data on the GPU and let a kernel compute with it"};
    }
  }
  return std::nullopt;
}

// Tensors whose values forward makes on the host are small.
Checked values_made_on_host(const Evidence& evidence) {
  const Program& candidate = *evidence.candidate;
  std::vector<bool> known(candidate.storages.size(), false);
  const auto visit = [&](const Step& step, auto&& use) {
    if (const auto* call = std::get_if<AtenCall>(&step)) {
      for (const program::Value& value : call->args) program::for_each_tensor(value, use);
      for (const auto& [name, value] : call->kwargs) program::for_each_tensor(value, use);
    } else if (const auto* launch = std::get_if<Launch>(&step)) {
      for (const program::LaunchVariant& variant : launch->variants) {
        for (const program::LaunchArgument& argument : variant.arguments) program::for_each_tensor(argument.value, use);
      }
    }
  };
  const auto know = [&](program::TensorRef ref) {
    known[static_cast<std::size_t>(tensor_of(candidate, ref).storage)] = true;
  };
  for (const Step& step : candidate.initialise) visit(step, know);
  for (const program::Forward& forward : candidate.forwards) {
    for (const Step& step : forward.make_inputs) visit(step, know);
  }
  for (const program::Forward& forward : candidate.forwards) {
    std::int64_t bytes = 0;
    const auto add = [&](program::TensorRef ref) {
      const auto storage = static_cast<std::size_t>(tensor_of(candidate, ref).storage);
      if (known[storage] || candidate.storages[storage].constant.empty()) return;
      known[storage] = true;
      bytes += candidate.storages[storage].bytes;
    };
    const auto over = [&](const program::SourceLine& at) {
      return Violation{"forward makes " + std::to_string(bytes) + " bytes of tensor values on the host; " +
                           std::to_string(kHostBytes) + " are allowed",
                       at, "compute them in a kernel, or make them once in __init__"};
    };
    for (const Step& step : forward.steps) {
      visit(step, add);
      if (bytes > kHostBytes) return over(place_of(step));
    }
    for (const program::TensorRef ref : runner::tensors_of(forward.outputs)) add(ref);
    if (bytes > kHostBytes) return over({});
  }
  return std::nullopt;
}

using record::Stage;
using Kind = record::VerdictKind;

constexpr Rule kProgramRules[] = {
    {rules::kNotRecordable, Stage::kCompile, Kind::kCompileError, LooksAt::kOnTheWay, "", "", nullptr,
     "a recording cannot hold what it does: no part of the next rung"},
    {rules::kIntrusion, Stage::kCompile, Kind::kCheated, LooksAt::kOnTheWay, rules::kIntrusion, "", nullptr,
     "the file's code reaches for frames, or for all objects, of the process that records it", 6},
    {"inputs", Stage::kCompile, Kind::kCheated, LooksAt::kAnyRecording, "inputs", "", other_inputs,
     "the inputs in the candidate's program have other types or shapes than the task's"},
    {"output_numbers", Stage::kCompile, Kind::kWrong, LooksAt::kAnyRecording, "output_numbers", "", other_numbers,
     "numbers that forward returns beside tensors are others than the reference's", 13},
    {"not_launched", Stage::kCompile, Kind::kInvalid, LooksAt::kRealRecording, "not_launched", "", nothing_launched,
     "forward launches no kernel"},
    {"kernel_in_file", Stage::kCompile, Kind::kCheated, LooksAt::kRealRecording, "kernel_in_file", "", kernel_elsewhere,
     "the text of a launched kernel is not in the candidate's file"},
    {"strict", Stage::kCompile, Kind::kCheated, LooksAt::kRealRecording, "strict", "strict", arithmetic_in_torch,
     "torch computes on more than 16 elements in forward"},
    {rules::kQuestions, Stage::kCompile, Kind::kCheated, LooksAt::kAnyRecording, rules::kQuestions, "",
     values_read_back, "more than 8 values that depend on inputs reach the host in one forward, or 64 others"},
    {"host_constants", Stage::kCompile, Kind::kCheated, LooksAt::kAnyRecording, "host_constants", "",
     values_made_on_host, "forward makes more than 4 KiB of tensor values on the host"},
};

}  // namespace

std::span<const Rule> program_rules() {
  return kProgramRules;
}

}  // namespace tritonrl::judge
