#include "sandbox/gpu_access.h"
#include "sandbox/probe.h"
#include "tests/sandbox/attacks.h"

namespace tritonrl::sandbox::testing {
namespace {

// Asks CUDA itself, by its C interface.
constexpr const char* kCuda = R"(
def library():
    for folder in ['', '/usr/local/nvidia/lib64/', '/usr/local/nvidia/lib/']:
        try:
            return ctypes.CDLL(folder + 'libcuda.so.1')
        except OSError as error:
            last = error
    raise last
cuda = library()
def check(name, *arguments):
    result = getattr(cuda, name)(*arguments)
    if result:
        raise RuntimeError('%s: %d' % (name, result))
SIZE = 2 << 20
device, context, address, handle, fd = (ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_uint64(),
                                        ctypes.c_int(-1))
location = struct.pack('ii', 1, 0)
def start():
    check('cuInit', 0)
    check('cuDeviceGet', ctypes.byref(device), 0)
    check('cuDevicePrimaryCtxRetain', ctypes.byref(context), device)
    check('cuCtxSetCurrent', context)
def map_handle():
    check('cuMemAddressReserve', ctypes.byref(address), ctypes.c_size_t(SIZE), ctypes.c_size_t(0),
          ctypes.c_uint64(0), ctypes.c_uint64(0))
    check('cuMemMap', address, ctypes.c_size_t(SIZE), ctypes.c_size_t(0), handle, ctypes.c_uint64(0))
    check('cuMemSetAccess', address, ctypes.c_size_t(SIZE), location + struct.pack('i', 3), ctypes.c_size_t(1))
channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, 3)
)";

constexpr const char* kExport = R"(
start()
check('cuMemCreate', ctypes.byref(handle), ctypes.c_size_t(SIZE), struct.pack('ii', 1, 1) + location + bytes(16),
      ctypes.c_uint64(0))
map_handle()
check('cuMemsetD8_v2', address, ctypes.c_ubyte(77), ctypes.c_size_t(SIZE))
check('cuCtxSynchronize')
check('cuMemExportToShareableHandle', ctypes.byref(fd), handle, 1, ctypes.c_uint64(0))
socket.send_fds(channel, [(4).to_bytes(4, 'little') + b'here'], [fd.value])
read_frame()
)";

constexpr const char* kImport = R"(
header, descriptors, _, _ = socket.recv_fds(channel, 4, 64)
read_exactly(int.from_bytes(header, 'little'))
start()
check('cuMemImportFromShareableHandle', ctypes.byref(handle), ctypes.c_void_p(descriptors[0]), 1)
map_handle()
bytes_there = (ctypes.c_ubyte * SIZE)()
check('cuMemcpyDtoH_v2', bytes_there, address, ctypes.c_size_t(SIZE))
say('all there' if set(bytes_there) == {77} else 'other bytes')
)";

Policy gpu_policy(const Harness& harness, Level level) {
  Policy out = harness.policy(level);
  out.devices = gpu_devices();
  for (const std::string& path : gpu_readable()) out.readable.push_back(path);
  out.memory_bytes = std::int64_t{8} << 30;
  out.scratch_bytes = std::int64_t{256} << 20;
  out.wall_ms = 60'000;
  out.cpu_seconds = 60;
  return out;
}

class GpuTest : public AttackTest {
 protected:
  void SetUp() override {
    if (gpu_devices().empty()) GTEST_SKIP() << "this machine has no NVIDIA GPU";
    if (GetParam() == Level::kFull && best_level(probe(), /*devices=*/true) != Level::kFull) {
      GTEST_SKIP() << "this machine gives processes no /proc of their own";
    }
    AttackTest::SetUp();
  }
};

TEST_P(GpuTest, CudaStarts) {
  Harness harness;
  const std::string source = std::string(kCuda) + "start(); say('started')";
  const Result result = harness.run(gpu_policy(harness, GetParam()), source);
  if (result.said("started")) return;
  ADD_FAILURE() << describe(result);
  for (const auto& [name, off] : {std::pair{"namespaces", &Protections::namespaces},
                                  {"Landlock", &Protections::landlock},
                                  {"seccomp", &Protections::seccomp},
                                  {"limits", &Protections::limits}}) {
    Policy policy = gpu_policy(harness, GetParam());
    policy.protections.*off = false;
    const bool started = harness.run(policy, source).said("started");
    std::cout << "without " << name << " it " << (started ? "starts\n" : "does not start either\n");
  }
}

TEST_P(GpuTest, DeviceMemoryGoesFromOneProcessToAnother) {
  Harness harness;
  const Policy policy = gpu_policy(harness, GetParam());
  Job giver = harness.start(policy, std::string(kCuda) + kExport);
  const bool given = giver.receive() == "here";
  const std::vector<base::UniqueFd> memory = giver.take_descriptors();
  if (!given) giver.finish();
  ASSERT_TRUE(given) << giver.log();
  ASSERT_EQ(memory.size(), 1U);
  Job taker = harness.start(policy, std::string(kCuda) + kImport);
  ASSERT_TRUE(taker.send("take", std::array{memory[0].get()}));
  const std::optional<std::string> said = taker.receive();
  taker.finish();
  EXPECT_EQ(said, "all there") << taker.log();
  giver.send("done");
}

TRITONRL_ATTACK_LEVELS(GpuTest);

}  // namespace
}  // namespace tritonrl::sandbox::testing
