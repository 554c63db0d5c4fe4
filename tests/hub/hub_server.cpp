#include "tests/hub/hub_server.h"

#include "base/json.h"
#include "hub/content_hash.h"

namespace tritonrl::hub {
namespace {

using base::Json;

std::string hash_of(HashKind kind, const std::string& content) {
  ContentHash hash(kind, static_cast<std::int64_t>(content.size()));
  hash.add(content);
  return hash.hex();
}

ServedAnswer json_answer(const Json& json) {
  return {.headers = {{"Content-Type", "application/json"}}, .body = json.dump()};
}

ServedAnswer not_found(const std::string& code) {
  return {.status = 404, .headers = {{"X-Error-Code", code}}, .body = "not found"};
}

std::string decoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// The content, or the part of it that was asked for.
ServedAnswer content(const ServedRequest& request, const std::string& bytes, const std::string& etag) {
  ServedAnswer answer{.headers = {{"ETag", "\"" + etag + "\""}, {"Accept-Ranges", "bytes"}}, .body = bytes};
  const std::string range = request.header("range");
  if (range.empty()) return answer;
  const std::size_t from = std::stoull(range.substr(std::string("bytes=").size()));
  if (from >= bytes.size())
    return {.status = 416, .headers = {{"Content-Range", "bytes */" + std::to_string(bytes.size())}}};
  answer.status = 206;
  answer.body = bytes.substr(from);
  answer.headers["Content-Range"] =
      "bytes " + std::to_string(from) + "-" + std::to_string(bytes.size() - 1) + "/" + std::to_string(bytes.size());
  return answer;
}

}  // namespace

std::string sha256_of(const std::string& content) {
  return hash_of(HashKind::kSha256, content);
}

std::string git_blob_of(const std::string& content) {
  return hash_of(HashKind::kGitBlob, content);
}

HubServer::HubServer(ServedRepository repository, int port)
    : repository_(std::move(repository)),
      far_([this](const ServedRequest& request) { return far_answer(request); }),
      near_([this](const ServedRequest& request) { return near_answer(request); }, port) {}

void HubServer::set_fault(Fault fault) {
  const std::lock_guard lock(mutex_);
  fault_ = std::move(fault);
}

void HubServer::set_far_fault(Fault fault) {
  const std::lock_guard lock(mutex_);
  far_fault_ = std::move(fault);
}

void HubServer::set_repository(ServedRepository repository) {
  const std::lock_guard lock(mutex_);
  repository_ = std::move(repository);
}

std::vector<ServedRequest> HubServer::transfers(const std::string& file) const {
  const bool large = [&] {
    const std::lock_guard lock(mutex_);
    return repository_.large.contains(file);
  }();
  std::vector<ServedRequest> out;
  for (const ServedRequest& request : large ? far_requests() : requests()) {
    if (request.method == "GET" && decoded(request.target).ends_with("/" + file)) out.push_back(request);
  }
  return out;
}

ServedAnswer HubServer::near_answer(const ServedRequest& request) const {
  const std::lock_guard lock(mutex_);
  const std::string api = "/api/" + repository_.path;
  const std::string place =
      repository_.path.starts_with("models/") ? repository_.path.substr(6) : "/" + repository_.path;
  const std::string target = decoded(request.target.substr(0, request.target.find('?')));
  ServedAnswer usual = not_found("RepoNotFound");
  if (target == api || target == api + "/revision/main" || target == api + "/revision/" + repository_.commit) {
    usual = listing();
  } else if (target.starts_with(api + "/revision/")) {
    usual = not_found("RevisionNotFound");
  } else if (target.starts_with(api + "/tree/")) {
    usual = tree();
  } else if (target.starts_with(place + "/resolve/")) {
    const std::string rest = target.substr(place.size() + std::string("/resolve/").size());
    usual = file(request, rest.substr(rest.find('/') + 1));
  }
  return fault_ ? fault_(request, usual) : usual;
}

ServedAnswer HubServer::listing() const {
  Json siblings = Json::array();
  for (const auto& [name, bytes] : repository_.files) {
    Json entry = {{"rfilename", name}};
    if (repository_.tells_hashes) entry.update({{"size", bytes.size()}, {"blobId", git_blob_of(bytes)}});
    siblings.push_back(entry);
  }
  for (const auto& [name, bytes] : repository_.large) {
    Json entry = {{"rfilename", name}};
    if (repository_.tells_hashes) {
      entry.update({{"size", bytes.size()},
                    {"blobId", std::string(40, '9')},
                    {"lfs", {{"sha256", sha256_of(bytes)}, {"size", bytes.size()}, {"pointerSize", 135}}}});
    }
    siblings.push_back(entry);
  }
  const std::string id = repository_.path.substr(repository_.path.find('/') + 1);
  return json_answer({{"id", id},
                      {"sha", repository_.commit},
                      {"private", false},
                      {"disabled", false},
                      {"downloads", 0},
                      {"likes", 0},
                      {"tags", Json::array()},
                      {"siblings", siblings}});
}

// What huggingface_hub asks for; our own client does not.
ServedAnswer HubServer::tree() const {
  Json entries = Json::array();
  for (const auto& [name, bytes] : repository_.files) {
    entries.push_back({{"type", "file"}, {"path", name}, {"size", bytes.size()}, {"oid", git_blob_of(bytes)}});
  }
  for (const auto& [name, bytes] : repository_.large) {
    entries.push_back({{"type", "file"},
                       {"path", name},
                       {"size", bytes.size()},
                       {"oid", std::string(40, '9')},
                       {"lfs", {{"oid", sha256_of(bytes)}, {"size", bytes.size()}, {"pointerSize", 135}}}});
  }
  return json_answer(entries);
}

ServedAnswer HubServer::file(const ServedRequest& request, const std::string& name) const {
  ServedAnswer answer = not_found("EntryNotFound");
  if (const auto found = repository_.files.find(name); found != repository_.files.end()) {
    answer = content(request, found->second, git_blob_of(found->second));
  } else if (const auto large = repository_.large.find(name); large != repository_.large.end()) {
    answer = {.status = 302,
              .headers = {{"Location", far_.address() + "/far/" + name},
                          {"ETag", "\"of the pointer\""},
                          {"X-Linked-Etag", "\"" + sha256_of(large->second) + "\""},
                          {"X-Linked-Size", std::to_string(large->second.size())}},
              .body = "Found. Redirecting"};
  }
  answer.headers["X-Repo-Commit"] = repository_.commit;
  return answer;
}

ServedAnswer HubServer::far_answer(const ServedRequest& request) const {
  const std::lock_guard lock(mutex_);
  const std::string name = decoded(request.target).substr(std::string("/far/").size());
  const auto large = repository_.large.find(name);
  const ServedAnswer usual =
      large == repository_.large.end() ? not_found("") : content(request, large->second, "of the other host");
  return far_fault_ ? far_fault_(request, usual) : usual;
}

}  // namespace tritonrl::hub
