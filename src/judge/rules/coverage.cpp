#include "judge/rules/coverage.h"

#include <algorithm>
#include <map>

#include "judge/rules/step_access.h"
#include "program/cost.h"
#include "program/operator_table.h"
#include "runner/structure_tensors.h"

namespace tritonrl::judge {
namespace {

using machine::SourcePosition;

int storage_of(const program::Program& program, program::TensorRef ref) {
  return program.tensors[static_cast<std::size_t>(ref.index)].storage;
}

}  // namespace

void Coverage::add(const program::Program& program, const CompiledProgram& compiled,
                   const std::vector<runner::LaunchReport>& launches, int forward) {
  std::map<std::pair<runner::StepPlace, int>, int> images;
  for (const runner::LaunchChoice& one : compiled.launches) images[{one.at, one.variant}] = one.image;
  for (const runner::LaunchReport& report : launches) {
    const auto image = images.find({report.at, report.variant});
    if (image == images.end()) continue;
    const python::KernelText& text = compiled.kernels[static_cast<std::size_t>(image->second)].source;
    for (const machine::SourcePosition& position : report.covered) {
      const python::KernelText::Function* function = text.function_at(position.line);
      if (function == nullptr) continue;
      Place place{function->name, text.original(position.line), position.column, position.side,
                  position.form,  text.code(position.line)};
      // a library's function has no line of the user's: its own lines tell its places apart
      if (place.at.file < 0) place.at.line = position.line - function->first_line;
      places_.insert(std::move(place));
    }
  }
  std::set<int> by_kernels;  // storages
  std::map<std::string, int> times;
  for (const program::Step& step : program.forwards[static_cast<std::size_t>(forward)].steps) {
    const StepAccess access = access_of(program, step);
    const auto* call = std::get_if<program::AtenCall>(&step);
    if (call == nullptr) {
      by_kernels.insert(access.writes.begin(), access.writes.end());
      continue;
    }
    const program::Operator* op = program::find_operator(call->op);
    const std::string name(program::plain_name(call->op));
    if (op != nullptr && program::is_compute(op->kind)) operators_.insert(name);
    const bool over = std::any_of(access.writes.begin(), access.writes.end(),
                                  [&](int storage) { return by_kernels.contains(storage); });
    bool any = false;  // a part without elements is not written
    program::for_each_tensor(call->result, [&](program::TensorRef ref) {
      any = any || program.tensors[static_cast<std::size_t>(ref.index)].numel() > 0;
    });
    if (over && any) operators_.insert(name + " over what kernels stored, time " + std::to_string(++times[name]));
  }
}

std::optional<Coverage::Missing> Coverage::missing_in(const Coverage& other) const {
  std::optional<Missing> round;
  for (const Place& place : places_) {
    if (other.places_.contains(place)) continue;
    const std::string what = "kernel " + place.kernel + (place.code.empty() ? "" : ": " + place.code);
    if (place.side == SourcePosition::kSecondRound || place.side == SourcePosition::kThirdRound) {
      const bool second = place.side == SourcePosition::kSecondRound;
      if (!round)
        round = Missing{what + (second ? " (more than one round)" : " (more than two rounds)"), place.at, true};
      continue;
    }
    const char* side = place.side == 1   ? " (its condition holds)"
                       : place.side == 2 ? " (its condition does not hold)"
                                         : "";
    return Missing{what + side, place.at};
  }
  for (const std::string& op : operators_) {
    if (!other.operators_.contains(op)) return Missing{"torch's " + op, {}};
  }
  return round;
}

bool Coverage::helps(const Coverage& here, const Coverage& there) const {
  const auto lacks = [](const auto& mine, const auto& wanted, const auto& had) {
    return std::any_of(mine.begin(), mine.end(),
                       [&](const auto& one) { return wanted.contains(one) && !had.contains(one); });
  };
  return lacks(places_, here.places_, there.places_) || lacks(operators_, here.operators_, there.operators_);
}

namespace {

// Of each launch and each tensor that it is given: what earlier launches stored of it, as a part of what this one
// loads; negative: it loads nothing of it, no earlier launch was given it, or torch computed it. Whose memory it is,
// and what it held before, does not matter.
std::vector<double> stored_before_loaded(const program::Program& program,
                                         const std::vector<runner::LaunchReport>& launches,
                                         const std::set<int>& by_torch) {
  std::vector<double> out;
  std::map<int, double> stored;  // by storage; there is one that an earlier launch was given
  const auto last = static_cast<int>(program.forwards.size()) - 1;
  const auto& steps = program.forwards[static_cast<std::size_t>(last)].steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!std::holds_alternative<program::Launch>(steps[i])) continue;
    const runner::StepPlace at{runner::Section::kForward, last, static_cast<int>(i)};
    const auto report =
        std::find_if(launches.begin(), launches.end(), [&](const runner::LaunchReport& one) { return one.at == at; });
    const std::vector<int> given = access_of(program, steps[i]).reads;
    std::map<int, machine::TensorTraffic> moved;
    for (std::size_t t = 0; report != launches.end() && t < report->counters.tensors.size(); ++t) {
      const machine::TensorTraffic& one = report->counters.tensors[t];
      moved[one.storage].unique_load_bytes += one.unique_load_bytes;
      moved[one.storage].unique_store_bytes += one.unique_store_bytes;
    }
    for (const int storage : given) {
      const auto before = stored.find(storage);
      const double loaded = moved[storage].unique_load_bytes;
      const bool known = before != stored.end() && loaded > 0 && !by_torch.contains(storage);
      out.push_back(known ? before->second / loaded : -1);
    }
    for (const int storage : given) stored[storage] += moved[storage].unique_store_bytes;
  }
  return out;
}

}  // namespace

Reach reach_of(const program::Program& program, const std::vector<runner::LaunchReport>& launches) {
  const int last = static_cast<int>(program.forwards.size()) - 1;
  std::map<int, double> loaded, stored, most;
  std::set<runner::StepPlace> seen;
  for (const runner::LaunchReport& report : launches) {
    if (report.at.section != runner::Section::kForward || report.at.forward != last || !seen.insert(report.at).second)
      continue;
    for (const machine::TensorTraffic& traffic : report.counters.tensors) {
      loaded[traffic.storage] += traffic.load_bytes;
      stored[traffic.storage] += traffic.store_bytes;
      most[traffic.storage] += traffic.most_store_bytes;
    }
  }
  std::set<int> read_by_torch, written_by_torch, computed_by_torch;
  const program::Forward& forward = program.forwards[static_cast<std::size_t>(last)];
  for (const program::Step& step : forward.steps) {
    const auto* call = std::get_if<program::AtenCall>(&step);
    if (call == nullptr) continue;
    const program::Operator* op = program::find_operator(call->op);
    const bool fresh = op != nullptr && op->kind == program::OperatorKind::kAllocate;
    const StepAccess access = access_of(program, step);
    read_by_torch.insert(access.reads.begin(), access.reads.end());
    if (!fresh) written_by_torch.insert(access.writes.begin(), access.writes.end());
    if (!fresh && (op == nullptr || op->kind != program::OperatorKind::kFill))
      computed_by_torch.insert(access.writes.begin(), access.writes.end());
  }
  Reach out;
  const auto add = [&](const program::Structure& structure, const std::map<int, double>& moved,
                       const std::set<int>& by_torch, std::vector<double>* into) {
    for (const program::TensorRef ref : runner::tensors_of(structure)) {
      const int storage = storage_of(program, ref);
      const auto found = moved.find(storage);
      const double bytes = program::unique_bytes(program.tensors[static_cast<std::size_t>(ref.index)]);
      const bool known = found != moved.end() && bytes > 0 && !by_torch.contains(storage);
      into->push_back(known ? found->second / bytes : -1);
    }
  };
  add(forward.inputs, loaded, read_by_torch, &out.inputs);
  add(forward.outputs, stored, written_by_torch, &out.outputs);
  add(forward.outputs, most, written_by_torch, &out.most_outputs);
  out.between = stored_before_loaded(program, launches, computed_by_torch);
  return out;
}

}  // namespace tritonrl::judge
