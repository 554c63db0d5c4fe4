#include <fstream>

#include "tests/sandbox/attacks.h"

namespace tritonrl::sandbox::testing {
namespace {

using P = Protections;
const Switches kEverything{&P::namespaces, &P::landlock, &P::seccomp};
const Switches kCalls{&P::namespaces, &P::seccomp};

// A signal may come a little after the process that sent it has ended.
bool dead(World& world, const Result&) {
  return eventually([&] { return world.canary_dead(); }, 150);
}
bool touched(World& world, const Result&) {
  return world.canary_touched();
}
bool learnt(World& world, const Result& result) {
  return result.said(world.secret());
}

std::vector<Attack> attacks_on_others() {
  return {
      {"kill", "attempt(lambda: os.kill(world['canary'], signal.SIGKILL))", kEverything, dead},
      {"stop", "attempt(lambda: os.kill(world['canary'], signal.SIGSTOP))", kEverything, dead},
      {"kill by a descriptor", R"(
attempt(lambda: signal.pidfd_send_signal(os.pidfd_open(world['canary']), signal.SIGKILL))
)",
       kEverything, dead},
      {"kill by a pipe", R"(
import fcntl
def go():
    F_SETSIG = 10
    near, far = os.pipe()
    fcntl.fcntl(near, fcntl.F_SETOWN, world['canary'])
    fcntl.fcntl(near, F_SETSIG, signal.SIGTERM)
    fcntl.fcntl(near, fcntl.F_SETFL, os.O_ASYNC)
    os.write(far, b'x')
    time.sleep(0.05)
attempt(go)
)",
       kEverything, dead},
      {"trace",
       R"(
PTRACE_SEIZE = 0x4206
attempt(lambda: call('ptrace', PTRACE_SEIZE, world['canary'], None, None))
time.sleep(0.02)
say(open('/proc/%d/status' % world['canary']).read())
)",
       kEverything,
       [](World&, const Result& result) { return result.said("through"); },
       nullptr,
       {Exit::Kind::kExited}},
      {"read memory", R"(
class Span(ctypes.Structure):
    _fields_ = [('base', ctypes.c_void_p), ('length', ctypes.c_size_t)]
def go():
    words = ctypes.create_string_buffer(8)
    here = Span(ctypes.addressof(words), 8)
    start = int(open('/proc/%d/maps' % world['canary']).read().split('-')[0], 16)
    there = Span(start, 8)
    call('process_vm_readv', world['canary'], ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
attempt(go)
)",
       kEverything, said_through},
      {"read the environment",
       "attempt(lambda: open('/proc/%d/environ' % world['canary']).read())",
       {&P::namespaces, &P::landlock},
       learnt},
      {"read the memory file",
       "attempt(lambda: open('/proc/%d/mem' % world['canary'], 'rb') and None)",
       {&P::namespaces, &P::landlock},
       said_through},
      {"read the command line",
       "attempt(lambda: 'sleep' in open('/proc/%d/cmdline' % world['canary']).read())",
       {&P::namespaces, &P::landlock},
       [](World&, const Result& result) { return result.said("True"); }},
      {"walk /proc",
       "attempt(lambda: str(world['canary']) in os.listdir('/proc'))",
       {&P::namespaces, &P::landlock},
       [](World&, const Result& result) { return result.said("True"); }},
      {"limit", "attempt(lambda: resource.prlimit(world['canary'], resource.RLIMIT_NOFILE, (3, 3)) and None)", kCalls,
       touched},
      {"slow down", "attempt(lambda: os.setpriority(os.PRIO_PROCESS, world['canary'], 19))", kCalls, touched},
      {"shared memory", "attempt(lambda: call('shmget', world['key'], 4096, 0o1666) and None)", kCalls,
       [](World& world, const Result&) { return world.shared_memory_made(); }},
  };
}

std::vector<Attack> attacks_on_itself() {
  return {
      {"survive its keeper",
       R"(
PR_SET_PDEATHSIG = 1
attempt(lambda: call('prctl', PR_SET_PDEATHSIG, 0, 0, 0, 0) and None)
)",
       {&P::seccomp},
       said_through},
      {"raise a limit",
       R"(
def go():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft - 1, hard))
attempt(go)
)",
       {&P::seccomp},
       said_through},
      {"run a program", R"(
attempt(lambda: os.execv('/bin/sh', ['sh', '-c', 'echo > ' + world['folder'] + '/planted']))
)",
       kEverything, [](World& world, const Result&) { return world.exists("planted"); }},
      {"file in memory", "attempt(lambda: os.memfd_create('x') and None)", {&P::seccomp}, said_through},
      {"new namespace",
       "attempt(lambda: call('unshare', 0x10000000) and None)",
       {&P::seccomp},
       said_through,
       // Landlock forbids mounts in any case; a kernel that gives no user namespaces has nothing to attack.
       nullptr},
      {"mount",
       R"(
CLONE_NEWUSER_NEWNS = 0x10020000
def go():
    call('unshare', CLONE_NEWUSER_NEWNS)
    call('mount', b'tmpfs', b'.', b'tmpfs', 0, None)
attempt(go)
)",
       {&P::seccomp, &P::landlock},
       said_through},
      {"io_uring",
       "attempt(lambda: call('syscall', 425, 1, ctypes.create_string_buffer(120)) and None)",
       {&P::seccomp},
       said_through},
      {"fork",
       R"(
made = 0
try:
    for _ in range(20):
        if os.fork() == 0:
            time.sleep(60)
        made += 1
except OSError:
    pass
say('through' if made else 'blocked')
)",
       {&P::seccomp},
       said_through},
      {"fork by vfork and exec",
       "attempt(lambda: subprocess.run(['/bin/true']) and None)",
       {&P::seccomp, &P::landlock},
       said_through},
  };
}

class ProcessesTest : public AttackTest {};

TEST_P(ProcessesTest, OthersAreOutOfReach) {
  std::vector<Attack> all = attacks_on_others();
  int scope = 0;
  std::ifstream("/proc/sys/kernel/yama/ptrace_scope") >> scope;
  // Yama protects the canary in place of the sandbox.
  if (scope > 0) std::erase_if(all, [](const Attack& attack) { return attack.name == "trace"; });
  run_attacks(GetParam(), all);
}

TEST_P(ProcessesTest, ItGetsNothingNew) {
  run_attacks(GetParam(), attacks_on_itself());
}

TEST_P(ProcessesTest, NothingOutlivesIt) {
  Harness harness;
  const std::string source = R"(
near, far = os.pipe()
try:
    if os.fork() == 0:
        try:
            os.setsid()
        except OSError:
            say('no session')
        if os.fork() == 0:
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
            os.close(3); os.close(1); os.close(2)
            os.write(far, b'x')
            time.sleep(60)
        os._exit(0)
    os.read(near, 1)
    say('a daemon runs')
except OSError as error:
    say('blocked: %s' % error)
)";
  Policy policy = harness.policy(GetParam());
  EXPECT_TRUE(harness.run(policy, source).said("blocked"));
  EXPECT_TRUE(harness.left_over().empty());

  policy.processes = true;
  const Result allowed = harness.run(policy, source);
  EXPECT_TRUE(allowed.said("a daemon runs") && allowed.said("no session")) << describe(allowed);
  EXPECT_TRUE(harness.left_over().empty());

  policy.protections.seccomp = false;
  const Result unfiltered = harness.run(policy, source);
  EXPECT_TRUE(unfiltered.said("a daemon runs") && !unfiltered.said("no session")) << describe(unfiltered);
  EXPECT_TRUE(harness.left_over().empty()) << "the keeper kills what it adopts";

  policy.protections.namespaces = false;
  policy.protections.group = false;
  EXPECT_TRUE(harness.run(policy, source).said("a daemon runs"));
  const std::vector<pid_t> left = harness.left_over();
  EXPECT_EQ(left.size(), 1U) << "without all that it survives";
  for (const pid_t pid : left) kill(pid, SIGKILL);
}

TEST_P(ProcessesTest, MayStartProgramsWhereThePolicySaysSo) {
  Harness harness;
  Policy policy = harness.policy(GetParam());
  policy.processes = true;
  policy.readable.insert(policy.readable.end(), {"/bin", "/usr/bin"});
  const Result result = harness.run(policy, R"(
say(subprocess.run(['/bin/sh', '-c', 'echo $(cat word); kill -0 $$ && echo alive'], capture_output=True, text=True,
                   input='').stdout if open('word', 'w').write('ran') else '')
attempt(lambda: open('/proc/1/environ') and None)
attempt(lambda: subprocess.Popen(['/bin/sleep', '60']) and None)
)");
  EXPECT_TRUE(result.said("ran\n")) << describe(result);
  EXPECT_EQ(result.exit.kind, Exit::Kind::kExited);
  EXPECT_TRUE(harness.left_over().empty());
}

TRITONRL_ATTACK_LEVELS(ProcessesTest);

}  // namespace
}  // namespace tritonrl::sandbox::testing
