#include "runner/gpu_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"

namespace tritonrl::runner {

GpuLock::GpuLock(const std::string& gpu) {
  const std::string path = (std::filesystem::temp_directory_path() / ("tritonrl-gpu-" + gpu + ".lock")).string();
  constexpr mode_t kForAll = 0666;  // other users' processes use the same GPU
  constexpr int kHow = O_RDONLY | O_CLOEXEC | O_NOFOLLOW;
  // Linux may forbid to create what another user has in a folder for all, but not to open it.
  for (const int create : {0, O_CREAT, 0}) {
    file_.reset(::open(path.c_str(), kHow | create, kForAll));
    if (file_) break;
  }
  if (!file_) {
    throw base::UserError("device", path + ": " + std::strerror(errno) +
                                        "; this file keeps others from the GPU while time is measured: remove it or "
                                        "make it readable");
  }
}

GpuLock::Held::Held(const GpuLock& lock, Kind kind) : file_(lock.file_.get()) {
  become(kind);
}

GpuLock::Held::~Held() {
  ::flock(file_, LOCK_UN);
}

void GpuLock::Held::become(Kind kind) {
  while (::flock(file_, kind == Kind::kAlone ? LOCK_EX : LOCK_SH) != 0) {
    if (errno != EINTR)
      throw base::InfrastructureError("device", std::string("the GPU's lock: ") + std::strerror(errno));
  }
}

}  // namespace tritonrl::runner
