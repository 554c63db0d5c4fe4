#include "sandbox/privileges.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/error.h"

namespace tritonrl::sandbox {

void forbid_new_privileges() {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) return;
  throw base::InfrastructureError("sandbox", base::system_message("no_new_privs"));
}

void drop_capabilities() {
  // Who may not shrink the bounding set has nothing that exec could give back: no_new_privs covers the rest.
  for (int capability = 0; capability < 64; ++capability) {
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno == EINVAL) break;
  }
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  if (syscall(SYS_capset, &header, sets.data()) != 0 || syscall(SYS_capget, &header, sets.data()) != 0) {
    throw base::InfrastructureError("sandbox", base::system_message("capset"));
  }
  for (const auto& set : sets) {
    if (set.effective | set.permitted | set.inheritable) {
      throw base::InfrastructureError("sandbox", "capabilities are left after dropping them");
    }
  }
}

}  // namespace tritonrl::sandbox
