#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace tritonrl::hub {

// The two digests by which the hub names contents.
enum class HashKind {
  kSha256,   // of the bytes: large files
  kGitBlob,  // SHA-1 as Git has it, of "blob <size>\0" and the bytes
};

// 64 lower-case hexadecimal digits are a SHA-256, 40 a Git blob; none: no digest at all.
std::optional<HashKind> hash_kind(std::string_view etag);

// Computed while bytes come.
class ContentHash {
 public:
  // `size` is that of the whole content: Git's digest begins with it.
  ContentHash(HashKind kind, std::int64_t size);
  void add(std::string_view bytes);
  // Of all bytes added; the object cannot be used further.
  std::string hex();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace tritonrl::hub
