#include "track/event_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "base/error.h"
#include "base/files.h"
#include "track/event_message.h"

namespace tritonrl::track {
namespace {

double system_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string host_name() {
  char name[256] = "";
  return ::gethostname(name, sizeof(name) - 1) == 0 && name[0] != '\0' ? name : "localhost";
}

}  // namespace

EventFile::EventFile(const std::filesystem::path& folder, const EventFileOptions& options)
    : clock_(options.clock ? options.clock : system_seconds) {
  const double now = clock_();
  // Readers take files in the order of their names: seconds with as many digits for centuries, then a number where two
  // are begun in one second.
  const std::string name = "events.out.tfevents." + std::to_string(static_cast<std::int64_t>(now)) + "." + host_name() +
                           "." + std::to_string(::getpid());
  for (int number = 0; !fd_; ++number) {
    path_ = folder / (name + "." + std::to_string(number));
    base::make_folder_of(path_);
    fd_.reset(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!fd_ && errno != EEXIST)
      throw base::UserError("track", base::system_message("cannot write " + path_.string()) + "; choose another place");
  }
  write(version_event(now));
  if (options.last_step) write(restart_event(now, *options.last_step + 1));
}

void EventFile::scalars(std::int64_t step, const Values& values) {
  write(scalars_event(clock_(), step, values));
}

void EventFile::text(std::int64_t step, const std::string& tag, const std::string& text) {
  write(text_event(clock_(), step, tag, text));
}

void EventFile::sync() {
  if (::fsync(fd_.get()) != 0) throw base::UserError("track", base::system_message("cannot write " + path_.string()));
}

void EventFile::write(const std::string& event) {
  base::write_all(fd_.get(), framed_record(event), path_);
}

}  // namespace tritonrl::track
