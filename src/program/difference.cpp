#include "program/difference.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.h"
#include "program/operator_table.h"

namespace tritonrl::program {
namespace {

std::string operands_text(const Program& program, const AtenCall& call, const Operator& op) {
  std::string text;
  const auto bound = bind_arguments(call, op, nullptr).value_or(std::vector<const Value*>{});
  for (std::size_t i = 0; i < bound.size(); ++i) {
    if (bound[i] == nullptr || op.arguments[i].is_out()) continue;
    for_each_tensor(*bound[i], [&](TensorRef ref) {
      const Tensor& tensor = program.tensors[static_cast<std::size_t>(ref.index)];
      if (!text.empty()) text += ", ";
      text += std::string(to_string(tensor.dtype)) + "[";
      for (std::size_t d = 0; d < tensor.sizes.size(); ++d)
        text += (d == 0 ? "" : ", ") + std::to_string(tensor.sizes[d]);
      text += "]";
    });
  }
  return text;
}

// The computing calls by operator and operands, in order of first appearance.
std::vector<Difference::Work> work_of(const Program& program, std::size_t forward, const Target& target,
                                      const CostOptions& options) {
  TRL_CHECK(forward < program.forwards.size(), "no such forward pass");
  std::vector<Difference::Work> work;
  std::map<std::pair<std::string, std::string>, std::size_t> index;
  for (const Step& step : program.forwards[forward].steps) {
    const auto* call = std::get_if<AtenCall>(&step);
    const Operator* op = call == nullptr ? nullptr : find_operator(call->op);
    if (op == nullptr || !is_compute(op->kind)) continue;
    std::pair<std::string, std::string> key(plain_name(op->name), operands_text(program, *call, *op));
    const auto [at, fresh] = index.emplace(key, work.size());
    if (fresh) work.push_back({.op = key.first, .operands = key.second});
    ++work[at->second].calls;
    work[at->second].seconds += modelled_seconds(cost_of(program, *call, options), target);
  }
  return work;
}

Difference::Work part_of(const Difference::Work& work, int calls) {
  Difference::Work part = work;
  part.calls = calls;
  part.seconds = work.seconds * calls / work.calls;
  return part;
}

std::vector<Difference::Kernel> kernels_of(const Program& program, std::size_t forward) {
  std::vector<Difference::Kernel> kernels;
  for (const Step& step : program.forwards[forward].steps) {
    const auto* launch = std::get_if<Launch>(&step);
    if (launch == nullptr) continue;
    const std::string& name = program.kernels[static_cast<std::size_t>(launch->kernel)].name;
    const auto known =
        std::find_if(kernels.begin(), kernels.end(), [&](const auto& kernel) { return kernel.name == name; });
    if (known == kernels.end()) {
      kernels.push_back({name, 1});
    } else {
      ++known->launches;
    }
  }
  return kernels;
}

}  // namespace

Difference difference_of(const Program& reference, const Program& candidate, const Target& target, std::size_t forward,
                         const CostOptions& options) {
  Difference difference;
  const auto before = work_of(reference, forward, target, options);
  auto after = work_of(candidate, forward, target, options);
  for (const auto& work : before) difference.reference_seconds += work.seconds;
  for (const auto& work : after) difference.candidate_seconds += work.seconds;

  for (const auto& work : before) {
    const auto same = std::find_if(after.begin(), after.end(), [&](const auto& other) {
      return other.op == work.op && other.operands == work.operands;
    });
    const int kept = same == after.end() ? 0 : std::min(work.calls, same->calls);
    if (kept > 0) {
      difference.kept.push_back(part_of(work, kept));
      *same = part_of(*same, same->calls - kept);
      if (same->calls == 0) after.erase(same);
    }
    if (kept < work.calls) {
      difference.replaced.push_back(part_of(work, work.calls - kept));
      difference.replaced_seconds += difference.replaced.back().seconds;
    }
  }
  difference.added = std::move(after);
  difference.kernels = kernels_of(candidate, forward);
  return difference;
}

}  // namespace tritonrl::program
