#include <sys/socket.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "base/fields.h"
#include "base/local_socket.h"
#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/left_behind.h"
#include "cli/nursery_place.h"
#include "sandbox/nursery.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;
constexpr const char* kWarm = "warm";

struct WarmCommand {
  int minutes = 30;
  bool stop = false;
  void fields(base::FieldVisitor& field) {
    field("minutes", minutes, {.help = "end when no command has needed one for so long", .least = 1, .most = 1440});
    field("stop", stop, {.help = "end those that are kept"});
  }
};

void keep_warm(int minutes) {
  const fs::path path = nursery_path();
  base::UniqueFd reached = reach_left_behind(path, SOCK_SEQPACKET, kWarm, [&] {
    unsetenv(sandbox::kNurseryVariable);  // it would ask itself
    leave_behind(path, SOCK_SEQPACKET, kWarm, [&](int listener) { sandbox::serve_nursery(listener, minutes); });
  });
  std::cout << "interpreters stay warm until no command has needed one for " << minutes
            << " minutes; `tritonrl warm --stop` ends them before\n";
}

int end_warmth() {
  const base::UniqueFd reached = base::connect_to(nursery_path(), SOCK_SEQPACKET, kWarm);
  const bool ended = reached && sandbox::end_nursery(reached.get());
  std::cout << (ended ? "ended\n" : "there were none\n");
  return kDone;
}

}  // namespace

void add_warm_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<WarmCommand>();
  CLI::App* command = app.add_subcommand(
      "warm", "Keep interpreters ready: commands that record, judge or optimise begin seconds earlier");
  declare_fields(*command, *options);
  command->callback([options, &exit_code] {
    if (options->stop) {
      exit_code = end_warmth();
    } else {
      keep_warm(options->minutes);
      exit_code = kDone;
    }
  });
}

}  // namespace tritonrl::cli
