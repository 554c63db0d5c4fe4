#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/unique_fd.h"

namespace tritonrl::sandbox::testing {

// Stands in for device memory: a descriptor whose bytes tell which one it is.
base::UniqueFd memfd_of(const std::string& text);
std::string text_of(const base::UniqueFd& memfd);
std::vector<std::string> texts_of(const std::vector<base::UniqueFd>& memfds);

// `count` of them, named prefix0, prefix1, ...
struct Memfds {
  Memfds(const std::string& prefix, int count);

  std::vector<base::UniqueFd> owned;
  std::vector<int> numbers;
  std::vector<std::string> texts;
};

bool closes_on_exec(const base::UniqueFd& fd);

// A stream socketpair, blocking, as between a Job and its process.
std::pair<base::UniqueFd, base::UniqueFd> stream_pair();

// One call of sendmsg, with more descriptors than our own sender takes: the kernel takes 253.
void push_unchecked(int socket, std::string bytes, const std::vector<int>& descriptors);

// Descriptors that this process has open.
std::size_t open_descriptors();

}  // namespace tritonrl::sandbox::testing
