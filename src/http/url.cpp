#include "http/url.h"

#include <curl/curl.h>

#include "base/check.h"

namespace tritonrl::http {
namespace {

bool may_be_asked(CURLU* url) {
  char* scheme = nullptr;
  if (curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK) return false;
  const std::string text = scheme;
  curl_free(scheme);
  return text == "http" || text == "https";
}

}  // namespace

void Url::Free::operator()(Curl_URL* url) const {
  curl_url_cleanup(url);
}

std::optional<Url> Url::parse(const std::string& text) {
  Url url(curl_url());
  TRL_CHECK(url.url_, "no memory for an address");
  if (curl_url_set(url.url_.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) return std::nullopt;
  if (!may_be_asked(url.url_.get())) return std::nullopt;
  return url;
}

std::optional<Url> Url::redirected(const std::string& location) const {
  Url url(curl_url_dup(url_.get()));
  TRL_CHECK(url.url_, "no memory for an address");
  if (curl_url_set(url.url_.get(), CURLUPART_URL, location.c_str(), 0) != CURLUE_OK) return std::nullopt;
  if (!may_be_asked(url.url_.get())) return std::nullopt;
  if (part(CURLUPART_SCHEME) == "https" && url.part(CURLUPART_SCHEME) != "https") return std::nullopt;
  return url;
}

bool Url::same_origin(const Url& other) const {
  for (const int which : {CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT}) {
    if (part(which) != other.part(which)) return false;
  }
  return true;
}

std::string Url::part(int which) const {
  char* text = nullptr;
  if (curl_url_get(url_.get(), static_cast<CURLUPart>(which), &text, CURLU_DEFAULT_PORT) != CURLUE_OK) return "";
  std::string out = text;
  curl_free(text);
  if (which == CURLUPART_HOST) {
    for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::string Url::text() const {
  char* text = nullptr;
  TRL_CHECK(curl_url_get(url_.get(), CURLUPART_URL, &text, 0) == CURLUE_OK, "an address without text");
  std::string out = text;
  curl_free(text);
  return out;
}

std::string Url::shown() const {
  const Url copy(curl_url_dup(url_.get()));
  TRL_CHECK(copy.url_, "no memory for an address");
  for (const CURLUPart which : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY, CURLUPART_FRAGMENT}) {
    curl_url_set(copy.url_.get(), which, nullptr, 0);
  }
  return copy.text();
}

std::string percent_encoded(std::string_view text, std::string_view kept) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '_' || c == '.' || c == '~' || kept.find(c) != std::string_view::npos;
    if (plain) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

}  // namespace tritonrl::http
