#include <algorithm>
#include <cstdlib>
#include <map>

#include "program/cost_parts.h"

namespace tritonrl::program {
namespace {

// What one block keeps in registers and shared memory while it computes a statistic.
constexpr double kOnChipBytes = 64 * 1024;

double element_bytes(const Tensor& tensor) {
  return static_cast<double>(size_of(tensor.dtype));
}

bool same_view(const Tensor& a, const Tensor& b) {
  return a.storage == b.storage && a.offset == b.offset && a.dtype == b.dtype && a.sizes == b.sizes &&
         a.strides == b.strides;
}

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// reshape, contiguous, to(dtype) and their like return their input, or a copy of it.
bool returns_its_input(const Operands& o) {
  for (const auto& result : o.results()) {
    if (result.type->mutated) return o.op().kind == OperatorKind::kView;
    for (const auto& input : o.inputs()) {
      for (const Tensor* tensor : input.tensors) {
        if (tensor->storage == result.tensors.front()->storage) return true;
      }
    }
  }
  return o.results().empty() && o.op().kind == OperatorKind::kView;
}

// The operand that a lookup picks from or an in-place scatter writes to, and how many of its elements are touched.
struct Picked {
  const Tensor* table = nullptr;
  double elements = 0;
  bool scatter = false;
  bool accumulates = false;
};

double indexed_elements(const Operands& o, const Tensor& table) {
  double picked = 1;
  std::vector<std::int64_t> shape;  // of the index tensors, broadcast
  std::size_t dim = 0;
  for (const Tensor* index : o.tensors("indices")) {
    if (index->dtype == DType::kBool || index->dtype == DType::kUInt8) return static_cast<double>(table.numel());
    if (index->sizes.size() > shape.size()) shape.insert(shape.begin(), index->sizes.size() - shape.size(), 1);
    for (std::size_t i = 0; i < index->sizes.size(); ++i) {
      auto& size = shape[shape.size() - index->sizes.size() + i];
      size = std::max(size, index->sizes[i]);
    }
  }
  for (const std::int64_t size : shape) picked *= static_cast<double>(size);
  const Value* indices = o.value("indices");
  const auto* list = indices == nullptr ? nullptr : indices->get_if<Value::List>();
  for (; dim < table.sizes.size(); ++dim) {
    const bool indexed = list != nullptr && dim < list->size() && !(*list)[dim].is_none();
    if (!indexed) picked *= static_cast<double>(table.sizes[dim]);
  }
  return picked;
}

Picked picked_of(const Operands& o) {
  const std::string_view name = o.name();
  const Tensor* self = o.first_of({"self", "weight"});
  if (self == nullptr) return {};
  const auto numel = [&](std::string_view argument) {
    const Tensor* tensor = o.tensor(argument);
    return tensor == nullptr ? 0.0 : static_cast<double>(tensor->numel());
  };
  if (starts_with_any(name, {"nll_loss"})) return {.table = self, .elements = numel("target")};
  if (o.op().kind != OperatorKind::kGather) return {};
  if (starts_with_any(name, {"embedding_bag", "_embedding_bag"})) {
    return {.table = self, .elements = numel("indices") * static_cast<double>(size_at(*self, 1))};
  }
  if (name == "index_select" || name == "gather" || name == "take" || name == "take_along_dim" || name == "index" ||
      name == "embedding") {
    return {.table = self, .elements = o.result() == nullptr ? 0 : static_cast<double>(o.result()->numel())};
  }
  const bool in_place = o.inputs().front().argument->mutated;
  if (!in_place) return {};
  Picked picked = {.table = self, .scatter = true};
  picked.accumulates =
      o.flag("accumulate", starts_with_any(name, {"index_add", "index_reduce", "scatter_add", "scatter_reduce"}));
  if (name == "index_put")
    picked.elements = indexed_elements(o, *self);
  else if (name == "index_fill")
    picked.elements = numel("index") * static_cast<double>(self->numel()) /
                      std::max<double>(1, size_at(*self, o.integer("dim").value_or(0)));
  else if (name == "index_add" || name == "index_copy" || name == "index_reduce")
    picked.elements = numel("source");
  else if (starts_with_any(name, {"scatter", "put"}))
    picked.elements = numel("index");
  else
    return {};
  return picked;
}

// Bytes that one statistic of a norm or softmax covers; 0 if none is taken from the input.
double statistic_bytes(const Operands& o) {
  const Tensor* input = o.input();
  if (input == nullptr) return 0;
  const std::string_view name = o.name();
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  const double bytes = element_bytes(*input);
  const double all = static_cast<double>(input->numel()) * bytes;
  if (o.op().kind == OperatorKind::kSoftmax)
    return bytes * static_cast<double>(size_at(*input, o.integer("dim").value_or(-1)));
  if (has("layer_norm") || has("rms_norm")) {
    double slice = bytes;
    for (const std::int64_t size : o.integers("normalized_shape")) slice *= static_cast<double>(size);
    return slice;
  }
  const double samples = static_cast<double>(size_at(*input, 0)), channels = static_cast<double>(size_at(*input, 1));
  if (has("group_norm")) {
    return all / std::max(1.0, samples * o.count("group", o.count("num_groups", 1)));
  }
  if (has("instance_norm")) return o.flag("use_input_stats", true) ? all / std::max(1.0, samples * channels) : 0;
  if (has("batch_norm")) {
    const bool from_input = o.flag("training", o.flag("train", !has("no_training") && !has("elemt")));
    return from_input ? all / std::max(1.0, channels) : 0;
  }
  return 0;
}

bool is_read(const Operands& o, const Argument& argument) {
  const OperatorKind kind = o.op().kind;
  if (argument.is_out() || kind == OperatorKind::kFill || o.name().ends_with("_like")) return false;
  if (kind == OperatorKind::kCopy) {
    if (o.value("src") != nullptr) return argument.name == "src";
    return &argument == o.inputs().front().argument;
  }
  return !(argument.mutated && kind == OperatorKind::kRandom);
}

bool is_written(const Operands& o, const Argument& argument) {
  if (!argument.mutated) return false;
  const bool statistics = argument.name == "running_mean" || argument.name == "running_var";
  return !statistics || o.flag("training", o.flag("use_input_stats", true));
}

}  // namespace

double unique_bytes(const Tensor& tensor) {
  double distinct = 1, extent = 1;
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    const auto size = static_cast<double>(tensor.sizes[i]);
    if (size == 0) return 0;
    if (tensor.strides[i] != 0) distinct *= size;
    extent += (size - 1) * static_cast<double>(std::llabs(tensor.strides[i]));
  }
  return std::min(distinct, extent) * element_bytes(tensor);
}

Traffic traffic_of(const Program& program, const Operands& o) {
  const OperatorKind kind = o.op().kind;
  Traffic traffic;
  const bool may_return_input = kind == OperatorKind::kView || kind == OperatorKind::kCopy;
  if (kind == OperatorKind::kAllocate || (may_return_input && returns_its_input(o))) {
    traffic.none = true;
    return traffic;
  }
  const Picked picked = picked_of(o);
  const auto bytes_of = [&](const Tensor* tensor) {
    const double all = unique_bytes(*tensor);
    return tensor == picked.table ? std::min(all, picked.elements * element_bytes(*tensor)) : all;
  };
  const auto on_host = [&](const Tensor* tensor) { return program.storages[tensor->storage].device == Device::kHost; };

  std::vector<const Tensor*> read, written;
  const auto add_once = [](std::vector<const Tensor*>* set, const Tensor* tensor) {
    for (const Tensor* known : *set) {
      if (same_view(*known, *tensor)) return;
    }
    set->push_back(tensor);
  };
  for (const auto& input : o.inputs()) {
    for (const Tensor* tensor : input.tensors) {
      const bool kept = picked.scatter && tensor == picked.table && !picked.accumulates;
      if (is_read(o, *input.argument) && !kept) add_once(&read, tensor);
      if (is_written(o, *input.argument)) add_once(&written, tensor);
    }
  }
  for (const auto& result : o.results()) {
    if (result.type->mutated) continue;  // an operand, counted above
    for (const Tensor* tensor : result.tensors) add_once(&written, tensor);
  }

  const bool moves = kind == OperatorKind::kCopy && !read.empty() && !written.empty() &&
                     on_host(read.front()) != on_host(written.front());
  std::map<int, double> by_storage;
  for (const Tensor* tensor : read) {
    if (moves) traffic.host += bytes_of(tensor);
    if (!moves || !on_host(tensor)) by_storage[tensor->storage] += bytes_of(tensor);
  }
  // Views that overlap are together no more than what they look at.
  for (const auto& [storage, bytes] : by_storage) {
    traffic.read += std::min(bytes, static_cast<double>(program.storages[static_cast<std::size_t>(storage)].bytes));
  }
  for (const Tensor* tensor : written) {
    if (!moves || !on_host(tensor)) traffic.written += bytes_of(tensor);
  }
  if ((kind == OperatorKind::kNormalise || kind == OperatorKind::kSoftmax) && statistic_bytes(o) > kOnChipBytes) {
    traffic.read += unique_bytes(*o.input());
  }
  return traffic;
}

}  // namespace tritonrl::program
