#pragma once

#include <string>

#include "hub/cache_folder.h"
#include "hub/hub_requests.h"

namespace tritonrl::hub {

// Puts the content of `file` into the cache's blobs, unless it is there. UserError as hub::fetch says.
void download_blob(http::Client& client, const Repository& repository, const HubOptions& options,
                   const CacheFolder& folder, const std::string& commit, const RemoteFile& file,
                   const Transfer& transfer);

}  // namespace tritonrl::hub
