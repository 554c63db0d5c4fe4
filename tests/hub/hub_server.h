#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "tests/hub/http_server.h"

namespace tritonrl::hub {

// A repository as a server of ours shows it. Files listed in `large` are sent by a second port, as the hub's are sent
// by another host.
struct ServedRepository {
  std::string path = "models/owner/name";  // "models/…" or "datasets/…"
  std::string commit = std::string(40, 'c');
  std::map<std::string, std::string> files = {};
  std::map<std::string, std::string> large = {};
  bool tells_hashes = true;  // in the list of files
};

// Speaks the hub's protocol. A test may look at each request first and answer in its own way.
class HubServer {
 public:
  // For an answer of its own; `usual` is what would be said otherwise.
  using Fault = std::function<ServedAnswer(const ServedRequest& request, const ServedAnswer& usual)>;

  explicit HubServer(ServedRepository repository, int port = 0);

  void set_fault(Fault fault);      // of the first port
  void set_far_fault(Fault fault);  // of the second
  void set_repository(ServedRepository repository);

  std::string address() const { return near_.address(); }
  std::vector<ServedRequest> requests() const { return near_.requests(); }
  std::vector<ServedRequest> far_requests() const { return far_.requests(); }
  // Requests for a file, to the port that sends it.
  std::vector<ServedRequest> transfers(const std::string& file) const;

 private:
  ServedAnswer near_answer(const ServedRequest& request) const;
  ServedAnswer far_answer(const ServedRequest& request) const;
  ServedAnswer listing() const;
  ServedAnswer tree() const;
  ServedAnswer file(const ServedRequest& request, const std::string& name) const;

  mutable std::mutex mutex_;
  ServedRepository repository_;
  Fault fault_, far_fault_;
  HttpServer far_, near_;
};

// As the hub computes them.
std::string sha256_of(const std::string& content);
std::string git_blob_of(const std::string& content);

}  // namespace tritonrl::hub
