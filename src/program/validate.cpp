#include "program/validate.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "program/operator_table.h"

namespace tritonrl::program {
namespace {

constexpr std::int64_t kMaxGrid = 2147483647;  // CUDA's limit of the first dimension; the others have 65,535
constexpr std::size_t kMaxVariants = 4096;
constexpr std::size_t kMaxRank = 64;

struct Fault {
  std::string message;
};

[[noreturn]] void fault(std::string message) {
  throw Fault{std::move(message)};
}

std::string numbered(const char* what, std::size_t number) {
  return std::string(what) + " " + std::to_string(number);
}

// Bytes from the storage's start to the end of the view's last element; a fault if anything about it needs 60 bits or
// more.
std::int64_t reach_of(const Tensor& tensor, const std::string& name) {
  constexpr __int128 kLimit = static_cast<__int128>(1) << 60;
  __int128 last = tensor.offset;
  __int128 elements = 1;  // counted without empty dimensions, so that no order of multiplication overflows
  bool empty = false;
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    if (tensor.sizes[i] < 0 || tensor.strides[i] < 0) fault(name + " has a negative size or stride");
    empty = empty || tensor.sizes[i] == 0;
    elements *= std::max<std::int64_t>(tensor.sizes[i], 1);
    if (elements > kLimit) fault(name + " has too many elements");
    last += static_cast<__int128>(tensor.sizes[i] > 0 ? tensor.sizes[i] - 1 : 0) * tensor.strides[i];
    if (last > kLimit) fault(name + " reaches beyond any storage");
  }
  const __int128 bytes = (last + 1) * size_of(tensor.dtype);
  if (bytes > kLimit) fault(name + " reaches beyond any storage");
  return empty ? 0 : static_cast<std::int64_t>(bytes);
}

bool is_identifier(std::string_view name) {
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; });
}

bool is_library(std::string_view import) {
  for (const std::string_view library : {"triton", "math", "torch._inductor.runtime"}) {
    if (import.substr(0, library.size()) != library) continue;
    const std::string_view rest = import.substr(library.size());
    if (!rest.empty() && rest[0] != '.' && rest[0] != ':') continue;
    return std::all_of(rest.begin(), rest.end(),
                       [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.' || c == ':'; });
  }
  return false;
}

template <class T>
bool inside(int index, const std::vector<T>& items) {
  return index >= 0 && static_cast<std::size_t>(index) < items.size();
}

class Validator {
 public:
  Validator(const Program& program, const ValidateOptions& options)
      : program_(program), options_(options), born_(program.storages.size(), false) {}

  void run() {
    storages();
    tensors();
    kernels();
    const std::size_t forwards = program_.forwards.size();
    if (forwards == 0 && !options_.partial) fault("no forward was recorded");
    steps(program_.initialise, "initialise");
    for (const NamedTensor& one : program_.state) made(one.tensor, "state " + one.name);
    for (std::size_t i = 0; i < forwards; ++i) {
      steps(program_.forwards[i].make_inputs, numbered("make_inputs of forward", i));
      structure(program_.forwards[i].inputs, numbered("inputs of forward", i));
    }
    for (std::size_t i = 0; i < forwards; ++i) {
      steps(program_.forwards[i].steps, numbered("forward", i));
      structure(program_.forwards[i].outputs, numbered("outputs of forward", i));
    }
  }

 private:
  void storages() {
    for (std::size_t i = 0; i < program_.storages.size(); ++i) {
      const Storage& storage = program_.storages[i];
      if (storage.bytes < 0 || storage.bytes > options_.max_storage_bytes) {
        fault(numbered("storage", i) + " has " + std::to_string(storage.bytes) + " bytes");
      }
      if (!storage.constant.empty() && static_cast<std::int64_t>(storage.constant.size()) != storage.bytes) {
        fault(numbered("storage", i) + " is not as long as its constant");
      }
      born_[i] = !storage.constant.empty() || storage.bytes == 0;  // where nothing is, nothing can be read
    }
  }

  void tensors() {
    for (std::size_t i = 0; i < program_.tensors.size(); ++i) {
      const Tensor& tensor = program_.tensors[i];
      const std::string name = numbered("tensor", i);
      if (!inside(tensor.storage, program_.storages)) fault(name + " views no storage");
      fits_its_storage(tensor, name);
    }
  }

  void fits_its_storage(const Tensor& tensor, const std::string& name) const {
    if (tensor.sizes.size() != tensor.strides.size() || tensor.sizes.size() > kMaxRank || tensor.offset < 0) {
      fault(name + " has no valid shape");
    }
    const std::int64_t bytes = program_.storages[tensor.storage].bytes;
    if (reach_of(tensor, name) > bytes)
      fault(name + " reaches beyond its storage of " + std::to_string(bytes) + " bytes");
  }

  void kernels() {
    for (std::size_t i = 0; i < program_.kernels.size(); ++i) {
      const Kernel& kernel = program_.kernels[i];
      if (kernel.functions.empty() || kernel.functions[0].name != kernel.name) {
        fault(numbered("kernel", i) + " does not begin with its own function");
      }
      for (const KernelFunction& function : kernel.functions) {
        if (!is_identifier(function.name)) fault("\"" + function.name + "\" is no function's name");
        place(function.at, "function " + function.name);
      }
      for (const auto& [name, literal] : kernel.constants) {
        if (!is_identifier(name)) fault("\"" + name + "\" is no constant's name");
      }
      for (const auto& [name, module] : kernel.imports) {
        if (!is_identifier(name) || !is_library(module)) fault("kernel " + kernel.name + " imports \"" + module + "\"");
      }
    }
  }

  void steps(const std::vector<Step>& steps, const std::string& section) {
    if ((count_ += steps.size()) > options_.max_steps)
      fault("more than " + std::to_string(options_.max_steps) + " steps");
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::string where = section + ", step " + std::to_string(i);
      place(place_of(steps[i]), where);
      std::visit([&](const auto& step) { check(step, where); }, steps[i]);
    }
  }

  void check(const AtenCall& call, const std::string& where) {
    const Operator* op = find_operator(call.op);
    if (op == nullptr) fault(where + ": operator " + call.op + " is not allowed");
    const auto is_made = [&](TensorRef tensor) { made(tensor, where + ", " + call.op); };
    for (const Value& value : call.args) for_each_tensor(value, is_made);
    for (const auto& [name, value] : call.kwargs) for_each_tensor(value, is_made);
    std::string why;
    if (!call_fits(call, *op, &why)) fault(where + ": " + call.op + ": " + why);
    for (std::size_t i = 0; i < op->results.size(); ++i) {
      const ResultSpec& spec = op->results[i];
      // reshape and its like copy when they must; a pure view and a written operand are memory that was there before
      const bool shares = spec.aliases && (spec.mutated || (op->kind == OperatorKind::kView && !may_copy(call.op)));
      for_each_tensor(op->results.size() == 1 ? call.result : (*call.result.get_if<Value::List>())[i],
                      [&](TensorRef result) {
                        exists(result, where + ", " + call.op);
                        const int storage = program_.tensors[result.index].storage;
                        if (shares && !born_[storage])
                          fault(where + ": " + call.op + " views memory that nothing made");
                        born_[storage] = true;
                      });
    }
  }

  static bool may_copy(std::string_view op) {
    const std::string_view name = plain_name(op);
    return name == "reshape" || name == "contiguous" || name == "flatten" || name == "ravel" || name == "to";
  }

  void check(const Launch& launch, const std::string& where) {
    if (!inside(launch.kernel, program_.kernels)) fault(where + " launches no kernel");
    if (launch.variants.empty() || launch.variants.size() > kMaxVariants)
      fault(where + " has no valid list of variants");
    for (const LaunchVariant& variant : launch.variants) {
      for (int i = 0; i < 3; ++i) {
        if (variant.grid[i] < 1 || variant.grid[i] > (i == 0 ? kMaxGrid : 65535)) {
          fault(where + ": grid size " + std::to_string(variant.grid[i]) + " in dimension " + std::to_string(i));
        }
      }
      for (const LaunchArgument& argument : variant.arguments) {
        if (!is_identifier(argument.name)) fault(where + ": \"" + argument.name + "\" is no parameter's name");
        for_each_tensor(argument.value, [&](TensorRef tensor) { made(tensor, where + ", argument " + argument.name); });
        descriptors(argument.value, where + ", argument " + argument.name);
      }
      for (const auto& [name, value] : variant.options) no_tensor(value, where + ", option " + name);
    }
  }

  void check(const Question& question, const std::string& where) {
    if (question.about.empty()) fault(where + " asks about nothing");
    if (question.kind == Question::Kind::kShape && find_operator(question.op) == nullptr) {
      fault(where + ": operator " + question.op + " is not allowed");
    }
    for (const TensorRef tensor : question.about) made(tensor, where);
    no_tensor(question.answer, where + ", answer");
  }

  void descriptors(const Value& value, const std::string& where) const {
    if (const auto* list = value.get_if<Value::List>()) {
      for (const Value& item : *list) descriptors(item, where);
    }
    const auto* descriptor = value.get_if<Descriptor>();
    if (descriptor == nullptr) return;
    if (descriptor->block.size() != descriptor->shape.size()) fault(where + " has no valid block");
    Tensor seen = program_.tensors[descriptor->base.index];
    if (descriptor->nan_outside && !is_floating(seen.dtype)) fault(where + " pads a tensor of no floats with NaN");
    if (descriptor->rounds_to_tf32 && seen.dtype != DType::kFloat32)
      fault(where + " rounds to tf32 what is no float32");
    seen.sizes = descriptor->shape;
    seen.strides = descriptor->strides;
    fits_its_storage(seen, where);
  }

  static void no_tensor(const Value& value, const std::string& where) {
    for_each_tensor(value, [&](TensorRef) { fault(where + " is a tensor"); });
  }

  void structure(const Structure& structure, const std::string& where) {
    for_each_tensor(structure.leaf, [&](TensorRef tensor) { made(tensor, where); });
    for (const auto& [name, item] : structure.items) this->structure(item, where);
  }

  void exists(TensorRef tensor, const std::string& where) const {
    if (!inside(tensor.index, program_.tensors)) fault(where + ": there is no such tensor");
  }

  void made(TensorRef tensor, const std::string& where) const {
    exists(tensor, where);
    if (!born_[program_.tensors[tensor.index].storage]) {
      fault(where + ": reads storage " + std::to_string(program_.tensors[tensor.index].storage) +
            " before anything made it");
    }
  }

  void place(const SourceLine& at, const std::string& where) const {
    if (at.file != -1 && !inside(at.file, program_.files)) fault(where + " comes from no file");
  }

  const Program& program_;
  const ValidateOptions& options_;
  std::vector<bool> born_;  // by storage: a constant, or made by an earlier call
  std::size_t count_ = 0;
};

}  // namespace

std::optional<std::string> find_fault(const Program& program, const ValidateOptions& options) {
  try {
    Validator(program, options).run();
    return std::nullopt;
  } catch (const Fault& found) {
    return found.message;
  }
}

}  // namespace tritonrl::program
