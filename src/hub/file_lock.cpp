#include "hub/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

#include "base/error.h"
#include "hub/cache_folder.h"

namespace tritonrl::hub {

FileLock::FileLock(const std::filesystem::path& path) {
  make_folders(path.parent_path());
  fd_.reset(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!fd_) throw base::UserError("hub", base::system_message("cannot write the lock " + path.string()));
  int result = 0;
  do {
    result = ::flock(fd_.get(), LOCK_EX);
  } while (result != 0 && errno == EINTR);
  held_ = result == 0;
}

}  // namespace tritonrl::hub
