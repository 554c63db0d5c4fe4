#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "base/unique_fd.h"

namespace tritonrl::sandbox::testing {

// What a test offers to be attacked, outside the sandbox: files, listeners, a process, a shared memory key.
class World {
 public:
  // `folder` must exist.
  explicit World(std::string folder);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // JSON for the attack's variable `world`.
  std::string json() const;
  std::string secret() const { return secret_; }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  // Questions about effects. Each also undoes the effect that it finds.
  bool exists(const std::string& name);  // a file that an attack planted
  bool victim_changed();                 // its bytes, its mode or its being there
  bool contacted();                      // any listener
  bool canary_dead();                    // or traced
  bool canary_touched();                 // its limits, priority or affinity
  bool shared_memory_made();
  bool in_dev_shm();

 private:
  void make_victim();
  void make_canary();
  void end_canary();

  std::string folder_, secret_;
  base::UniqueFd tcp_, local_, abstract_, udp_;
  int tcp_port_ = 0, udp_port_ = 0;
  pid_t canary_ = -1;
  int key_ = 0;
};

}  // namespace tritonrl::sandbox::testing
