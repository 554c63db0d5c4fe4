#include "sandbox/enter_api.h"

#include <unistd.h>

#include <exception>
#include <memory>
#include <string_view>

#include "sandbox/confine.h"
#include "sandbox/keeper.h"

namespace {

using namespace tritonrl::sandbox;

// One job in a process: the zygote forks the keeper, which forks the child.
struct Entry {
  Policy policy;
  Enclosure enclosure;
};
std::unique_ptr<Entry> entry;

}  // namespace

extern "C" {

void tritonrl_isolate(const char* policy, int keeper) {
  try {
    entry = std::make_unique<Entry>();
    entry->policy = policy_from_json(policy);
    entry->enclosure = isolate(entry->policy);
  } catch (const std::exception& error) {
    end_keeper(keeper, {.kind = Exit::Kind::kInfrastructure, .message = error.what()});
  }
}

void tritonrl_keep(int child, int keeper) {
  try {
    keep(entry->policy, entry->enclosure, child, keeper);
  } catch (const std::exception& error) {
    end_keeper(keeper, {.kind = Exit::Kind::kInfrastructure, .message = error.what()});
  }
}

void tritonrl_confine(int channel, int log) {
  try {
    confine(entry->policy, entry->enclosure, channel, log);
  } catch (const std::exception& error) {
    const std::string_view text = error.what();
    if (write(entry->enclosure.status_write.get(), text.data(), text.size()) < 0) _exit(72);
    _exit(71);
  }
}
}
