// Claim: a warm compiler turns a pointwise kernel into Triton IR in under 120 ms and a new one in under a second, start
// of its zygote included; the peer starts a new Python for every compilation, as scripts around Triton do.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/subprocess.h"
#include "tests/base/scratch_folder.h"
#include "tests/python/test_compiler.h"

using namespace tritonrl;
using Clock = std::chrono::steady_clock;

namespace {

constexpr const char* kSource = R"(def relu(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(y_ptr + offsets, tl.maximum(x, 0.0), mask=mask)
)";

// The same kernel through Triton's own interface.
constexpr const char* kPeer = R"(
import sys
sys.path.insert(0, sys.argv[1])
import peer_kernel
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend
target = GPUTarget("cuda", 90, 32)
backend = make_backend(target)
types = {"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32", "BLOCK": "constexpr"}
source = ASTSource(peer_kernel.relu, types, {(3,): 1024}, {(0,): [["tt.divisibility", 16]], (1,): [["tt.divisibility", 16]]})
options = backend.parse_options({})
context = ir.context()
ir.load_dialects(context)
backend.load_dialects(context)
module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
print(len(backend.make_ttir(module, {}, options, 90).str()))
)";

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

python::TestKernel relu(std::int64_t block) {
  return python::make_kernel(kSource, {{"x_ptr", "*fp32", {}},
                                       {"y_ptr", "*fp32", {}},
                                       {"n", "i32", {}},
                                       {"BLOCK", "constexpr", python::integer(block)}});
}

// Milliseconds of one compilation; exits if it fails.
double compile_once(python::KernelCompiler& compiler, std::int64_t block, bool machine_code = false) {
  const python::TestKernel kernel = relu(block);
  const python::CompileOutcome outcome = compiler.compile(kernel.request("h200", machine_code));
  if (outcome.kind == python::CompileOutcome::Kind::kCompiled) return outcome.milliseconds;
  std::fprintf(stderr, "%s\n", outcome.message.c_str());
  std::exit(1);
}

double cold(const python::KernelCompilerOptions& options) {
  const auto begin = Clock::now();
  python::KernelCompiler compiler(options);
  compile_once(compiler, 1024);
  return milliseconds_since(begin);
}

double peer(const std::string& python, const std::string& folder) {
  const auto begin = Clock::now();
  const base::CommandResult result = base::run_command({python, "-c", kPeer, folder});
  if (result.exit_code != 0) {
    std::fprintf(stderr, "%s\n", result.errors.c_str());
    std::exit(1);
  }
  return milliseconds_since(begin);
}

}  // namespace

int main() {
  python::KernelCompilerOptions options = python::test_compiler_options();
  const base::ScratchFolder folder;
  const std::string kernel = "import triton\nimport triton.language as tl\n\n@triton.jit\n" + std::string(kSource);
  if (FILE* file = std::fopen(folder.path("peer_kernel.py").c_str(), "w")) {
    std::fputs(kernel.c_str(), file);
    std::fclose(file);
  }
  std::vector<double> colds, warms, machines, peers, founds;
  for (int i = 0; i < 5; ++i) {
    colds.push_back(cold(options));
    peers.push_back(peer(options.interpreter.executable, folder.path()));
  }
  python::KernelCompiler compiler(options);
  compile_once(compiler, 1024);
  for (int i = 0; i < 50; ++i) warms.push_back(compile_once(compiler, 1024));
  for (int i = 0; i < 10; ++i) machines.push_back(compile_once(compiler, 1024, true));
  options.cache = folder.path("cache");
  python::KernelCompiler caching(options);
  compile_once(caching, 1024);
  for (int i = 0; i < 50; ++i) founds.push_back(compile_once(caching, 1024));
  std::printf(
      "compile a pointwise kernel (median ms)   cold %.0f   warm %.1f   warm to machine code %.0f   cached %.2f   "
      "new Python each %.0f   ratio warm %.0fx\n",
      median(colds), median(warms), median(machines), median(founds), median(peers), median(peers) / median(warms));
  return 0;
}
