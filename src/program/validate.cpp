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

[[noreturn]] void fault(std::string message) { throw Fault{std::move(message)}; }

std::string numbered(const char* what, std::size_t number) { return std::string(what) + " " + std::to_string(number); }

// Bytes from the storage's start to the end of the view's last element; a fault if they do not fit 63 bits.
std::int64_t reach_of(const Tensor& tensor, std::size_t number) {
  __int128 last = tensor.offset;
  bool empty = false;
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    if (tensor.sizes[i] < 0 || tensor.strides[i] < 0) fault(numbered("tensor", number) + " has a negative size or stride");
    empty = empty || tensor.sizes[i] == 0;
    last += static_cast<__int128>(tensor.sizes[i] > 0 ? tensor.sizes[i] - 1 : 0) * tensor.strides[i];
    if (last > (static_cast<__int128>(1) << 60)) fault(numbered("tensor", number) + " reaches beyond any storage");
  }
  return empty ? 0 : static_cast<std::int64_t>((last + 1) * size_of(tensor.dtype));
}

bool is_identifier(std::string_view name) {
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; });
}

bool is_library(std::string_view import) {
  for (const std::string_view library : {"triton", "math", "torch._inductor.runtime"}) {
    if (import.substr(0, library.size()) != library) continue;
    const std::string_view rest = import.substr(library.size());
    if (rest.empty() || rest[0] == '.' || rest[0] == ':') return true;
  }
  return false;
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
      born_[i] = !storage.constant.empty();
    }
  }

  void tensors() {
    for (std::size_t i = 0; i < program_.tensors.size(); ++i) {
      const Tensor& tensor = program_.tensors[i];
      if (tensor.storage >= static_cast<int>(program_.storages.size())) fault(numbered("tensor", i) + " views no storage");
      if (tensor.sizes.size() != tensor.strides.size() || tensor.sizes.size() > kMaxRank || tensor.offset < 0) {
        fault(numbered("tensor", i) + " has no valid shape");
      }
      if (reach_of(tensor, i) > program_.storages[tensor.storage].bytes) {
        fault(numbered("tensor", i) + " reaches beyond its storage of " +
              std::to_string(program_.storages[tensor.storage].bytes) + " bytes");
      }
    }
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
    if ((count_ += steps.size()) > options_.max_steps) fault("more than " + std::to_string(options_.max_steps) + " steps");
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
    for_each_tensor(call.result, [&](TensorRef result) {
      exists(result, where + ", " + call.op);
      const int storage = program_.tensors[result.index].storage;
      if (op->kind == OperatorKind::kView && !born_[storage]) {
        // reshape and its like copy when they must; a pure view's result shares memory with an operand
        const bool pure = !op->results.empty() && op->results[0].aliases && !op->results[0].mutated;
        if (pure && !may_copy(call.op)) fault(where + ": " + call.op + " views memory that nothing made");
      }
      born_[storage] = true;
    });
  }

  static bool may_copy(std::string_view op) {
    const std::string_view name = plain_name(op);
    return name == "reshape" || name == "contiguous" || name == "flatten" || name == "ravel" || name == "to";
  }

  void check(const Launch& launch, const std::string& where) {
    if (launch.kernel >= static_cast<int>(program_.kernels.size())) fault(where + " launches no kernel");
    if (launch.variants.empty() || launch.variants.size() > kMaxVariants) fault(where + " has no valid list of variants");
    for (const LaunchVariant& variant : launch.variants) {
      for (int i = 0; i < 3; ++i) {
        if (variant.grid[i] < 1 || variant.grid[i] > (i == 0 ? kMaxGrid : 65535)) {
          fault(where + ": grid size " + std::to_string(variant.grid[i]) + " in dimension " + std::to_string(i));
        }
      }
      for (const LaunchArgument& argument : variant.arguments) {
        if (!is_identifier(argument.name)) fault(where + ": \"" + argument.name + "\" is no parameter's name");
        for_each_tensor(argument.value, [&](TensorRef tensor) { made(tensor, where + ", argument " + argument.name); });
      }
    }
  }

  void check(const Question& question, const std::string& where) {
    if (question.about.empty()) fault(where + " asks about nothing");
    for (const TensorRef tensor : question.about) made(tensor, where);
  }

  void structure(const Structure& structure, const std::string& where) {
    for_each_tensor(structure.leaf, [&](TensorRef tensor) { made(tensor, where); });
    for (const auto& [name, item] : structure.items) this->structure(item, where);
  }

  void exists(TensorRef tensor, const std::string& where) const {
    if (tensor.index < 0 || tensor.index >= static_cast<int>(program_.tensors.size())) fault(where + ": there is no such tensor");
  }

  void made(TensorRef tensor, const std::string& where) const {
    exists(tensor, where);
    if (!born_[program_.tensors[tensor.index].storage]) {
      fault(where + ": reads storage " + std::to_string(program_.tensors[tensor.index].storage) + " before anything made it");
    }
  }

  void place(const SourceLine& at, const std::string& where) const {
    if (at.file >= static_cast<int>(program_.files.size())) fault(where + " comes from no file");
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
