#include "runner/process/known_values.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

#include "program/cost.h"
#include "runner/process/aten_call.h"
#include "runner/process/stop.h"
#include "runner/structure_tensors.h"

namespace tritonrl::runner {
namespace {

using program::OperatorKind;

// What one core does in a millisecond: the model of SampledRows::torch_ms.
constexpr double kTorchBytesPerMs = 4e6, kMatrixOpsPerMs = 2e7, kScalarOpsPerMs = 1e6, kDrawnPerMs = 2e5;
constexpr std::int64_t kMostShared = std::int64_t{64} << 20;  // bytes of an input that all rows share
constexpr std::int64_t kSector = 32;

bool is_contiguous(const program::Tensor& tensor) {
  std::int64_t stride = 1;
  for (std::size_t i = tensor.sizes.size(); i-- > 0;) {
    if (tensor.sizes[i] != 1 && tensor.strides[i] != stride) return false;
    stride *= tensor.sizes[i];
  }
  return true;
}

bool makes_zeros(const program::AtenCall& call) {
  const std::string_view name = program::plain_name(call.op);
  return name == "zeros" || name == "zeros_like" || name == "new_zeros";
}

// What a call overwrites it does not read.
bool overwrites(const program::Operator& op, std::size_t argument) {
  const bool first =
      op.kind == OperatorKind::kRandom || op.kind == OperatorKind::kFill || program::plain_name(op.name) == "copy";
  return op.arguments[argument].mutated && (op.arguments[argument].is_out() || (first && argument == 0));
}

}  // namespace

KnownValues::KnownValues(const RunRequest& request, Storages& storages)
    : request_(request),
      wanted_(*request.rows),
      program_(*request.program),
      forward_(program_.forwards[static_cast<std::size_t>(request.forwards.back())]),
      storages_(storages),
      held_(program_.storages.size(), Held::kUnknown),
      fresh_(program_.storages.size(), false),
      stored_(program_.storages.size(), 0),
      needed_(program_.storages.size(), false) {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (!program_.storages[i].constant.empty()) held_[i] = Held::kKnown;
  }
  for (const auto* structure : {&forward_.inputs, &forward_.outputs}) {
    for (const program::TensorRef ref : tensors_of(*structure))
      needed_[static_cast<std::size_t>(storages_.tensor(ref).storage)] = true;
  }
}

bool KnownValues::covers_storage(program::TensorRef ref) const {
  const program::Tensor& tensor = storages_.tensor(ref);
  return tensor.offset == 0 && is_contiguous(tensor) &&
         tensor.numel() * program::size_of(tensor.dtype) == storages_.bytes(tensor.storage);
}

// Memory as large as a task's inputs is not made where a rule says what it holds.
bool KnownValues::make_lazy(const program::AtenCall& call, const program::Operator& op, Section section) {
  if (op.kind == OperatorKind::kAllocate) {
    program::for_each_tensor(call.result, [&](program::TensorRef ref) {
      const program::Tensor& made = storages_.tensor(ref);
      storages_.make_lazy(made.storage, made.dtype);
      held(made.storage) = Held::kUnknown;
      fresh_[static_cast<std::size_t>(made.storage)] = true;
    });
    return true;
  }
  const auto* result = std::get_if<program::TensorRef>(&call.result.data);
  if (result == nullptr || !covers_storage(*result)) return false;
  const program::Tensor& made = storages_.tensor(*result);
  const std::string_view name = program::plain_name(call.op);
  // inputs that are plainly random; parameters are drawn as they are for the reference
  if (section == Section::kInputs && (name == "rand" || name == "randn") && program::is_floating(made.dtype)) {
    storages_.make_lazy(made.storage, made.dtype, wanted_.positive ? Storages::Lazy::kUnits : Storages::Lazy::kData);
    held(made.storage) = Held::kKnown;
    return true;
  }
  if (op.kind == OperatorKind::kFill && makes_zeros(call)) {
    storages_.make_lazy(made.storage, made.dtype, Storages::Lazy::kZeros);
    held(made.storage) = Held::kKnown;
    return true;
  }
  if (op.kind != OperatorKind::kCopy || call.args.size() != 1) return false;
  const auto* source = std::get_if<program::TensorRef>(&call.args.front().data);
  if (source == nullptr || !covers_storage(*source)) return false;
  const program::Tensor& from = storages_.tensor(*source);
  const bool same = from.dtype == made.dtype && from.sizes == made.sizes && from.storage != made.storage &&
                    held(from.storage) == Held::kKnown && storages_.is_lazy(from.storage) &&
                    !storages_.touched(from.storage, 0, storages_.bytes(from.storage));
  if (!same) return false;
  storages_.make_lazy_like(made.storage, from.storage);
  held(made.storage) = Held::kKnown;
  return true;
}

bool KnownValues::affordable(const program::AtenCall& call) {
  const program::Cost cost = program::cost_of(program_, call);
  const program::Operator* op = program::find_operator(call.op);
  torch_ms_ += (cost.bytes() + cost.host_bytes) / kTorchBytesPerMs + cost.matrix_ops / kMatrixOpsPerMs;
  if (op->random || op->kind == OperatorKind::kRandom) {
    program::for_each_tensor(call.result, [&](program::TensorRef ref) {
      torch_ms_ += static_cast<double>(storages_.tensor(ref).numel()) / kDrawnPerMs;
    });
  } else {
    torch_ms_ += cost.scalar_ops / kScalarOpsPerMs;
  }
  return torch_ms_ <= wanted_.torch_ms;
}

bool KnownValues::reads_known(const program::Operator& op, const std::vector<const program::Value*>& bound) {
  bool out = true;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    if (bound[i] == nullptr) continue;
    program::for_each_tensor(*bound[i], [&](program::TensorRef ref) {
      out = out && (held_of(ref) == Held::kKnown || (overwrites(op, i) && covers_storage(ref)));
    });
  }
  return out;
}

bool KnownValues::compute(const program::AtenCall& call, const program::Operator& op, Section section) {
  if (make_lazy(call, op, section)) return true;
  const bool random = op.random || op.kind == OperatorKind::kRandom;
  const auto bound = program::bind_arguments(call, op, nullptr);
  bool done = bound && reads_known(op, *bound) && (!random || draws_) && affordable(call);
  if (done) {
    for (std::size_t i = 0; i < bound->size(); ++i) {
      if ((*bound)[i] == nullptr) continue;
      program::for_each_tensor(*(*bound)[i], [&](program::TensorRef ref) {
        storages_.materialise(storages_.tensor(ref).storage, overwrites(op, i) && covers_storage(ref));
      });
    }
    try {
      execute(program_, call, storages_);
    } catch (const Stop&) {
      done = false;
    }
  }
  if (!done) {
    draws_ = draws_ && !random;
    return false;
  }
  const auto know = [&](program::TensorRef ref) {
    const int storage = storages_.tensor(ref).storage;
    storages_.settle(storage);
    held(storage) = Held::kKnown;
    fresh_[static_cast<std::size_t>(storage)] = false;
  };
  program::for_each_tensor(call.result, know);
  for_each_written(op, *bound, know);
  return true;
}

void KnownValues::give(program::TensorRef ref) {
  if (!covers_storage(ref)) return;
  held_of(ref) = Held::kKnown;
  fresh_[static_cast<std::size_t>(storages_.tensor(ref).storage)] = false;
}

void KnownValues::launched(const LaunchReport& report) {
  const machine::Counters& counters = report.counters;
  const bool all = counters.executed == counters.programs;
  whole_ = whole_ && all;
  bool known = all || counters.atomics == 0;
  for (const machine::TensorTraffic& one : counters.tensors) {
    if (one.storage >= 0 && one.load_bytes > 0) known = known && held(one.storage) == Held::kKnown;
  }
  for (const machine::TensorTraffic& one : counters.tensors) {
    if (one.storage < 0 || one.store_bytes <= 0) continue;
    Held& now = held(one.storage);
    const bool complete = all && one.unique_store_bytes + kSector > static_cast<double>(one.bytes);
    if (!known) {
      now = Held::kUnknown;
    } else if (complete) {
      now = Held::kKnown;
    } else if (all) {
      now = now == Held::kKnown ? Held::kKnown : Held::kPartly;
    } else {
      // what another sampled launch stored there might have been stored over
      const bool first = now == Held::kKnown || fresh_[static_cast<std::size_t>(one.storage)];
      now = first && storages_.is_lazy(one.storage) ? Held::kPartly : Held::kUnknown;
    }
    fresh_[static_cast<std::size_t>(one.storage)] = false;
    stored_[static_cast<std::size_t>(one.storage)] += one.unique_store_bytes;
  }
}

bool KnownValues::incomplete(program::TensorRef output) {
  const int storage = storages_.tensor(output).storage;
  // of a larger buffer the output's own part must be there
  const double bytes = covers_storage(output) ? static_cast<double>(storages_.bytes(storage))
                                              : program::unique_bytes(storages_.tensor(output));
  return whole_ && held(storage) == Held::kPartly && stored_[static_cast<std::size_t>(storage)] + kSector < bytes;
}

KnownValues::Layout KnownValues::layout_of(program::TensorRef ref, int dimension) const {
  const program::Tensor& tensor = storages_.tensor(ref);
  Layout out;
  for (int i = 0; i < dimension; ++i) out.outer *= tensor.sizes[static_cast<std::size_t>(i)];
  out.inner = tensor.numel() * program::size_of(tensor.dtype) / std::max<std::int64_t>(1, out.outer * wanted_.count);
  return out;
}

std::vector<std::int64_t> KnownValues::written_rows(program::TensorRef ref, int dimension) {
  const program::Tensor& tensor = storages_.tensor(ref);
  const Layout layout = layout_of(ref, dimension);
  const std::int64_t size = program::size_of(tensor.dtype);
  const std::int64_t begin = tensor.offset * size, end = begin + tensor.numel() * size;
  std::set<std::int64_t> out;
  std::vector<std::byte> made(static_cast<std::size_t>(machine::Memory::kPage));
  const std::byte* data = storages_.data(tensor.storage);
  for (std::int64_t page = begin / machine::Memory::kPage * machine::Memory::kPage; page < end;
       page += machine::Memory::kPage) {
    const std::int64_t from = std::max(page, begin), to = std::min(page + machine::Memory::kPage, end);
    if (!storages_.touched(tensor.storage, from, to - from)) continue;
    storages_.fill_as_made(tensor.storage, from, made.data(), to - from);
    for (std::int64_t at = from; at < to; at += size) {
      if (std::memcmp(data + at, made.data() + (at - from), static_cast<std::size_t>(size)) != 0)
        out.insert((at - begin) / layout.inner % wanted_.count);
    }
  }
  return {out.begin(), out.end()};
}

// As many as are wanted, secretly; some twice where there are fewer.
std::vector<std::int64_t> KnownValues::choose(std::vector<std::int64_t> rows) const {
  std::mt19937_64 generator(wanted_.seed);
  std::shuffle(rows.begin(), rows.end(), generator);
  const auto most = static_cast<std::size_t>(wanted_.most);
  const std::size_t had = std::min(rows.size(), most);
  rows.resize(had);
  for (std::size_t i = 0; rows.size() < most; ++i) rows.push_back(rows[i % had]);
  std::sort(rows.begin(), rows.end());
  return rows;
}

TensorData KnownValues::gather(program::TensorRef ref, int dimension, const std::vector<std::int64_t>& rows,
                               bool as_made, std::string* written) {
  const program::Tensor& tensor = storages_.tensor(ref);
  const std::int64_t size = program::size_of(tensor.dtype), begin = tensor.offset * size;
  TensorData out{.dtype = tensor.dtype, .sizes = tensor.sizes, .bytes = {}};
  Layout layout{.outer = 1, .inner = tensor.numel() * size};
  std::vector<std::int64_t> places = {0};
  std::int64_t count = 1;
  if (dimension >= 0) {
    layout = layout_of(ref, dimension);
    places = rows;
    count = wanted_.count;
    std::int64_t& narrowed = out.sizes[static_cast<std::size_t>(dimension)];
    narrowed = narrowed / count * wanted_.most;
  }
  for (std::int64_t o = 0; o < layout.outer; ++o) {
    for (const std::int64_t row : places) {
      const std::int64_t at = begin + (o * count + row) * layout.inner;
      append(ref, at, at + layout.inner, as_made, out.bytes, written);
    }
  }
  return out;
}

// Page by page: what no program has touched is not there.
void KnownValues::append(program::TensorRef ref, std::int64_t begin, std::int64_t end, bool as_made, std::string& bytes,
                         std::string* written) {
  const program::Tensor& tensor = storages_.tensor(ref);
  const auto size = static_cast<std::size_t>(program::size_of(tensor.dtype));
  const bool lazy = storages_.is_lazy(tensor.storage), known = held(tensor.storage) == Held::kKnown;
  std::byte made[machine::Memory::kPage];
  for (std::int64_t at = begin; at < end;) {
    const std::int64_t next = std::min(end, (at / machine::Memory::kPage + 1) * machine::Memory::kPage);
    const auto count = static_cast<std::size_t>(next - at);
    const bool touched = storages_.touched(tensor.storage, at, next - at);
    const std::byte* there = storages_.data(tensor.storage) + at;
    if (lazy) storages_.fill_as_made(tensor.storage, at, made, next - at);
    for (std::size_t e = 0; written != nullptr && e < count; e += size)
      written->push_back(known || (touched && std::memcmp(there + e, made + e, size) != 0) ? 1 : 0);
    bytes.append(reinterpret_cast<const char*>(lazy && (as_made || !touched) ? made : there), count);
    at = next;
  }
}

std::string KnownValues::unknown_outputs() {
  const auto inputs = tensors_of(forward_.inputs), outputs = tensors_of(forward_.outputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const program::Tensor& tensor = storages_.tensor(inputs[i]);
    const bool shared = wanted_.inputs[i] < 0;
    if (!storages_.exists(tensor.storage) || !is_contiguous(tensor)) return "an input is laid out otherwise";
    if (shared && tensor.numel() * program::size_of(tensor.dtype) > kMostShared) return "an input is too large";
    if (!storages_.is_lazy(tensor.storage) && held(tensor.storage) != Held::kKnown) return "an input was not computed";
  }
  for (const program::TensorRef ref : outputs) {
    const program::Tensor& tensor = storages_.tensor(ref);
    if (!storages_.exists(tensor.storage) || held(tensor.storage) == Held::kUnknown)
      return whole_ ? "torch's part takes too long" : "what the sampled programs store depends on others";
    if (!is_contiguous(tensor)) return "an output is laid out otherwise";
  }
  return "";
}

RowValues KnownValues::rows() {
  RowValues out;
  out.whole = whole_;
  out.unknown = unknown_outputs();
  if (!out.unknown.empty()) return out;
  const auto inputs = tensors_of(forward_.inputs), outputs = tensors_of(forward_.outputs);
  std::set<std::int64_t> rows;
  bool all = false;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (wanted_.outputs[i] < 0) continue;
    all = all || whole_ || held_of(outputs[i]) == Held::kKnown;
    if (all) break;
    for (const std::int64_t row : written_rows(outputs[i], wanted_.outputs[i])) rows.insert(row);
  }
  if (all) {
    for (std::int64_t row = 0; row < wanted_.count; ++row) rows.insert(row);
  }
  if (rows.empty()) {
    out.unknown = "the sampled programs store nothing";
    return out;
  }
  out.rows = choose({rows.begin(), rows.end()});
  for (std::size_t i = 0; i < inputs.size(); ++i)
    out.inputs.push_back(gather(inputs[i], wanted_.inputs[i], out.rows, /*as_made=*/true, nullptr));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::string written;
    out.incomplete = out.incomplete || incomplete(outputs[i]);
    out.outputs.push_back(gather(outputs[i], wanted_.outputs[i], out.rows, /*as_made=*/false, &written));
    out.written.push_back(std::move(written));
  }
  return out;
}

}  // namespace tritonrl::runner
