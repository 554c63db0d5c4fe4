#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "program/value.h"

namespace tritonrl::program {

// What a module does: ATen calls and kernel launches on views of numbered storages. Plain data, made by the recorder
// (src/python/recorder), read back and validated by read_program (program_json.h), replayed by a runner. A replay needs
// no Python: it gives each storage memory, skips views, and runs the other calls in order on as_strided views.

struct SourceLine {
  int file = -1;  // index into Program::files; -1: none of the user's files
  int line = 0;   // from 1
  bool operator==(const SourceLine&) const = default;
};

struct Storage {
  std::int64_t bytes = 0;
  Device device = Device::kHost;
  std::string constant;  // the contents, for data that came with the source (torch.tensor([...])); else empty
  bool operator==(const Storage&) const = default;
};

// A strided view of a storage; offset and strides count elements.
struct Tensor {
  int storage = 0;
  DType dtype = DType::kFloat32;
  std::int64_t offset = 0;
  std::vector<std::int64_t> sizes, strides;
  bool operator==(const Tensor&) const = default;

  std::int64_t numel() const {
    std::int64_t n = 1;
    for (const std::int64_t size : sizes) n *= size;
    return n;
  }
};

struct AtenCall {
  std::string op;           // "aten::add.Tensor"; a default overload has no suffix: "aten::relu"
  std::vector<Value> args;  // positional, in the schema's order; trailing defaults may be missing
  std::vector<std::pair<std::string, Value>> kwargs;
  Value result;  // a tensor, a list of results, a scalar or none
  SourceLine at;
  bool operator==(const AtenCall&) const = default;
};

// One jit function's text, from its `def` on (decorators dropped), with the place it came from.
struct KernelFunction {
  std::string name;
  std::string source;
  SourceLine at;
  bool operator==(const KernelFunction&) const = default;
};

// All that a compiler needs of a kernel: functions[0] is the kernel, the others are what it reaches.
struct Kernel {
  std::string name;
  std::vector<KernelFunction> functions;
  std::vector<std::pair<std::string, std::string>>
      constants;  // global name -> Python literal ("3", "tl.constexpr(2.0)")
  std::vector<std::pair<std::string, std::string>>
      imports;  // global name -> "triton.language" or "triton.language:exp"
  bool operator==(const Kernel&) const = default;
};

struct LaunchArgument {
  std::string name;
  std::string type;      // Triton's: "*fp32", "i32", "fp64", "constexpr", "tensordesc<…>"
  Value value;           // tensor, number, descriptor; for constexpr also none, text, symbol, list
  bool aligned = false;  // specialised as divisible by 16
  bool operator==(const LaunchArgument&) const = default;
};

struct LaunchVariant {
  std::array<std::int64_t, 3> grid = {1, 1, 1};
  std::vector<LaunchArgument> arguments;  // in the kernel's parameter order
  std::vector<std::pair<std::string, Value>>
      options;  // num_warps, num_stages, num_ctas, maxnreg, … as passed or by default
  bool operator==(const LaunchVariant&) const = default;
};

// A kernel launch; more than one variant means an autotuned kernel, whose configuration the runner picks.
struct Launch {
  int kernel = 0;  // index into Program::kernels
  std::vector<LaunchVariant> variants;
  SourceLine at;
  bool operator==(const Launch&) const = default;
};

// Python asked for values that the recording does not have; the answer shaped what follows.
struct Question {
  enum class Kind : std::uint8_t {
    kItem,   // one scalar: .item(), bool(t), float(t)
    kList,   // a few numbers: .tolist()
    kShape,  // the sizes of `op`'s first result, which depend on values: nonzero, x[mask]
    kEqual,  // torch.equal
  };
  Kind kind = Kind::kItem;
  std::vector<TensorRef> about;
  std::string op;  // kShape: the operator on `about`
  Value answer;
  bool assumed = false;  // nobody executed the program so far; a neutral value was taken
  SourceLine at;
  bool operator==(const Question&) const = default;
};

using Step = std::variant<AtenCall, Launch, Question>;

// What goes into or comes out of forward: tensors inside tuples, lists, dictionaries and objects.
struct Structure {
  enum class Kind : std::uint8_t { kLeaf, kTuple, kList, kDict, kObject };
  Kind kind = Kind::kLeaf;
  Value leaf;        // kLeaf
  std::string type;  // kObject: the class's name; a leaf that is no plain value: its type's name
  std::vector<std::pair<std::string, Structure>> items;  // names are empty in tuples and lists
  bool operator==(const Structure&) const = default;
};

struct Forward {
  std::vector<Step> make_inputs;  // the task's get_inputs, and the move to the target
  Structure inputs;
  std::vector<Step> steps;
  Structure outputs;
};

struct NamedTensor {
  std::string name;
  TensorRef tensor;
  bool buffer = false;  // else a parameter
};

struct Program {
  std::string subject;  // the class recorded: "Model", "ModelNew"
  std::string torch_version, triton_version;
  std::string target;  // the GPU that the tensors claimed to be on: "h200"
  std::vector<std::string> files;
  std::vector<Storage> storages;
  std::vector<Tensor> tensors;
  std::vector<Kernel> kernels;
  std::vector<Step> initialise;    // imports, get_init_inputs, the constructor, the move to the target
  std::vector<NamedTensor> state;  // parameters and buffers after that
  std::vector<Forward> forwards;   // at least one; further ones on fresh inputs, in the same process
};

const SourceLine& place_of(const Step& step);

}  // namespace tritonrl::program
