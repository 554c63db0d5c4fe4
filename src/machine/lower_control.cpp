#include <algorithm>
#include <cstring>
#include <set>

#include "machine/lowering.h"
#include "machine/worker.h"

namespace tritonrl::machine {
namespace {

void move_all(Worker& worker, const Step& step) {
  const auto& detail = static_cast<const Moves&>(*step.detail);
  if (detail.staging < 0) {
    for (const Moves::Move& move : detail.moves) {
      std::memcpy(worker.frame + move.to, worker.frame + move.from, static_cast<std::size_t>(move.bytes));
    }
    return;
  }
  std::byte* staging = worker.frame + detail.staging;
  for (const Moves::Move& move : detail.moves) {
    std::memcpy(staging, worker.frame + move.from, static_cast<std::size_t>(move.bytes));
    staging += move.bytes;
  }
  staging = worker.frame + detail.staging;
  for (const Moves::Move& move : detail.moves) {
    std::memcpy(worker.frame + move.to, staging, static_cast<std::size_t>(move.bytes));
    staging += move.bytes;
  }
}

const Step* run_moves(Worker& worker, const Step& step) {
  move_all(worker, step);
  return &step + 1;
}

const Step* run_jump(Worker& worker, const Step& step) {
  if (step.target <= 0 && !worker.in_time(step)) return nullptr;
  return &step + step.target;
}

const Step* run_jump_unless(Worker& worker, const Step& step) {
  return *worker.at<std::uint8_t>(step.in[0]) != 0 ? &step + 1 : &step + step.target;
}

// Notes that a loop goes round again: the second time, or a later one.
void note_round(const Worker& worker, const Step& step, bool second) {
  if (step.again != 0) worker.marks[step.again + (second ? 0 : 1)] = 1;
}

// A while counts its rounds in out[0].
const Step* run_while_begin(Worker& worker, const Step& step) {
  *worker.at<std::int32_t>(step.out[0]) = 0;
  return &step + 1;
}

const Step* run_while_test(Worker& worker, const Step& step) {
  if (*worker.at<std::uint8_t>(step.in[0]) == 0) return &step + step.target;
  std::int32_t& round = *worker.at<std::int32_t>(step.out[0]);
  round = std::min(round + 1, 3);
  if (round > 1) note_round(worker, step, round == 2);
  return &step + 1;
}

std::int64_t read_integer(const Worker& worker, std::int32_t offset, int size) {
  if (size == 8) return *worker.at<std::int64_t>(offset);
  if (size == 4) return *worker.at<std::int32_t>(offset);
  if (size == 2) return *worker.at<std::int16_t>(offset);
  return *worker.at<std::int8_t>(offset);
}

void write_integer(const Worker& worker, std::int32_t offset, int size, std::int64_t value) {
  std::memcpy(worker.frame + offset, &value, static_cast<std::size_t>(size));  // little-endian: the low bytes
}

std::uint64_t low_bits(std::int64_t value, int size) {
  return size == 8 ? static_cast<std::uint64_t>(value)
                   : static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << (8 * size)) - 1);
}

bool goes_on(const Worker& worker, const Step& step) {
  const int size = size_of(step.scalar);
  const std::int64_t at = read_integer(worker, step.out[0], size);
  const std::int64_t end = read_integer(worker, step.in[1], size);
  if (step.op->flag("unsigned")) return low_bits(at, size) < low_bits(end, size);
  return at < end;
}

// in: lower, upper, step; out: induction variable. Jumps past the loop if it does not run at all.
const Step* run_for_begin(Worker& worker, const Step& step) {
  const int size = size_of(step.scalar);
  write_integer(worker, step.out[0], size, read_integer(worker, step.in[0], size));
  return goes_on(worker, step) ? &step + 1 : &step + step.target;
}

const Step* run_for_next(Worker& worker, const Step& step) {
  const int size = size_of(step.scalar);
  const std::int64_t at = read_integer(worker, step.out[0], size);
  const std::int64_t by = read_integer(worker, step.in[2], size);
  write_integer(worker, step.out[0], size,
                static_cast<std::int64_t>(static_cast<std::uint64_t>(at) + static_cast<std::uint64_t>(by)));
  if (!goes_on(worker, step)) return &step + 1;
  note_round(worker, step, at == read_integer(worker, step.in[0], size));
  return worker.in_time(step) ? &step + step.target : nullptr;
}

}  // namespace

std::size_t Lowering::emit_jump(const Operation& op) {
  emit(op).run = run_jump;
  return list().size() - 1;
}

// Jumps are relative: steps may move while their list grows.
void Lowering::patch(std::size_t jump, std::size_t destination) {
  list()[jump].target = static_cast<std::int32_t>(destination) - static_cast<std::int32_t>(jump);
}

void Lowering::move(const std::vector<ValueId>& from, const std::vector<Place>& to, const Operation& op) {
  auto& detail = make_detail<Moves>();
  std::set<std::int32_t> written;
  bool staged = false;
  std::int64_t total = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::int32_t source = operand(from[i], op);
    if (source == to[i].offset) continue;
    const std::int64_t bytes = region_lanes_ > 0 ? size_of(type(from[i]).scalar) : bytes_of(type(from[i]));
    detail.moves.push_back({source, to[i].offset, static_cast<std::int32_t>(bytes)});
    total += bytes;
  }
  for (const Moves::Move& one : detail.moves) {
    staged = staged || written.contains(one.from);
    written.insert(one.to);
  }
  if (detail.moves.empty()) return;
  if (staged) {
    detail.staging = allocate(total);
    frame_.release(detail.staging);  // nothing else runs between filling and emptying it
  }
  Step& step = emit(op);
  step.run = run_moves;
  step.detail = &detail;
}

void Lowering::lower_function(const Function& function, std::vector<Place> arguments, std::vector<Place> results) {
  auto made = std::make_unique<Activation>();
  made->function = &function;
  made->liveness = liveness_of(function);
  made->places.resize(function.values.size());
  made->results = std::move(results);
  activations_.push_back(std::move(made));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    arguments[i].owned = false;
    bind(function.parameters[i], arguments[i]);
  }
  const std::vector<Block>& blocks = function.body.blocks;
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    for (const ValueId argument : blocks[b].arguments) {
      Place place = allocate_for(type(argument), false);
      place.owned = false;
      bind(argument, place);
    }
  }
  for (const Block& block : blocks) {
    active().block_begins.push_back(list().size());
    lower_block(block);
  }
  for (const Activation::Patch& one : active().patches) {
    patch(one.step, active().block_begins[static_cast<std::size_t>(one.block)]);
  }
  for (const std::size_t jump : active().returns) patch(jump, list().size());
  for (Place& place : active().places) {
    if (place.owned) frame_.release(place.offset);
  }
  activations_.pop_back();
}

void Lowering::lower_call(const Operation& op) {
  const Function* callee = module_.find(op.string("callee"));
  if (callee == nullptr || activations_.size() > 64) return lower_unknown(op);
  std::vector<Place> arguments, results;
  for (const ValueId value : op.operands) arguments.push_back(place(value));
  for (const ValueId value : op.results) {
    results.push_back(allocate_for(type(value), false));
    bind(value, results.back());
  }
  lower_function(*callee, std::move(arguments), std::move(results));
}

void Lowering::lower_return(const Operation& op) {
  move(op.operands, active().results, op);
  active().returns.push_back(emit_jump(op));
}

void Lowering::lower_branch(const Operation& op) {
  const auto enter = [&](const Successor& successor) {
    const Block& block = active().function->body.blocks[static_cast<std::size_t>(successor.block)];
    std::vector<Place> to;
    for (const ValueId argument : block.arguments) to.push_back(place(argument));
    move(successor.arguments, to, op);
    const std::size_t jump = emit_jump(op);
    active().patches.push_back({jump, successor.block});
  };
  if (op.name == "cf.br") return enter(op.successors[0]);
  const std::int32_t condition = operand(op.operands[0], op);
  Step& test = emit(op);
  test.run = run_jump_unless;
  test.in[0] = condition;
  const std::size_t test_index = list().size() - 1;
  enter(op.successors[0]);
  patch(test_index, list().size());
  enter(op.successors[1]);
}

void Lowering::lower_if(const Operation& op) {
  std::vector<Place> results;
  for (const ValueId value : op.results) {
    results.push_back(allocate_for(type(value), false));
    bind(value, results.back());
  }
  const std::int32_t condition = operand(op.operands[0], op);
  Step& test = emit(op);
  test.run = run_jump_unless;
  test.in[0] = condition;
  const std::size_t test_index = list().size() - 1;
  yields_.push_back({results});
  lower_block(op.regions[0].blocks.front());
  if (op.regions.size() < 2 || op.regions[1].blocks.empty()) {
    patch(test_index, list().size());
  } else {
    const std::size_t skip = emit_jump(op);
    patch(test_index, list().size());
    lower_block(op.regions[1].blocks.front());
    patch(skip, list().size());
  }
  yields_.pop_back();
}

void Lowering::lower_yield(const Operation& op) {
  move(op.operands, yields_.back().to, op);
}

void Lowering::lower_for(const Operation& op) {
  const Block& body = op.regions[0].blocks.front();
  const std::vector<ValueId> inits(op.operands.begin() + 3, op.operands.end());
  const Place induction = allocate_for(type(body.arguments[0]), false);
  std::vector<Place> carried;
  for (std::size_t i = 0; i < inits.size(); ++i) {
    carried.push_back(allocate_for(type(inits[i]), false));
    bind(op.results[i], carried.back());
    Place inside = carried.back();
    inside.owned = false;
    bind(body.arguments[i + 1], inside);
  }
  Place inside = induction;
  inside.owned = false;
  bind(body.arguments[0], inside);
  move(inits, carried, op);
  Step control;
  control.op = &op;
  control.location = op.location;
  control.scalar = type(body.arguments[0]).scalar;
  for (std::size_t i = 0; i < 3; ++i) control.in[i] = operand(op.operands[i], op);
  control.out[0] = induction.offset;
  control.run = run_for_begin;
  emit(op) = control;
  const std::size_t begin = list().size() - 1;
  yields_.push_back({carried});
  lower_block(body);
  yields_.pop_back();
  control.run = run_for_next;
  emit(op) = control;
  patch(list().size() - 1, begin + 1);
  patch(begin, list().size());
  frame_.release(induction.offset);
}

void Lowering::lower_while(const Operation& op) {
  const Block& before = op.regions[0].blocks.front();
  const Block& after = op.regions[1].blocks.front();
  std::vector<Place> carried, passed, results;
  const auto place_all = [&](const std::vector<ValueId>& values, std::vector<Place>& places) {
    for (const ValueId value : values) {
      places.push_back(allocate_for(type(value), false));
      Place inside = places.back();
      inside.owned = false;
      bind(value, inside);
    }
  };
  place_all(before.arguments, carried);
  place_all(after.arguments, passed);
  for (const ValueId value : op.results) {
    results.push_back(allocate_for(type(value), false));
    bind(value, results.back());
  }
  move(op.operands, carried, op);
  const std::int32_t rounds = allocate(sizeof(std::int32_t));
  Step& start = emit(op);
  start.run = run_while_begin;
  start.out[0] = rounds;
  const std::size_t begin = list().size();
  for (std::size_t i = 0; i + 1 < before.operations.size(); ++i) {
    lower_operation(before.operations[i]);
    release_dead(before, static_cast<std::int32_t>(i));
  }
  const Operation& condition = before.operations.back();
  const std::vector<ValueId> forwarded(condition.operands.begin() + 1, condition.operands.end());
  const std::int32_t test_operand = operand(condition.operands[0], condition);
  Step& test = emit(condition);
  test.run = run_while_test;
  test.in[0] = test_operand;
  test.out[0] = rounds;
  test.location = op.location;
  const std::size_t test_index = list().size() - 1;
  move(forwarded, passed, condition);
  // The condition's operands are needed on the way out as well, so they stay until the body is lowered.
  yields_.push_back({carried});
  lower_block(after);
  yields_.pop_back();
  const std::size_t back = emit_jump(op);
  patch(back, begin);
  patch(test_index, list().size());
  move(forwarded, results, condition);
  release_dead(before, static_cast<std::int32_t>(before.operations.size()) - 1);
  for (const Place& place : carried) frame_.release(place.offset);
  for (const Place& place : passed) frame_.release(place.offset);
  frame_.release(rounds);
}

}  // namespace tritonrl::machine
