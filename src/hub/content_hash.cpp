#include "hub/content_hash.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "base/check.h"

namespace tritonrl::hub {

std::optional<HashKind> hash_kind(std::string_view etag) {
  const bool is_hex =
      std::all_of(etag.begin(), etag.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  if (is_hex && etag.size() == 64) return HashKind::kSha256;
  if (is_hex && etag.size() == 40) return HashKind::kGitBlob;
  return std::nullopt;
}

void ContentHash::Free::operator()(evp_md_ctx_st* context) const {
  EVP_MD_CTX_free(context);
}

ContentHash::ContentHash(HashKind kind, std::int64_t size) : context_(EVP_MD_CTX_new()) {
  const EVP_MD* digest = kind == HashKind::kSha256 ? EVP_sha256() : EVP_sha1();
  TRL_CHECK(context_ && EVP_DigestInit_ex(context_.get(), digest, nullptr) == 1, "OpenSSL offers no such digest");
  if (kind == HashKind::kGitBlob) {
    const std::string head = "blob " + std::to_string(size);
    add({head.c_str(), head.size() + 1});
  }
}

void ContentHash::add(std::string_view bytes) {
  TRL_CHECK(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1, "OpenSSL's digest failed");
}

std::string ContentHash::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  TRL_CHECK(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1, "OpenSSL's digest failed");
  constexpr const char* kDigits = "0123456789abcdef";
  std::string out;
  for (unsigned i = 0; i < size; ++i) {
    out += kDigits[digest[i] >> 4];
    out += kDigits[digest[i] & 15];
  }
  return out;
}

}  // namespace tritonrl::hub
