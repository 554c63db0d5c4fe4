#include "judge/program_rules.h"

#include <algorithm>
#include <set>

#include "judge/rules.h"
#include "judge/step_access.h"
#include "judge/tensor_text.h"
#include "program/cost.h"
#include "program/operator_table.h"
#include "runner/structure_tensors.h"

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
constexpr std::int64_t kGridX = (std::int64_t{1} << 31) - 1, kGridYZ = 65535;

bool is_rearrangement(OperatorKind kind) {
  return kind == OperatorKind::kPermute || kind == OperatorKind::kGather;
}

const program::Operator* computing(const Step& step) {
  const auto* call = std::get_if<AtenCall>(&step);
  const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
  return op != nullptr && program::is_compute(op->kind) ? op : nullptr;
}

void collect_leaves(const program::Structure& structure, std::vector<const program::Structure*>& out) {
  if (structure.kind == program::Structure::Kind::kLeaf) out.push_back(&structure);
  for (const auto& [name, item] : structure.items) collect_leaves(item, out);
}

std::string percent(double part) {
  const int tenths = static_cast<int>(part * 1000 + 0.5);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

}  // namespace

Checked check_inputs(const Program& reference, const Program& candidate) {
  const auto different = [](const std::string& message) {
    return Violation{rules::kInputs,
                     "the candidate's code changed the task's inputs: " + message,
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

Checked check_output_places(const program::Program& reference, const program::Program& candidate) {
  const auto want = runner::tensors_of(reference.forwards.back().outputs);
  const auto have = runner::tensors_of(candidate.forwards.back().outputs);
  const auto place = [](const program::Program& program, program::TensorRef ref) {
    const program::Tensor& tensor = program.tensors[static_cast<std::size_t>(ref.index)];
    return program.storages[static_cast<std::size_t>(tensor.storage)].device;
  };
  for (std::size_t i = 0; i < std::min(want.size(), have.size()); ++i) {
    if (place(reference, want[i]) == place(candidate, have[i])) continue;
    const bool host = place(candidate, have[i]) == program::Device::kHost;
    return Violation{.rule = rules::kOutputPlace,
                     .message = "output " + std::to_string(i) +
                                (host ? " is on the host, the reference's on the GPU"
                                      : " is on the GPU, the reference's on the host"),
                     .at = {},
                     .advice = "return tensors on the device of the inputs"};
  }
  return std::nullopt;
}

Checked check_launched(const Program& candidate) {
  for (const Step& step : candidate.forwards.back().steps) {
    if (std::holds_alternative<Launch>(step)) return std::nullopt;
  }
  return Violation{rules::kNotLaunched,
                   "forward launches no Triton kernel",
                   {},
                   "launch the kernel from ModelNew.forward: kernel[grid](...)"};
}

namespace {

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

}  // namespace

Checked check_kernel_in_file(const Program& candidate, const std::string& code) {
  const std::string file = squeezed(code);
  std::set<int> used;
  for (const program::Forward& forward : candidate.forwards) {
    for (const Step& step : forward.steps) {
      if (const auto* launch = std::get_if<Launch>(&step)) used.insert(launch->kernel);
    }
  }
  for (const int index : used) {
    const program::Kernel& kernel = candidate.kernels[static_cast<std::size_t>(index)];
    for (std::size_t i = 0; i < kernel.functions.size(); ++i) {
      const program::KernelFunction& function = kernel.functions[i];
      if (i > 0 && function.at.file < 0) continue;  // a library's
      if (file.find(squeezed(function.source)) == std::string::npos) {
        return Violation{rules::kKernelInFile,
                         "the text of " + function.name + ", which was launched, is not in the candidate's file",
                         function.at, "write every kernel out in the file"};
      }
    }
  }
  return std::nullopt;
}

Checked check_grids(const Program& candidate) {
  for (const Step& step : candidate.forwards.back().steps) {
    const auto* launch = std::get_if<Launch>(&step);
    if (launch == nullptr) continue;
    for (const program::LaunchVariant& variant : launch->variants) {
      const auto& grid = variant.grid;
      if (grid[0] >= 0 && grid[0] <= kGridX && grid[1] <= kGridYZ && grid[2] <= kGridYZ) continue;
      return Violation{rules::kGridLimit,
                       "the grid (" + std::to_string(grid[0]) + ", " + std::to_string(grid[1]) + ", " +
                           std::to_string(grid[2]) + ") is beyond the hardware's 2147483647 x 65535 x 65535",
                       launch->at, "put the largest dimension first, or loop inside the kernel"};
    }
  }
  return std::nullopt;
}

namespace {

// A convolution and the matrix product that does the same are the same work.
constexpr program::CostOptions kAlike{.tf32_matmul = false, .tf32_convolution = false};

}  // namespace

AtenWork aten_work(const Program& program, const program::Target& target) {
  AtenWork out;
  for (const Step& step : program.forwards.back().steps) {
    const auto* call = std::get_if<AtenCall>(&step);
    const program::Operator* op = call == nullptr ? nullptr : program::find_operator(call->op);
    if (op == nullptr || (!program::is_compute(op->kind) && op->kind != OperatorKind::kCopy)) continue;
    program::Cost cost = program::cost_of(program, *call, kAlike);
    cost.launches = 0;
    const double seconds = program::modelled_seconds(cost, target);
    if (op->kind == OperatorKind::kCopy) {
      out.copies += seconds;
      continue;
    }
    ++out.operators[std::string(program::plain_name(op->name))];
    (is_rearrangement(op->kind) ? out.rearrangement : out.arithmetic) += seconds;
  }
  return out;
}

namespace {

// An operator of the reference that the candidate calls less often, or not at all.
bool lacks_operator(const AtenWork& reference, const AtenWork& candidate) {
  return std::any_of(reference.operators.begin(), reference.operators.end(), [&](const auto& one) {
    const auto found = candidate.operators.find(one.first);
    return found == candidate.operators.end() || found->second < one.second;
  });
}

}  // namespace

Checked check_work(const Program& reference, const Program& candidate, const program::Target& target) {
  const AtenWork want = aten_work(reference, target);
  const AtenWork have = aten_work(candidate, target);
  const bool moves_only = want.arithmetic <= 0;
  const double all_want = want.arithmetic + want.rearrangement + (moves_only ? want.copies : 0);
  const double all_have = have.arithmetic + have.rearrangement + (moves_only ? have.copies : 0);
  if (all_want <= 0) return std::nullopt;
  constexpr double kRounding = 1e-9;
  constexpr double kNoticeable = 0.02;
  const bool more = have.arithmetic > want.arithmetic * (1 + kRounding);
  const bool less = all_have < all_want * (1 - kNoticeable) ||
                    (all_have < all_want * (1 - kRounding) && (moves_only || lacks_operator(want, have)));
  if (!more && less) return std::nullopt;
  program::SourceLine heaviest;
  double most = 0;
  std::string name;
  for (const Step& step : candidate.forwards.back().steps) {
    const program::Operator* op = computing(step);
    if (op == nullptr) continue;
    const double seconds = program::modelled_seconds(program::cost_of(candidate, std::get<AtenCall>(step)), target);
    if (seconds <= most) continue;
    most = seconds;
    heaviest = place_of(step);
    name = program::plain_name(op->name);
  }
  return Violation{rules::kWork,
                   "torch still does " + percent(all_have / all_want) + " of the reference's work in forward" +
                       (name.empty() ? "" : " (most of it: " + name + ")") + "; the kernels replace none of it",
                   heaviest, "let the kernel compute at least one of the reference's operators instead of torch"};
}

Checked check_strict(const Program& candidate) {
  for (const Step& step : candidate.forwards.back().steps) {
    const program::Operator* op = computing(step);
    if (op == nullptr || op->kind == OperatorKind::kPermute) continue;
    const auto& call = std::get<AtenCall>(step);
    std::int64_t most = 0;
    const auto look = [&](program::TensorRef ref) { most = std::max(most, tensor_of(candidate, ref).numel()); };
    for (const program::Value& value : call.args) program::for_each_tensor(value, look);
    program::for_each_tensor(call.result, look);
    if (most <= kStrictElements) continue;
    return Violation{rules::kStrict,
                     "policy strict: torch's " + std::string(program::plain_name(call.op)) + " computes on " +
                         std::to_string(most) + " elements in forward",
                     call.at, "do it in a kernel; torch may allocate, view, copy, cast, pad and concatenate"};
  }
  return std::nullopt;
}

Checked check_questions(const Program& candidate) {
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
      return Violation{rules::kQuestions,
                       "forward reads " + std::to_string(std::max(inputs, others)) + " values back to the host; " +
                           std::to_string(of_input ? kInputValues : kOtherValues) + " are allowed",
                       question->at, "keep the data on the GPU and let a kernel compute with it"};
    }
  }
  return std::nullopt;
}

Checked check_host_constants(const Program& candidate) {
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
      return Violation{rules::kHostConstants,
                       "forward makes " + std::to_string(bytes) + " bytes of tensor values on the host; " +
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

}  // namespace tritonrl::judge
