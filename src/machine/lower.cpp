#include "machine/lower.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "machine/coverage.h"
#include "machine/hints.h"
#include "machine/lowering.h"
#include "machine/steps.h"
#include "machine/tensor_pointer.h"
#include "machine/worker.h"

namespace tritonrl::machine {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view name, Names names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct Constant : Detail {
  std::vector<std::uint64_t> bits;
  bool splat = true;
};

template <class T>
void write_bits(T* out, const Constant& constant, std::int64_t count) {
  if (constant.splat) {
    std::fill(out, out + count, static_cast<T>(constant.bits.front()));
  } else {
    for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<T>(constant.bits[static_cast<std::size_t>(i)]);
  }
}

const Step* run_constant(Worker& worker, const Step& step) {
  const auto& constant = static_cast<const Constant&>(*step.detail);
  void* out = worker.at<std::byte>(step.out[0]);
  switch (size_of(step.scalar)) {
    case 1:
      write_bits(static_cast<std::uint8_t*>(out), constant, step.count);
      break;
    case 2:
      write_bits(static_cast<std::uint16_t*>(out), constant, step.count);
      break;
    case 4:
      write_bits(static_cast<std::uint32_t*>(out), constant, step.count);
      break;
    default:
      write_bits(static_cast<std::uint64_t*>(out), constant, step.count);
      break;
  }
  return &step + 1;
}

const Step* run_elementwise(Worker& worker, const Step& step) {
  const void* in[4] = {worker.frame + step.in[0], worker.frame + step.in[1], worker.frame + step.in[2],
                       worker.frame + step.in[3]};
  step.function(worker.frame + step.out[0], in, worker.count(step));
  return &step + 1;
}

// One element to every lane.
const Step* run_spread(Worker& worker, const Step& step) {
  const int size = size_of(step.scalar);
  const std::byte* in = worker.at<std::byte>(step.in[0]);
  std::byte* out = worker.at<std::byte>(step.out[0]);
  for (std::int64_t i = 0; i < worker.count(step); ++i) std::memcpy(out + i * size, in, static_cast<std::size_t>(size));
  return &step + 1;
}

const Step* run_end(Worker&, const Step&) {
  return nullptr;
}

const Step* run_unknown(Worker& worker, const Step& step) {
  return worker.fault(step, Finding::Kind::kNotExecutable,
                      "the kernel machine cannot execute the operation " + step.op->name);
}

// Not computed by anybody: poison. All ones is a NaN, -1 or true.
Dense poison_of(Scalar scalar) {
  return {{scalar == Scalar::kI1 ? 1U : ~std::uint64_t{0}}, true};
}

Work kind_of(ArithmeticClass arithmetic, Scalar scalar) {
  switch (arithmetic) {
    case ArithmeticClass::kNone:
      return Work::kNone;
    case ArithmeticClass::kInteger:
      return Work::kInteger;
    case ArithmeticClass::kFloat:
      return scalar == Scalar::kF64 ? Work::kDouble : Work::kFloat;
    case ArithmeticClass::kSpecial:
      return scalar == Scalar::kF64 ? Work::kDouble : Work::kSpecial;
  }
  return Work::kNone;
}

}  // namespace

Lowering::Lowering(const Module& module, const LowerOptions& options) : module_(module), options_(options) {}

Code Lowering::run() {
  const Function* entry = module_.entry();
  if (entry == nullptr) throw LowerFailure{"the module has no public function"};
  std::vector<Place> parameters;
  for (const ValueId parameter : entry->parameters) {
    const Type& type = entry->values[static_cast<std::size_t>(parameter)];
    const Place place{allocate(bytes_of(type), true), true, false, false};
    parameters.push_back(place);
    code_.parameters.push_back(place.offset);
    code_.parameter_types.push_back(type);
  }
  lower_function(*entry, parameters, {});
  static const Operation kEnd{};
  emit(kEnd).run = run_end;
  Step& last = code_.prologue.emplace_back();
  last.run = run_end;
  last.op = &kEnd;
  code_.frame_bytes = frame_.bytes();
  return std::move(code_);
}

std::int64_t Lowering::bytes_of(const Type& type) const {
  switch (type.kind) {
    case Type::Kind::kBlockPointer:
    case Type::Kind::kDescriptor:
      return sizeof(TensorPointer);
    case Type::Kind::kOpaque:
      return 8;
    case Type::Kind::kScalar:
    case Type::Kind::kTensor:
      break;
  }
  return std::max<std::int64_t>(region_lanes_, 1) * type.count() * size_of(type.scalar);
}

std::int32_t Lowering::allocate(std::int64_t bytes, bool fresh) {
  if (bytes > options_.max_frame_bytes || frame_.bytes() + bytes > options_.max_frame_bytes) {
    throw LowerFailure{"the values of one program need more than " + std::to_string(options_.max_frame_bytes >> 20) +
                       " MiB"};
  }
  return fresh ? frame_.allocate_fresh(bytes) : frame_.allocate(bytes);
}

Lowering::Place Lowering::allocate_for(const Type& type, bool invariant) {
  return {allocate(bytes_of(type), invariant), invariant, region_lanes_ > 0, !invariant};
}

bool Lowering::invariant(const Operation& op) {
  return std::all_of(op.operands.begin(), op.operands.end(), [&](ValueId value) { return place(value).invariant; });
}

Step& Lowering::emit(const Operation& op, bool to_prologue) {
  std::vector<Step>& steps = to_prologue ? code_.prologue : list();
  if (static_cast<std::int64_t>(code_.prologue.size() + code_.body.size() + code_.regions.size()) >=
      options_.max_steps) {
    throw LowerFailure{"the kernel has more than " + std::to_string(options_.max_steps) + " operations"};
  }
  Step& step = steps.emplace_back();
  step.op = &op;
  step.location = op.location;
  return step;
}

std::int32_t Lowering::operand(ValueId value, const Operation& op) {
  const Place from = place(value);
  if (region_lanes_ == 0 || from.lanes) return from.offset;
  const std::int32_t spread = allocate(bytes_of(type(value)), true);
  Step& step = emit(op);
  step.run = run_spread;
  step.count = -1;
  step.scalar = type(value).scalar;
  step.in[0] = from.offset;
  step.out[0] = spread;
  return spread;
}

void Lowering::lower_block(const Block& block) {
  for (std::size_t i = 0; i < block.operations.size(); ++i) {
    lower_operation(block.operations[i]);
    lower_hint(block.operations[i]);
    release_dead(block, static_cast<std::int32_t>(i));
  }
}

// Values that this operation used last, and results that nobody uses.
void Lowering::release_dead(const Block& block, std::int32_t index) {
  const Operation& op = block.operations[static_cast<std::size_t>(index)];
  const auto release = [&](ValueId value) {
    Place& dead = place(value);
    if (!dead.owned) return;
    dead.owned = false;
    frame_.release(dead.offset);
  };
  const Liveness& liveness = active().liveness;
  for (const ValueId value : op.results) {
    if (liveness.last_use[static_cast<std::size_t>(value)] == Liveness::kUnused) release(value);
  }
  const auto dying = liveness.dying.find({&block, index});
  if (dying != liveness.dying.end()) std::for_each(dying->second.begin(), dying->second.end(), release);
}

void Lowering::lower_operation(const Operation& op) {
  if (!op.known) return lower_unknown(op);
  const std::string_view name = op.name;
  if (name == "arith.constant") return lower_constant(op);
  if (name == "scf.for") return lower_for(op);
  if (name == "scf.while") return lower_while(op);
  if (name == "scf.if") return lower_if(op);
  if (name == "scf.yield") return lower_yield(op);
  if (is_one_of(name, {"cf.br", "cf.cond_br"})) return lower_branch(op);
  if (name == "tt.call") return lower_call(op);
  if (name == "tt.return") return lower_return(op);
  if (is_one_of(name, {"tt.reduce", "tt.scan", "tt.map_elementwise"})) return lower_reduction(op);
  // It orders kernels, which run one after the other here; its result means nothing.
  if (name == "tt.elementwise_inline_asm" && op.string("asm").starts_with("griddepcontrol.")) return lower_constant(op);
  if (name == "ub.poison" && type(op.results[0]).kind <= Type::Kind::kTensor) return lower_constant(op);
  if (is_one_of(name, {"tt.reshape", "tt.expand_dims", "tt.bitcast", "arith.bitcast", "tt.unsplat", "tt.int_to_ptr",
                       "tt.ptr_to_int"})) {
    const Type& from = type(op.operands[0]);
    const Type& to = type(op.results[0]);
    if (size_of(from.scalar) == size_of(to.scalar)) return lower_alias(op);
  }
  if ((region_lanes_ == 0 || name == "tt.assert") && lower_step(op)) return;
  lower_elementwise(op);
}

void Lowering::lower_hint(const Operation& op) {
  if (region_lanes_ > 0 || op.results.size() != 1) return;
  std::unique_ptr<Hint> hint = hint_of(op, type(op.results[0]));
  if (hint == nullptr) return;
  Step& step = emit(op);
  step.run = run_hint;
  step.count = type(op.results[0]).count();
  step.scalar = type(op.results[0]).scalar;
  step.in[0] = place(op.results[0]).offset;
  step.detail = hint.get();
  code_.details.push_back(std::move(hint));
}

void Lowering::lower_constant(const Operation& op) {
  const Type& made = type(op.results[0]);
  const Attribute* attribute = op.attribute("value");
  const Dense* given = attribute != nullptr ? std::get_if<Dense>(attribute) : nullptr;
  Dense value = given != nullptr ? *given : poison_of(made.scalar);
  if (made.kind > Type::Kind::kTensor || value.bits.empty() ||
      (!value.splat && static_cast<std::int64_t>(value.bits.size()) != made.count())) {
    return lower_unknown(op);
  }
  // Inside a region too: the prologue fills all lanes once.
  const Place place = allocate_for(made, true);
  bind(op.results[0], place);
  auto& detail = make_detail<Constant>();
  detail.bits = std::move(value.bits);
  detail.splat = value.splat;
  Step& step = emit(op, true);
  step.run = run_constant;
  step.detail = &detail;
  step.count = std::max<std::int64_t>(region_lanes_, 1) * made.count();
  step.scalar = made.scalar;
  step.out[0] = place.offset;
}

void Lowering::lower_alias(const Operation& op) {
  const Place& from = place(op.operands[0]);
  Place to = from;
  // Parameters and invariants live for ever; a borrowed place (an argument of an inlined function) outlives the callee.
  to.owned = from.owned;
  if (to.owned) frame_.share(to.offset);
  bind(op.results[0], to);
}

void Lowering::lower_elementwise(const Operation& op) {
  if (op.results.empty() || op.operands.size() > 4 || op.results.size() > 2) return lower_unknown(op);
  std::vector<Scalar> scalars;
  Scalar element = Scalar::kNone;
  for (const ValueId value : op.operands) {
    const Type& one = type(value);
    scalars.push_back(one.scalar);
    if (one.scalar == Scalar::kPointer) element = one.element;
  }
  std::array<ElementwiseOp, 2> found;
  for (std::size_t r = 0; r < op.results.size(); ++r) {
    const Type& made = type(op.results[r]);
    if (made.kind <= Type::Kind::kTensor)
      found[r] = find_elementwise(op, scalars, made.scalar, element, static_cast<int>(r));
    if (found[r].run == nullptr) return lower_unknown(op);
  }
  const bool hoist = region_lanes_ == 0 && invariant(op);
  std::array<std::int32_t, 4> in = {0, 0, 0, 0};
  for (std::size_t i = 0; i < op.operands.size(); ++i) in[i] = operand(op.operands[i], op);
  // which side a launch takes by its arguments alone is part of what it executes
  const bool by_arguments = op.name == "arith.select" && place(op.operands[0]).invariant;
  // arith.select with one condition for whole tensors
  const std::int64_t lanes = region_lanes_ > 0 ? -1 : type(op.results[0]).count();
  if (op.name == "arith.select" && region_lanes_ == 0 && type(op.operands[0]).count() == 1 && lanes > 1) {
    const std::int32_t spread = allocate(lanes, true);
    Step& step = emit(op, hoist);
    step.run = run_spread;
    step.count = lanes;
    step.scalar = Scalar::kI1;
    step.in[0] = in[0];
    step.out[0] = spread;
    in[0] = spread;
  }
  for (std::size_t r = 0; r < op.results.size(); ++r) {
    const Type& made = type(op.results[r]);
    const Place place = allocate_for(made, hoist);
    bind(op.results[r], place);
    Step& step = emit(op, hoist);
    step.function = found[r].run;
    step.count = lanes;
    step.scalar = made.scalar;
    step.run = by_arguments && is_float(made.scalar) ? run_noted_select : run_elementwise;
    std::copy(in.begin(), in.end(), step.in);
    step.out[0] = place.offset;
    if (hoist) continue;
    step.kind = kind_of(found[r].arithmetic, scalars.empty() ? made.scalar : scalars.back());
    step.work = found[r].operations * static_cast<double>(lanes < 0 ? 1 : lanes);
  }
}

bool Lowering::lower_step(const Operation& op) {
  if (op.operands.size() > 4 &&
      !is_one_of(op.name, {"tt.make_tensor_ptr", "tt.make_tensor_descriptor", "tt.advance", "tt.descriptor_load",
                           "tt.descriptor_store", "tt.descriptor_reduce", "tt.print"})) {
    return false;
  }
  if (op.results.size() > 2) return false;
  for (const ValueId value : op.results) {
    if (type(value).kind == Type::Kind::kOpaque) return false;
  }
  Step made;
  made.op = &op;
  made.location = op.location;
  const std::int64_t scratch = scratch_bytes_for(op, *active().function);
  StepContext context{op, *active().function, code_.details};
  if (scratch > 0) context.scratch = allocate(scratch);
  std::vector<std::int32_t> operands;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    operands.push_back(operand(op.operands[i], op));
    if (i < 4) made.in[i] = operands.back();
  }
  context.operands = operands;
  bool pure = false;
  bool known = true;
  if (make_data_movement(context, made)) {
    pure = op.name != "tt.gather";  // it may fail
  } else {
    known = make_access(context, made) || make_atomic(context, made) || make_tensor_pointer(context, made) ||
            make_dot(context, made) || make_program_info(context, made);
  }
  if (known) {
    const bool hoist = pure && invariant(op);
    for (std::size_t r = 0; r < op.results.size(); ++r) {
      const Place place = allocate_for(type(op.results[r]), hoist);
      bind(op.results[r], place);
      made.out[r] = place.offset;
      if (made.count == 0) made.count = type(op.results[r]).count();
      if (made.scalar == Scalar::kNone) made.scalar = type(op.results[r]).scalar;
    }
    if (region_lanes_ > 0) made.count = -1;
    emit(op, hoist) = made;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const Type& one = type(op.operands[i]);
      if (one.scalar == Scalar::kPointer || one.kind == Type::Kind::kDescriptor ||
          one.kind == Type::Kind::kBlockPointer) {
        code_.smallest_access = std::min<std::int64_t>(code_.smallest_access, std::max(1, size_of(one.element)));
      }
    }
  }
  if (scratch > 0) frame_.release(context.scratch);
  return known;
}

void Lowering::lower_unknown(const Operation& op) {
  for (const ValueId value : op.results) bind(value, allocate_for(type(value), false));
  emit(op).run = run_unknown;
}

base::Result<Code> lower(const Module& module, const LowerOptions& options) {
  try {
    return Lowering(module, options).run();
  } catch (const LowerFailure& failure) {
    return base::Failure{failure.message};
  }
}

}  // namespace tritonrl::machine
