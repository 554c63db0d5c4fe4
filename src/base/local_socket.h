#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/unique_fd.h"

namespace tritonrl::base {

// Sockets between processes of one user on one machine. `who` speaks in errors.

// A folder for them that nobody else may enter; UserError where there is one that others may.
std::filesystem::path private_folder(const std::string& who);

// Listens on `path` with a socket of `type` (SOCK_STREAM, SOCK_SEQPACKET), in place of whoever did. Whoever finds it
// under its name can connect.
UniqueFd listen_at(const std::filesystem::path& path, int type, const std::string& who);

// None: nobody of this user's listens there.
UniqueFd connect_to(const std::filesystem::path& path, int type, const std::string& who);

// Whether a process of this user's is at the other end.
bool is_ours(int socket);

// Hands each peer of this user's that connects to `listener` to `talk`, on a thread of its own, so that one that says
// nothing holds up nobody; reading from it fails when nothing has come for ten seconds. Ends when none has come for
// `minutes` and all talks are over, or when a talk gives false.
void serve_peers(int listener, int minutes, const std::function<bool(int peer)>& talk);

}  // namespace tritonrl::base
