#pragma once

#include <optional>
#include <string>

#include "http/client.h"
#include "http/retry.h"
#include "hub/listing.h"

namespace tritonrl::hub {

http::ClientOptions client_options(const HubOptions& options);
http::Retry retry_of(const HubOptions& options, int most);

struct ListOutcome {
  std::optional<Listing> listing;
  std::string problem;       // for a person, where there is no listing
  bool no_revision = false;  // the server knows the repository and denies the revision
};

// Asks for a revision's commit and files. `patient`: tries again where that may help.
ListOutcome ask_listing(http::Client& client, const Repository& repository, const HubOptions& options, bool patient);

// The address of a file.
std::string file_url(const Repository& repository, const HubOptions& options, const std::string& commit,
                     const std::string& file);

// Asks for digest and size of a file where the listing does not say them. UserError if that fails.
RemoteFile describe_file(http::Client& client, const Repository& repository, const HubOptions& options,
                         const std::string& commit, const std::string& file);

// What a refused or broken request means to a person.
std::string explained(const http::ClientAnswer& answer, const Repository& repository, const HubOptions& options);

}  // namespace tritonrl::hub
