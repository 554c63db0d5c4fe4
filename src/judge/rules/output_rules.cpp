#include <algorithm>
#include <set>

#include "judge/mending.h"
#include "judge/rules/groups.h"
#include "judge/rules/tensor_text.h"
#include "runner/structure_tensors.h"

// Rules on what the last forward gives back: in the reference's form, where the reference's lies, in memory of its own.

namespace tritonrl::judge {
namespace {

using program::Program;
using program::Structure;
using program::Tensor;
using program::TensorRef;

// A result left on the host is none for the next module.
Checked other_output_place(const Evidence& evidence) {
  const Program& reference = *evidence.reference;
  const Program& candidate = *evidence.candidate;
  const auto want = runner::tensors_of(reference.forwards.back().outputs);
  const auto have = runner::tensors_of(candidate.forwards.back().outputs);
  const auto place = [](const Program& program, TensorRef ref) {
    return program.storages[static_cast<std::size_t>(tensor_of(program, ref).storage)].device;
  };
  for (std::size_t i = 0; i < std::min(want.size(), have.size()); ++i) {
    if (place(reference, want[i]) == place(candidate, have[i])) continue;
    const bool host = place(candidate, have[i]) == program::Device::kHost;
    return Violation{.message = "output " + std::to_string(i) +
                                (host ? " is on the host, the reference's on the GPU"
                                      : " is on the GPU, the reference's on the host"),
                     .advice = "return tensors on the device of the inputs"};
  }
  return std::nullopt;
}

std::string form_text(const Structure& one) {
  switch (one.kind) {
    case Structure::Kind::kTuple:
    case Structure::Kind::kList:  // callers index and unpack both alike
      return "a tuple or list of " + std::to_string(one.items.size());
    case Structure::Kind::kDict:
      return "a dictionary of " + std::to_string(one.items.size());
    case Structure::Kind::kObject:
      return "an object with " + std::to_string(one.items.size()) + " fields";
    case Structure::Kind::kLeaf:
      break;
  }
  if (!one.type.empty()) return "of type " + one.type;
  if (one.leaf.get_if<TensorRef>() != nullptr) return "a tensor";
  const bool number = one.leaf.get_if<std::int64_t>() != nullptr || one.leaf.get_if<double>() != nullptr ||
                      one.leaf.get_if<bool>() != nullptr;
  if (number) return "a number";
  if (const auto* text = one.leaf.get_if<std::string>()) return "the text '" + *text + "'";
  return one.leaf.is_none() ? "None" : "another value";
}

// The first part that is not of the reference's form, in words; empty: none.
struct FormOf {
  const Program& reference;
  const Program& candidate;
  bool shapes;  // whether they are known

  std::string difference(const Structure& want, const Structure& have, const std::string& name) const {
    const auto told = [&](const std::string& is, const std::string& wanted) {
      return name + " is " + is + ", the reference's " + wanted;
    };
    if (form_text(want) != form_text(have)) return told(form_text(have), form_text(want));
    if (const auto* a = want.leaf.get_if<TensorRef>(); a != nullptr && shapes) {
      const Tensor& x = tensor_of(reference, *a);
      const Tensor& y = tensor_of(candidate, *have.leaf.get_if<TensorRef>());
      if (x.sizes != y.sizes) return told(shape_text(y), shape_text(x));
    }
    for (std::size_t i = 0; i < want.items.size(); ++i) {
      const std::string& key = want.items[i].first;
      if (key != have.items[i].first) return told("named '" + have.items[i].first + "'", "'" + key + "'");
      const std::string part = name + "[" + (key.empty() ? std::to_string(i) : "'" + key + "'") + "]";
      if (std::string out = difference(want.items[i].second, have.items[i].second, part); !out.empty()) return out;
    }
    return "";
  }
};

Checked other_form(const Evidence& evidence) {
  const Program& reference = *evidence.reference;
  const Program& candidate = *evidence.candidate;
  // sizes that follow from answers which nobody computed are no promise of either
  const FormOf form{reference, candidate, !assumes_answers(reference) && !assumes_answers(candidate)};
  const std::string other =
      form.difference(reference.forwards.back().outputs, candidate.forwards.back().outputs, "the result");
  if (other.empty()) return std::nullopt;
  return Violation{.message = other, .advice = "return what the reference returns, in the same containers and shapes"};
}

// Elements of the storage from the first to behind the last.
std::int64_t span_of(const Tensor& tensor) {
  std::int64_t last = 0;
  for (std::size_t d = 0; d < tensor.sizes.size(); ++d) last += (tensor.sizes[d] - 1) * tensor.strides[d];
  return last + 1;
}

bool repeats_itself(const Tensor& tensor) {
  for (std::size_t d = 0; d < tensor.sizes.size(); ++d) {
    if (tensor.sizes[d] > 1 && tensor.strides[d] == 0) return tensor.numel() > 0;
  }
  return false;
}

// Surely: columns of one buffer that lie between each other share nothing. Of different sizes they may: the last state
// of a sequence is honestly returned as a part of it.
bool overlap(const Tensor& a, const Tensor& b) {
  if (a.storage != b.storage || a.numel() == 0 || a.numel() != b.numel()) return false;
  const auto begin = [](const Tensor& one) { return one.offset * size_of(one.dtype); };
  const auto end = [&](const Tensor& one) { return begin(one) + span_of(one) * size_of(one.dtype); };
  const auto dense = [](const Tensor& one) { return span_of(one) == one.numel(); };
  if (begin(a) == begin(b)) return true;
  return dense(a) && dense(b) && begin(a) < end(b) && begin(b) < end(a);
}

// What a caller may write to without changing another of its tensors.
struct Memory {
  const Program& program;
  std::vector<TensorRef> outputs = runner::tensors_of(program.forwards.back().outputs);
  std::set<int> inputs = storages_of(program, runner::tensors_of(program.forwards.back().inputs));

  static std::set<int> storages_of(const Program& program, const std::vector<TensorRef>& tensors) {
    std::set<int> out;
    for (const TensorRef ref : tensors) out.insert(tensor_of(program, ref).storage);
    return out;
  }

  const Tensor& output(std::size_t i) const { return tensor_of(program, outputs[i]); }
  bool of_an_input(std::size_t i) const { return output(i).numel() > 0 && inputs.contains(output(i).storage); }
};

Checked shared_memory(const Evidence& evidence) {
  const Memory want{*evidence.reference};
  const Memory have{*evidence.candidate};
  const auto shared = [](std::size_t output, const std::string& how) {
    return Violation{.message = "output " + std::to_string(output) + how + ", the reference's does not",
                     .advice = "give each result memory of its own: whoever writes to one must not change another"};
  };
  const std::size_t count = std::min(want.outputs.size(), have.outputs.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (repeats_itself(have.output(i)) && !repeats_itself(want.output(i)))
      return shared(i, " repeats the same memory (a stride of 0)");
    if (have.of_an_input(i) && !want.of_an_input(i)) return shared(i, " lies in the memory of an input");
    for (std::size_t j = 0; j < i; ++j) {
      if (overlap(have.output(i), have.output(j)) && want.output(i).storage != want.output(j).storage)
        return shared(i, " lies in the memory of output " + std::to_string(j));
    }
  }
  return std::nullopt;
}

using record::Stage;
using Kind = record::VerdictKind;

constexpr Rule kOutputRules[] = {
    {"output_place", Stage::kTiny, Kind::kWrong, LooksAt::kOutputs, "", "", other_output_place,
     "a result is left on the host, or on the GPU where the reference's is on the host"},
    {"output_form", Stage::kTiny, Kind::kWrong, LooksAt::kOutputs, "output_form", "", other_form,
     "results come in other containers, under other names or, at the real sizes, in other shapes than the reference's",
     14},
    {"output_memory", Stage::kTiny, Kind::kWrong, LooksAt::kOutputs, "output_memory", "", shared_memory,
     "a result lies in the memory of an input, of another result or several times in its own, and the reference's does "
     "not",
     14},
};

}  // namespace

std::span<const Rule> output_rules() {
  return kOutputRules;
}

}  // namespace tritonrl::judge
