#pragma once

#include <cstdint>
#include <string>

#include "base/fields.h"

namespace tritonrl::serve {

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 8321;
  std::string token_file;
  bool open = false;
  std::string tasks;
  int workers = 0;
  int queue = 512;
  int queue_mb = 256;
  int body_mb = 16;
  int connections = 1024;
  int jobs = 4096;
  int job_minutes = 60;
  int prompts = 64;

  void fields(base::FieldVisitor& field) {
    field("host", host, {.help = "address to listen at; 0.0.0.0: all of this machine's, then with a token"});
    field("port", port, {.help = "TCP port; 0: any that is free", .least = 0, .most = 65535});
    field("token_file", token_file,
          {.help = "file with the word that requests must carry as `Authorization: Bearer` (default: TRITONRL_TOKEN; "
                   "neither: no token is asked for)"});
    field("open", open, {.help = "listen beyond this machine without a token"});
    field("tasks", tasks,
          {.help = "folder of tasks that requests may name; else they send the source. Nothing outside it is read"});
    field("workers", workers, {.help = "candidates judged at once (0: two a core)", .least = 0, .most = 4096});
    field("queue", queue,
          {.help = "candidates that may wait beside those; who comes beyond hears 429", .least = 1, .most = 1'000'000});
    field("queue_mb", queue_mb, {.help = "MiB of text that may wait", .least = 1, .most = 1 << 20});
    field("body_mb", body_mb, {.help = "MiB of one request; a longer one hears 413", .least = 1, .most = 1024});
    field("connections", connections, {.help = "connections at once", .least = 1, .most = 60'000});
    field("jobs", jobs, {.help = "jobs that are kept, done or not", .least = 1, .most = 1'000'000});
    field("job_minutes", job_minutes, {.help = "how long the result of a job is kept", .least = 1, .most = 10'080});
    field("prompts", prompts, {.help = "requests to the model that may wait", .least = 1, .most = 100'000});
  }
};

// Whether only this machine can reach the address.
bool is_loopback(const std::string& host);

}  // namespace tritonrl::serve
