#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <dlfcn.h>

#include <cstring>

#include "base/check.h"
#include "base/error.h"
#include "train/communicator.h"
#include "train/rank_watch.h"

namespace tritonrl::train {
namespace {

// The few functions of NCCL's C interface that are needed, by name: the library comes with torch's CUDA build and is
// loaded by it, its header does not always. Numbers and layouts are those of nccl.h, stable since NCCL 2.
class Nccl {
 public:
  struct UniqueId {
    char internal[128];
  };
  enum DataType : int { kFloat32 = 7 };
  enum Operation : int { kSum = 0, kMax = 2 };
  using Comm = void*;
  using Stream = void*;

  Nccl() {
    void* const library = ::dlopen("libnccl.so.2", RTLD_NOW);
    if (library == nullptr)
      throw base::UserError(
          "train", std::string("several ranks on GPUs need NCCL, which torch's CUDA build brings: ") + ::dlerror());
    load(library, "ncclGetUniqueId", get_unique_id);
    load(library, "ncclCommInitRank", comm_init_rank);
    load(library, "ncclAllReduce", all_reduce);
    load(library, "ncclCommDestroy", comm_destroy);
    load(library, "ncclGetErrorString", error_string);
  }

  void check(int result, const char* what) const {
    if (result != 0)
      throw base::InfrastructureError("train",
                                      std::string(what) + ": " + error_string(result) + "; NCCL_DEBUG=INFO says more");
  }

  int (*get_unique_id)(UniqueId*) = nullptr;
  int (*comm_init_rank)(Comm*, int ranks, UniqueId, int rank) = nullptr;
  int (*all_reduce)(const void* from, void* to, std::size_t count, DataType, Operation, Comm, Stream) = nullptr;
  int (*comm_destroy)(Comm) = nullptr;
  const char* (*error_string)(int) = nullptr;

 private:
  template <typename Function>
  static void load(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    if (function == nullptr) throw base::UserError("train", std::string("libnccl.so.2 has no ") + name);
  }
};

class NcclProcesses : public Communicator {
 public:
  NcclProcesses(const RankEnvironment& environment, c10::Device device)
      : environment_(environment), device_(device), watch_(environment) {
    if (device.is_cuda()) c10::impl::VirtualGuardImpl(device.type()).setDevice(device);
    Nccl::UniqueId id{};
    if (first()) nccl_.check(nccl_.get_unique_id(&id), "ncclGetUniqueId");
    const std::string told = watch_.from_first(first() ? std::string(id.internal, sizeof(id.internal)) : "");
    TRL_CHECK(told.size() == sizeof(id.internal), "an identity of another length");
    std::memcpy(id.internal, told.data(), told.size());
    nccl_.check(nccl_.comm_init_rank(&comm_, ranks(), id, rank()), "ncclCommInitRank");
    flag_ = at::full({1}, 0, at::TensorOptions().dtype(at::kFloat).device(device));
  }
  ~NcclProcesses() override {
    watch_.stop();
    try {
      barrier();                       // nobody looks at the store any more: the first rank's may go
    } catch (const std::exception&) {  // a rank that is gone is no reason not to end
    }
    nccl_.comm_destroy(comm_);
  }
  NcclProcesses(const NcclProcesses&) = delete;
  NcclProcesses& operator=(const NcclProcesses&) = delete;

  int rank() const override { return environment_.rank; }
  int ranks() const override { return environment_.ranks; }

  void sum(at::Tensor& tensor) override { reduce(tensor, Nccl::kSum); }

  bool any(bool value) override {
    flag_.fill_(value ? 1 : 0);
    reduce(flag_, Nccl::kMax);
    return flag_.item<float>() != 0;  // waits
  }

  void barrier() override { any(false); }

  void abandon(const std::string& why) override { watch_.abandon(why); }

 private:
  void reduce(at::Tensor& tensor, Nccl::Operation operation) {
    TRL_CHECK(tensor.scalar_type() == at::kFloat && tensor.is_contiguous() && tensor.device() == device_,
              "float32 tensors of this rank's device are exchanged");
    // all of ours runs on the default stream, which CUDA knows as null
    TRL_CHECK(!device_.is_cuda() || c10::impl::VirtualGuardImpl(device_.type()).getStream(device_).id() == 0,
              "training on another stream than the default one");
    void* const data = tensor.mutable_data_ptr();
    nccl_.check(nccl_.all_reduce(data, data, static_cast<std::size_t>(tensor.numel()), Nccl::kFloat32, operation, comm_,
                                 nullptr),
                "ncclAllReduce");
  }

  const RankEnvironment environment_;
  const c10::Device device_;
  RankWatch watch_;
  Nccl nccl_;
  Nccl::Comm comm_ = nullptr;
  at::Tensor flag_;
};

}  // namespace

std::unique_ptr<Communicator> nccl_processes(const RankEnvironment& environment, c10::Device device) {
  return std::make_unique<NcclProcesses>(environment, device);
}

}  // namespace tritonrl::train
