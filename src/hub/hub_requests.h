#pragma once

#include <optional>
#include <string>

#include "hub/http_client.h"
#include "hub/listing.h"

namespace tritonrl::hub {

// How often something is tried again, and after which pause.
class Retry {
 public:
  Retry(const HubOptions& options, int most)
      : pause_ms_(options.retry_ms), first_pause_ms_(options.retry_ms), most_(most) {}
  // Sleeps and says yes if the answer's problem may pass and there are attempts left. A server's own wish for a pause
  // is heeded, up to a minute.
  bool again(const HttpAnswer& answer);
  // After progress.
  void reset();

 private:
  std::int64_t pause_ms_, first_pause_ms_;
  int most_, tried_ = 0;
};

struct ListOutcome {
  std::optional<Listing> listing;
  std::string problem;       // for a person, where there is no listing
  bool no_revision = false;  // the server knows the repository and denies the revision
};

// Asks for a revision's commit and files. `patient`: tries again where that may help.
ListOutcome ask_listing(HttpClient& client, const Repository& repository, const HubOptions& options, bool patient);

// The address of a file.
std::string file_url(const Repository& repository, const HubOptions& options, const std::string& commit,
                     const std::string& file);

// Asks for digest and size of a file where the listing does not say them. UserError if that fails.
RemoteFile describe_file(HttpClient& client, const Repository& repository, const HubOptions& options,
                         const std::string& commit, const std::string& file);

// What a refused or broken request means to a person.
std::string explained(const HttpAnswer& answer, const Repository& repository, const HubOptions& options);

}  // namespace tritonrl::hub
