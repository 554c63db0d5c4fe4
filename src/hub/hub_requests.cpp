#include "hub/hub_requests.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "hub/content_hash.h"

namespace tritonrl::hub {
namespace {

constexpr std::int64_t kListingIdleSeconds = 10;

std::string kind_name(const Repository& repository) {
  return repository.kind == Repository::Kind::kDataset ? "data set" : "model";
}

// What the server says to people, made fit for a line.
std::string own_words(const http::ClientHead& head) {
  std::string text = head.header("x-error-message").substr(0, 300);
  for (char& c : text) c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return text.empty() ? "" : ": " + text;
}

std::string unquoted(std::string etag) {
  if (etag.starts_with("W/")) etag.erase(0, 2);
  if (etag.size() >= 2 && etag.front() == '"' && etag.back() == '"') etag = etag.substr(1, etag.size() - 2);
  return etag;
}

std::optional<std::int64_t> number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

}  // namespace

http::ClientOptions client_options(const HubOptions& options) {
  return {.endpoint = options.endpoint,
          .token = options.token,
          .connect_ms = options.connect_ms,
          .who = "hub",
          .endpoint_source = "HF_ENDPOINT",
          .token_source = "the hub's token (HF_TOKEN, or its file)"};
}

http::Retry retry_of(const HubOptions& options, int most) {
  return http::Retry(options.retry_ms, most);
}

std::string explained(const http::ClientAnswer& answer, const Repository& repository, const HubOptions& options) {
  const std::string asked = "GET " + answer.where;
  if (answer.unreachable) {
    return "cannot reach the hub (" + asked + ": " + answer.problem + "); check the network, HF_ENDPOINT and proxies";
  }
  if (!answer.problem.empty()) return asked + " failed: " + answer.problem;
  const std::string what = kind_name(repository) + " \"" + repository.id + "\"";
  const std::string status =
      " (" + asked + " answered " + std::to_string(answer.last.status) + own_words(answer.last) + ")";
  const std::string code = answer.last.header("x-error-code");
  switch (answer.last.status) {
    case 401:
      return options.token.empty()
                 ? "the hub shows no " + what +
                       " without a token: it does not exist, or it is private or gated; check " +
                       "the name, or set HF_TOKEN" + status
                 : "the hub refuses the token for the " + what + ": renew HF_TOKEN, or check the name" + status;
    case 403:
      return "access to the " + what +
             " is restricted: accept its conditions on its page, and set HF_TOKEN to a token " + "of that account" +
             status;
    case 404:
      if (code == "RevisionNotFound") return what + " has no revision \"" + repository.revision + "\"" + status;
      return "the hub has no " + what + ", or not this file: check the name; a private one needs HF_TOKEN" + status;
    default:
      return "the hub gives nothing for the " + what + status;
  }
}

ListOutcome ask_listing(http::Client& client, const Repository& repository, const HubOptions& options, bool patient) {
  const std::string kind = repository.kind == Repository::Kind::kDataset ? "datasets/" : "models/";
  const http::ClientRequest request{.url = options.endpoint + "/api/" + kind + repository.id + "/revision/" +
                                           http::percent_encoded(repository.revision, "") + "?blobs=true",
                                    .idle_seconds = std::min(options.idle_seconds, kListingIdleSeconds)};
  std::string body;
  bool too_long = false;
  const http::BodyReader reader{.begin =
                                    [&](const http::ClientHead&) {
                                      body.clear();
                                      return true;
                                    },
                                .take =
                                    [&](std::string_view bytes) {
                                      too_long = body.size() + bytes.size() > kLongestListing;
                                      if (!too_long) body += bytes;
                                      return !too_long;
                                    }};
  http::Retry retry = retry_of(options, patient ? options.retries : 0);
  http::ClientAnswer answer;
  do {
    answer = client.ask(request, reader);
  } while (!answer.ok() && retry.again(answer));
  ListOutcome outcome;
  outcome.no_revision =
      answer.problem.empty() && answer.last.status == 404 && answer.last.header("x-error-code") == "RevisionNotFound";
  if (too_long) {
    outcome.problem = "GET " + answer.where + " answered more than a list of files can be";
  } else if (!answer.ok()) {
    outcome.problem = explained(answer, repository, options);
  } else {
    std::string why;
    outcome.listing = parse_listing(body, why);
    if (!outcome.listing) {
      outcome.problem = "GET " + answer.where + " did not answer as a hub does (" + why +
                        "); check HF_ENDPOINT, and that no login page of the network stands between";
    }
  }
  return outcome;
}

std::string file_url(const Repository& repository, const HubOptions& options, const std::string& commit,
                     const std::string& file) {
  const std::string kind = repository.kind == Repository::Kind::kDataset ? "/datasets/" : "/";
  return options.endpoint + kind + repository.id + "/resolve/" + commit + "/" + http::percent_encoded(file, "/");
}

RemoteFile describe_file(http::Client& client, const Repository& repository, const HubOptions& options,
                         const std::string& commit, const std::string& file) {
  http::Retry retry = retry_of(options, options.retries);
  http::ClientAnswer answer;
  do {
    answer = client.ask({.url = file_url(repository, options, commit, file),
                         .head_only = true,
                         .idle_seconds = std::min(options.idle_seconds, kListingIdleSeconds)},
                        {});
  } while (!(answer.problem.empty() && answer.last.status < 400) && retry.again(answer));
  if (!answer.problem.empty() || answer.last.status >= 400) {
    throw base::UserError("hub", explained(answer, repository, options));
  }
  RemoteFile out{.name = file};
  const http::ClientHead& head = answer.first;
  const std::string linked = head.header("x-linked-etag");
  out.etag = unquoted(linked.empty() ? head.header("etag") : linked);
  // The length of a redirect's own body says nothing.
  out.size = number(head.header("x-linked-size"));
  if (!out.size && head.status == 200) out.size = number(head.header("content-length"));
  if (!hash_kind(out.etag)) {
    throw base::UserError("hub",
                          "the server says no hash for " + file + " (" + answer.where +
                              ", neither X-Linked-Etag nor ETag), so it cannot be checked and is not downloaded");
  }
  return out;
}

}  // namespace tritonrl::hub
