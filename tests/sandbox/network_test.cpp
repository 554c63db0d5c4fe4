#include "tests/sandbox/attacks.h"

namespace tritonrl::sandbox::testing {
namespace {

using P = Protections;
const Switches kEverything{&P::namespaces, &P::landlock, &P::seccomp};

bool contacted(World& world, const Result&) {
  return eventually([&] { return world.contacted(); }, 20);
}

std::vector<Attack> attacks() {
  return {
      {"connect by TCP", "attempt(lambda: socket.create_connection(('127.0.0.1', world['tcp']), 2))", kEverything,
       contacted},
      {"send by UDP",
       R"(
def go():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', world['udp']))
attempt(go)
)",
       {&P::namespaces, &P::seccomp},
       contacted},
      {"connect to a local socket",
       R"(
def go():
    socket.socket(socket.AF_UNIX).connect(world['socket'])
attempt(go)
)",
       {&P::seccomp},
       contacted},
      {"connect to an abstract socket", R"(
def go():
    socket.socket(socket.AF_UNIX).connect(b'\0' + world['abstract'].encode())
attempt(go)
)",
       kEverything, contacted},
      {"listen", R"(
def go():
    listener = socket.socket()
    listener.bind(('127.0.0.1', 0))
    listener.listen()
attempt(go)
)",
       kEverything, said_through},
      {"make a netlink socket",
       "attempt(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW) and None)",
       {&P::seccomp},
       said_through},
      {"make a pair of sockets", "attempt(lambda: socket.socketpair() and None)", {&P::seccomp}, said_through},
      {"send a descriptor to the judge",
       R"(
peer = []
def go():
    peer.append(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, 3))
    socket.send_fds(peer[0], [b'\0\0\0\0'], [0])
attempt(go)
)",
       {&P::seccomp},
       said_through},
  };
}

class NetworkTest : public AttackTest {};

TEST_P(NetworkTest, NobodyIsReached) {
  run_attacks(GetParam(), attacks());
}

TRITONRL_ATTACK_LEVELS(NetworkTest);

}  // namespace
}  // namespace tritonrl::sandbox::testing
