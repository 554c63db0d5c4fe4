#include "judge/made_state.h"

#include <algorithm>
#include <map>
#include <set>

#include "judge/elements.h"
#include "judge/rules/step_access.h"
#include "judge/rules/tensor_text.h"
#include "program/operator_table.h"

namespace tritonrl::judge {
namespace {

using program::AtenCall;
using program::OperatorKind;
using program::Program;
using program::TensorRef;

using DrawSteps = std::set<int>;  // steps that draw from the generator

bool covers(const Program& program, const program::Tensor& tensor) {
  const program::Storage& storage = program.storages[static_cast<std::size_t>(tensor.storage)];
  return tensor.offset == 0 && tensor.numel() * program::size_of(tensor.dtype) == storage.bytes;
}

// A step of the constructor, looked up once.
struct Made {
  const AtenCall* call = nullptr;
  const program::Operator* op = nullptr;  // null: a launch, a question
  StepAccess access;
  std::optional<TensorRef> whole;  // what it makes, if that is all of its storage
  bool drawn = false;              // what it makes follows from a draw

  bool is(OperatorKind kind) const { return op != nullptr && op->kind == kind; }
  bool draws() const { return op != nullptr && (op->random || op->kind == OperatorKind::kRandom); }
};

std::vector<Made> steps_of(const Program& program) {
  std::vector<Made> out;
  for (const program::Step& step : program.initialise) {
    Made& one = out.emplace_back();
    one.access = access_of(program, step);
    one.call = std::get_if<AtenCall>(&step);
    if (one.call == nullptr) continue;
    one.op = program::find_operator(one.call->op);
    program::for_each_tensor(one.call->result, [&](TensorRef ref) {
      if (covers(program, tensor_of(program, ref))) one.whole = ref;
    });
  }
  return out;
}

bool contains(const std::vector<int>& sorted, int one) {
  return std::binary_search(sorted.begin(), sorted.end(), one);
}

// By storage: the draws that its contents follow from at the end of the constructor.
std::vector<DrawSteps> draws_by_storage(const Program& program, std::vector<Made>& steps) {
  std::vector<DrawSteps> out(program.storages.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Made& step = steps[i];
    if (step.is(OperatorKind::kView) || step.access.writes.empty()) continue;
    DrawSteps now;
    for (const int one : step.access.reads) {
      const DrawSteps& read = out[static_cast<std::size_t>(one)];
      now.insert(read.begin(), read.end());
    }
    if (step.draws()) now.insert(static_cast<int>(i));
    step.drawn = !now.empty();
    for (const int one : step.access.writes) {
      const bool anew =
          step.whole && tensor_of(program, *step.whole).storage == one && !contains(step.access.reads, one);
      DrawSteps& held = out[static_cast<std::size_t>(one)];
      if (anew) held.clear();
      held.insert(now.begin(), now.end());
    }
  }
  return out;
}

bool reads_source(const Program& program, const Made& step) {
  return step.access.reads.size() == 1 &&
         !program.storages[static_cast<std::size_t>(step.access.reads.front())].constant.empty();
}

// The first of the numbers of the source that such a step copies.
std::optional<double> literal_of(const Program& program, const Made& step) {
  const int read = step.access.reads.front();
  const auto from = std::ranges::find(program.tensors, read, &program::Tensor::storage);
  if (from == program.tensors.end() || !float_scalar(from->dtype)) return std::nullopt;
  const Elements held(
      {.dtype = from->dtype, .sizes = {1}, .bytes = program.storages[static_cast<std::size_t>(read)].constant});
  return held.count() > 0 ? std::optional(held[0]) : std::nullopt;
}

std::optional<double> number_in(const program::Value& value) {
  if (const auto* number = value.get_if<double>()) return *number;
  if (const auto* number = value.get_if<std::int64_t>()) return static_cast<double>(*number);
  return std::nullopt;
}

// The number that a step fills a whole tensor with; none: it makes something else.
std::optional<double> filled_with(const Made& step) {
  if (!step.is(OperatorKind::kFill) || !step.whole) return std::nullopt;
  const std::string_view name = program::plain_name(step.call->op);
  if (name.starts_with("ones") || name == "new_ones") return 1;
  if (name.starts_with("zero") || name == "new_zeros") return 0;
  if (!name.starts_with("full") && name != "fill" && name != "new_full") return std::nullopt;
  for (auto value = step.call->args.rbegin(); value != step.call->args.rend(); ++value) {
    if (const auto number = number_in(*value)) return number;
  }
  return std::nullopt;
}

std::string recipe_of(const Made& step) {
  if (step.call == nullptr) return "a kernel";
  std::string out(program::plain_name(step.call->op));
  for (const program::Value& value : step.call->args) {
    if (const auto number = number_in(value)) out += " " + std::to_string(*number);
  }
  return out;
}

// What a step makes, draws left aside.
MadeTensor made_by(const Program& program, const Made& step, std::size_t index, TensorRef tensor) {
  MadeTensor out{.step = static_cast<int>(index), .tensor = tensor, .recipe = recipe_of(step)};
  out.origin = Origin::kComputed;
  if (const auto number = filled_with(step)) {
    out.origin = Origin::kConstant;
    out.constant = number;
  } else if (step.is(OperatorKind::kCopy) && step.whole && reads_source(program, step)) {
    out.origin = Origin::kLiteral;
    out.constant = literal_of(program, step);
  }
  return out;
}

// A tensor of the state, followed back through its copies and moves.
struct Chain {
  std::vector<std::pair<std::size_t, TensorRef>> places;  // steps after which it, or what it was copied from, is made
  std::optional<std::size_t> begin;                       // the step that made what was copied
};

// The tensor of that storage in the state's own type and form.
std::optional<TensorRef> alike(const Program& program, int storage, TensorRef state) {
  const program::Tensor& own = tensor_of(program, state);
  if (own.storage == storage) return state;
  for (std::size_t i = 0; i < program.tensors.size(); ++i) {
    const program::Tensor& one = program.tensors[i];
    if (one.storage == storage && one.dtype == own.dtype && one.sizes == own.sizes && covers(program, one))
      return TensorRef{static_cast<int>(i)};
  }
  return std::nullopt;
}

Chain chain_of(const Program& program, const std::vector<Made>& steps, TensorRef state) {
  Chain out;
  int storage = tensor_of(program, state).storage;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const Made& step = steps[i];
    if (!contains(step.access.writes, storage) || step.is(OperatorKind::kView)) continue;
    if (step.is(OperatorKind::kAllocate)) return {};
    if (const auto place = alike(program, storage, state)) out.places.emplace_back(i, *place);
    out.begin = i;
    const bool copied = step.is(OperatorKind::kCopy) && step.access.reads.size() == 1 && step.whole &&
                        !contains(step.access.reads, storage) && !reads_source(program, step);
    if (!copied) return out;
    storage = step.access.reads.front();
  }
  return out;
}

// Whose draws these are: what begins first has them, since other contents for it arrive in all that follows from it; of
// copies of one draw, the first of the state.
void tell_draws(const Program& program, const std::vector<DrawSteps>& draws, const std::vector<Chain>& chains,
                std::vector<std::optional<MadeTensor>>& state) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (state[i]) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return *chains[i].begin; });
  DrawSteps seen;
  for (const std::size_t i : order) {
    const DrawSteps& own = draws[static_cast<std::size_t>(tensor_of(program, program.state[i].tensor).storage)];
    if (!own.empty()) state[i]->origin = std::ranges::includes(seen, own) ? Origin::kRepeated : Origin::kDrawn;
    seen.insert(own.begin(), own.end());
  }
}

}  // namespace

MadeState made_state(const Program& program) {
  std::vector<Made> steps = steps_of(program);
  const std::vector<DrawSteps> draws = draws_by_storage(program, steps);
  std::vector<Chain> chains;
  std::map<std::size_t, std::set<int>> users;  // of a step: storages of the state that come from it
  for (const program::NamedTensor& one : program.state) {
    chains.push_back(chain_of(program, steps, one.tensor));
    for (const auto& [step, tensor] : chains.back().places) users[step].insert(tensor_of(program, one.tensor).storage);
  }
  MadeState out;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    std::optional<MadeTensor>& made = out.state.emplace_back();
    const Chain& chain = chains[i];
    // one that several are copied from is the place of none of them
    const auto place = std::find_if(chain.places.rbegin(), chain.places.rend(),
                                    [&](const auto& at) { return users[at.first].size() == 1; });
    if (place == chain.places.rend()) continue;
    made = made_by(program, steps[*chain.begin], *chain.begin, place->second);
    made->step = static_cast<int>(place->first);
    if (place != chain.places.rbegin()) made->recipe = kCopied;
  }
  tell_draws(program, draws, chains, out.state);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Made& step = steps[i];
    if (step.op == nullptr || !step.whole || step.is(OperatorKind::kView) || step.is(OperatorKind::kAllocate)) continue;
    MadeTensor made = made_by(program, step, i, *step.whole);
    if (step.is(OperatorKind::kCopy) && made.origin != Origin::kLiteral) continue;
    if (step.drawn) made.origin = step.draws() ? Origin::kDrawn : Origin::kRepeated;
    out.others.push_back(std::move(made));
  }
  return out;
}

}  // namespace tritonrl::judge
