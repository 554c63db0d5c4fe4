#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "hub/cache_folder.h"
#include "hub/download_blob.h"
#include "hub/hub.h"
#include "hub/hub_requests.h"
#include "hub/listing.h"

namespace tritonrl::hub {
namespace {

namespace fs = std::filesystem;

// One call of `fetch`.
class Fetch {
 public:
  Fetch(const Repository& repository, const Choice& choose, const HubOptions& options, const Transfer& transfer)
      : repository_(repository),
        choose_(choose),
        options_(options),
        transfer_(transfer),
        folder_(repository, options) {}

  fs::path run() {
    std::string lacking;
    const std::optional<fs::path> cached = enough_in_cache(lacking);
    if (options_.offline) {
      if (cached) return *cached;
      throw base::UserError("hub", lacking + "; and HF_HUB_OFFLINE forbids to download it");
    }
    if (cached && is_commit(repository_.revision) && known_complete_) return *cached;
    http::Client client(client_options(options_));
    const ListOutcome outcome = ask_listing(client, repository_, options_, /*patient=*/!cached);
    if (outcome.listing) return complete(client, *outcome.listing);
    if (cached && !outcome.no_revision) return *cached;
    throw base::UserError("hub", outcome.problem + (outcome.no_revision ? "" : "; and " + lacking));
  }

 private:
  // A snapshot that serves without a server, or what it lacks.
  std::optional<fs::path> enough_in_cache(std::string& lacking) {
    const std::optional<fs::path> snapshot = cached_snapshot(repository_, options_, &lacking);
    if (!snapshot) return std::nullopt;
    const std::string commit = snapshot->filename().string();
    const std::optional<Listing> listing = stored_listing(folder_, commit);
    try {
      const std::vector<std::string> wanted = choose_(listing ? listing->names() : folder_.files(commit));
      const auto missing = std::find_if(wanted.begin(), wanted.end(), [&](const std::string& file) {
        const auto known = listing ? listing->files.at(file).size : std::nullopt;
        return !is_safe_path(file) || !folder_.has_file(commit, file, known);
      });
      known_complete_ = listing.has_value() && missing == wanted.end();
      if (missing == wanted.end() && !wanted.empty()) return *snapshot;
      lacking = snapshot->string() + (wanted.empty() ? " has no file that is wanted" : " lacks " + *missing);
    } catch (const base::UserError& error) {  // of the choice
      lacking = snapshot->string() + ": " + error.what();
    }
    return std::nullopt;
  }

  fs::path complete(http::Client& client, const Listing& listing) {
    const std::vector<std::string> wanted = choose_(listing.names());
    if (wanted.empty()) {
      throw base::UserError("hub", "\"" + repository_.id + "\" at " + options_.endpoint +
                                       " has none of the files that " + "are wanted of it (it has " +
                                       std::to_string(listing.files.size()) + " others)");
    }
    std::vector<RemoteFile> missing;
    for (const std::string& name : wanted) {
      if (!is_safe_path(name)) {
        throw base::UserError("hub", "\"" + repository_.id +
                                         "\" names a file that leads out of its folder, and is not " +
                                         "downloaded: " + http::percent_encoded(name, "/ "));
      }
      const RemoteFile& file = listing.files.at(name);
      if (!folder_.has_file(listing.commit, name, file.size)) missing.push_back(file);
    }
    if (missing.empty()) {
      note_quietly(listing);
      return folder_.snapshot(listing.commit);
    }
    store_listing(folder_, listing);
    for (RemoteFile& file : missing) {
      if (file.etag.empty()) file = describe_file(client, repository_, options_, listing.commit, file.name);
      download_blob(client, repository_, options_, folder_, listing.commit, file, transfer_);
    }
    // All at once, so that whoever looks without a network does not take a part for the whole.
    for (const RemoteFile& file : missing) folder_.link(listing.commit, file.name, file.etag);
    folder_.set_commit(listing.commit);
    return folder_.snapshot(listing.commit);
  }

  // Everything was there. The cache may belong to somebody else, and need not be written to.
  void note_quietly(const Listing& listing) const {
    try {
      store_listing(folder_, listing);
      folder_.set_commit(listing.commit);
    } catch (const base::UserError&) {
    }
  }

  const Repository& repository_;
  const Choice& choose_;
  const HubOptions& options_;
  const Transfer& transfer_;
  const CacheFolder folder_;
  bool known_complete_ = false;
};

}  // namespace

fs::path fetch_chosen(const Repository& repository, const Choice& choose, const HubOptions& options,
                      const Transfer& transfer) {
  HubOptions usable = options;
  while (usable.endpoint.ends_with('/')) usable.endpoint.pop_back();
  return Fetch(repository, choose, usable, transfer).run();
}

fs::path fetch(const Repository& repository, const std::function<bool(const std::string& file)>& wanted,
               const HubOptions& options, const Transfer& transfer) {
  const Choice choose = [&](const std::vector<std::string>& files) {
    std::vector<std::string> chosen;
    std::copy_if(files.begin(), files.end(), std::back_inserter(chosen), wanted);
    return chosen;
  };
  return fetch_chosen(repository, choose, options, transfer);
}

}  // namespace tritonrl::hub
