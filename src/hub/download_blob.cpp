#include "hub/download_blob.h"

#include <unistd.h>

#include <cstdio>
#include <system_error>

#include "base/check.h"
#include "base/error.h"
#include "hub/file_lock.h"
#include "hub/part_file.h"

namespace tritonrl::hub {
namespace {

namespace fs = std::filesystem;

// A transfer that brought so much before it broke starts to count its attempts anew.
constexpr std::int64_t kProgress = std::int64_t{1} << 20;

// Where "bytes 5-9/10" begins; -1 if it is not said.
long long range_start(const std::string& content_range) {
  long long start = -1;
  return std::sscanf(content_range.c_str(), "bytes %lld-", &start) == 1 ? start : -1;
}

void require_room(const fs::path& folder, const RemoteFile& file, std::int64_t there) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (error || !file.size || static_cast<std::uintmax_t>(*file.size - there) <= space.available) return;
  throw base::UserError("hub", file.name + " needs " + std::to_string((*file.size - there) >> 20) + " MiB more, " +
                                   folder.string() + " has " + std::to_string(space.available >> 20) +
                                   "; make room, or set HF_HUB_CACHE");
}

// One file on its way into a part file.
class Download {
 public:
  Download(http::Client& client, const Repository& repository, const HubOptions& options, const std::string& commit,
           const RemoteFile& file, const Transfer& transfer, PartFile& part)
      : client_(client),
        repository_(repository),
        options_(options),
        url_(file_url(repository, options, commit, file.name)),
        file_(file),
        transfer_(transfer),
        part_(part) {}

  // All bytes, of whatever hash. UserError if they cannot be had.
  void run() {
    http::Retry retry = retry_of(options_, options_.retries);
    highest_ = part_.bytes();
    tell();
    while (!file_.size || part_.bytes() < *file_.size) {
      const std::int64_t before = part_.bytes();
      too_long_ = other_range_ = false;
      const http::ClientAnswer answer = request();
      if (answer.ok() && whole()) return;
      if (too_long_) return part_.restart();
      const bool past_the_end = answer.problem.empty() && answer.last.status == 416;
      // Without a size, only the hash can tell whether the part was all.
      if (past_the_end && !file_.size && before > 0) return;
      if (past_the_end || other_range_) {
        if (before == 0) fail(answer);
        part_.restart();
        continue;
      }
      if (part_.bytes() >= highest_ + kProgress) {
        highest_ = part_.bytes();
        retry.reset();
      }
      // A whole answer that is too short is as good as a broken connection.
      http::ClientAnswer judged = answer;
      if (answer.ok()) judged.problem = "the file ended early";
      if (!retry.again(judged)) fail(judged);
    }
  }

 private:
  bool whole() const { return !file_.size || part_.bytes() == *file_.size; }
  void tell() const {
    if (transfer_) transfer_(file_.name, part_.bytes(), file_.size.value_or(0));
  }

  http::ClientAnswer request() {
    const http::ClientRequest request{.url = url_, .from = part_.bytes(), .idle_seconds = options_.idle_seconds};
    return client_.ask(request, {.begin = [&](const http::ClientHead& head) { return begin(head); },
                                 .take = [&](std::string_view bytes) { return take(bytes); }});
  }

  bool begin(const http::ClientHead& head) {
    if (head.status == 206) {
      other_range_ = range_start(head.header("content-range")) != part_.bytes();
      return !other_range_;
    }
    if (part_.bytes() > 0) part_.restart();  // the server sends the file from its beginning
    return true;
  }

  bool take(std::string_view bytes) {
    too_long_ = file_.size && part_.bytes() + static_cast<std::int64_t>(bytes.size()) > *file_.size;
    if (too_long_) return false;
    part_.append(bytes);
    tell();
    return true;
  }

  [[noreturn]] void fail(const http::ClientAnswer& answer) const {
    throw base::UserError("hub", file_.name + ": " + explained(answer, repository_, options_) +
                                     (part_.bytes() > 0 ? "; what came is kept: run again to go on" : ""));
  }

  http::Client& client_;
  const Repository& repository_;
  const HubOptions& options_;
  const std::string url_;
  const RemoteFile& file_;
  const Transfer& transfer_;
  PartFile& part_;
  bool too_long_ = false, other_range_ = false;
  std::int64_t highest_ = 0;  // the part was so long once; a server that must begin anew each time makes no progress
};

}  // namespace

void download_blob(http::Client& client, const Repository& repository, const HubOptions& options,
                   const CacheFolder& folder, const std::string& commit, const RemoteFile& file,
                   const Transfer& transfer) {
  const std::optional<HashKind> kind = hash_kind(file.etag);
  TRL_CHECK(kind.has_value(), "a blob without a hash");
  const fs::path blob = folder.blob(file.etag);
  const FileLock lock(folder.lock(file.etag));
  if (is_file_of(blob, file.size)) return;  // another process was quicker
  make_folders(blob.parent_path());
  const std::string own = lock.held() ? "" : "." + std::to_string(::getpid());  // nobody else may write to ours
  PartFile part(blob.string() + own + ".incomplete", *kind, file.size);
  require_room(blob.parent_path(), file, part.bytes());
  std::string found;
  for (int attempt = 0; attempt < 2; ++attempt) {
    Download(client, repository, options, commit, file, transfer, part).run();
    found = part.hash();
    if (found == file.etag) {
      part.publish(blob);
      if (transfer) transfer(file.name, part.bytes(), part.bytes());
      return;
    }
    part.restart();
  }
  throw base::UserError("hub", file.name + " of " + repository.id + " came twice with the wrong content (hash " +
                                   found + ", the hub says " + file.etag +
                                   "); the connection or HF_ENDPOINT's server is at fault");
}

}  // namespace tritonrl::hub
