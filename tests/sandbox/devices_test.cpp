#include <sys/syscall.h>

#include "sandbox/gpu_access.h"
#include "sandbox/landlock.h"
#include "tests/sandbox/attacks.h"
#include "tests/sandbox/memfds.h"

namespace tritonrl::sandbox::testing {
namespace {

using P = Protections;
using Texts = std::vector<std::string>;

// Stands in for a GPU: a node that any user may open for writing and that nothing else in a policy grants.
constexpr const char* kDevice = "/dev/full";

void add_device(Policy& policy) {
  policy.devices = {kDevice, "/dev/no-such-device"};
}

class DevicesTest : public AttackTest {
 protected:
  Policy policy() const {
    Policy out = harness.policy(GetParam());
    add_device(out);
    return out;
  }
  Result run(const Policy& policy, const std::string& source) { return harness.run(policy, source); }

  Harness harness;
};

TEST_P(DevicesTest, NamedOnesAreOpenedForWritingAndNoOthers) {
  const std::string source = R"(
import errno, fcntl
def code(action):
    try:
        action()
    except OSError as error:
        return errno.errorcode[error.errno]
    return 'fine'
for path in ['/dev/full', '/dev/random']:
    say(code(lambda: os.open(path, os.O_RDWR)))
say(code(lambda: os.write(os.open('/dev/full', os.O_RDWR), b'x')))
)";
  EXPECT_EQ(run(policy(), source).messages, (Texts{"fine", "EACCES", "ENOSPC"}));
  EXPECT_EQ(run(harness.policy(GetParam()), source).messages, Texts(3, "EACCES"));
}

TEST_P(DevicesTest, TakeTheIoctlsOfTheDriverAndNoOthers) {
  const std::string source = R"(
import errno, fcntl
def code(path, request):
    try:
        fcntl.ioctl(os.open(path, os.O_RDONLY), request)
    except OSError as error:
        return errno.errorcode[error.errno]
    return 'fine'
GPU, MEMORY, INITIALIZE, ENTROPY, OWNER = 0xc0484600 | 0xd6, 0x21, 0x30000001, 0x80045200, 0x8901
device = world.get('device')
for request in [GPU, MEMORY, INITIALIZE, ENTROPY, OWNER]:
    say(code(device, request))
say(code('/dev/urandom', GPU))
)";
  const std::string elsewhere = landlock_abi() >= 5 ? "EACCES" : "ENOTTY";
  EXPECT_EQ(harness.run(policy(), source, R"({"device": "/dev/full"})").messages,
            (Texts{"ENOTTY", "ENOTTY", "ENOTTY", "EPERM", "EPERM", elsewhere}));
  EXPECT_EQ(harness.run(harness.policy(GetParam()), source, R"({"device": "/dev/null"})").messages, Texts(6, "EPERM"));
}

TEST_P(DevicesTest, MayBeFolders) {
  Policy in_folder = harness.policy(GetParam());
  in_folder.devices = {"/dev"};
  const Result result =
      run(in_folder, "say(str('full' in os.listdir('/dev'))); os.open('/dev/full', os.O_RDWR); say('fine')");
  EXPECT_EQ(result.messages, (Texts{"True", "fine"})) << describe(result);
}

TEST_P(DevicesTest, OtherFilesAreRefused) {
  Policy wrong = harness.policy(GetParam());
  wrong.devices = {harness.precious()};
  const Result result = run(wrong, "say('through')");
  EXPECT_FALSE(result.said("through"));
  EXPECT_EQ(result.exit.kind, Exit::Kind::kInfrastructure) << describe(result);
  EXPECT_NE(result.exit.message.find("neither a device"), std::string::npos) << describe(result);
}

TEST_P(DevicesTest, LeaveTheAddressSpaceUnlimitedAndResidentMemoryCounted) {
  const std::string reserve = R"(
attempt(lambda: mmap.mmap(-1, 1 << 42, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=0) and None)
)";
  EXPECT_TRUE(run(policy(), reserve).said("through"));
  EXPECT_FALSE(run(harness.policy(GetParam()), reserve).said("through"));

  Policy small = policy();
  small.memory_bytes = std::int64_t{128} << 20;
  const Result result = run(small, R"(
held = []
for _ in range(100):
    held.append(bytearray(b'x') * (16 << 20))
    time.sleep(0.005)
say('through')
)");
  EXPECT_FALSE(result.said("through"));
  EXPECT_EQ(result.exit.kind, Exit::Kind::kSignaled) << describe(result);
  EXPECT_NE(result.exit.message.find("bytes of memory"), std::string::npos) << describe(result);
}

// As CUDA does for its threads.
TEST_P(DevicesTest, LetAProcessNameItsThreads) {
  const std::string source = R"(
import errno
stop = threading.Event()
thread = threading.Thread(target=stop.wait)
thread.start()
for place in ['/proc/self', '/proc/%d' % os.getpid()]:
    path = '%s/task/%d/comm' % (place, thread.native_id)
    try:
        with open(path, 'r+') as file:
            file.write('event handler')
        say(open(path).read().strip())
    except OSError as error:
        say(errno.errorcode[error.errno])
stop.set()
)";
  EXPECT_EQ(run(policy(), source).messages, (Texts{"event handler", "event handler"}));
  const Result without = run(harness.policy(GetParam()), source);
  EXPECT_FALSE(without.said("event handler")) << describe(without);
}

// The mounts alone must keep the rest of /proc from root, and Landlock alone in a level without mounts.
TEST_P(DevicesTest, LeaveTheRestOfProcReadOnly) {
  const std::string source = R"(
for path in ['/proc/sys/kernel/core_pattern', '/proc/self/oom_score_adj', '/proc/self/comm']:
    attempt(lambda: os.close(os.open(path, os.O_WRONLY)))
)";
  Policy one = policy();
  if (GetParam() == Level::kFull) one.protections.landlock = false;
  const Result result = run(one, source);
  EXPECT_EQ(result.messages.size(), 3U) << describe(result);
  EXPECT_FALSE(result.said("through")) << describe(result);
}

TEST_P(DevicesTest, ComeWithAProcOfTheirOwn) {
  Policy reading = policy();
  for (const std::string& path : gpu_readable()) reading.readable.push_back(path);
  const Result result = run(reading, R"(
say(os.readlink('/proc/self/ns/pid')[:4])
say(str(len(open('/proc/self/status').read()) > 100 and len(open('/proc/self/maps').read()) > 100))
say(str('mem' in open('/proc/devices').read()))
say(str(os.path.isdir('/proc/driver')))
say(str(sum(os.path.exists('/proc/%d' % pid) for pid in range(1, 1 << 15)) == 1))
)");
  const std::string alone = GetParam() == Level::kFull ? "True" : "False";
  EXPECT_EQ(result.messages, (Texts{"pid:", "True", "True", "True", alone})) << describe(result);
}

TEST_P(DevicesTest, WhatAGpuNeedsIsReadable) {
  Policy reading = policy();
  std::string list;
  for (const std::string& path : gpu_readable()) {
    reading.readable.push_back(path);
    list += (list.empty() ? "\"" : ", \"") + path + "\"";
  }
  const Result result = harness.run(reading, R"(
for path in world['paths']:
    try:
        os.listdir(path) if os.path.isdir(path) else open(path).read(10)
    except OSError as error:
        say(path + ': ' + str(error))
say('done')
)",
                                    "{\"paths\": [" + list + "]}");
  EXPECT_EQ(result.messages, Texts{"done"}) << describe(result);
}

TEST_P(DevicesTest, AllowWhatTheDriverCalls) {
  const std::string source = R"(
import fcntl
def memory():
    fd = os.memfd_create('m', os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(fd, 1 << 20)
    mmap.mmap(fd, 1 << 20)[0] = 1
    fcntl.fcntl(fd, 1033, 1)  # F_ADD_SEALS, F_SEAL_SEAL
def pair():
    for kind in [socket.SOCK_STREAM, socket.SOCK_SEQPACKET]:
        one, other = socket.socketpair(socket.AF_UNIX, kind)
        socket.send_fds(one, [b'x'], [0])
        assert socket.recv_fds(other, 1, 1)[0] == b'x'
def offer():
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    listener.bind(b'\0cuda-uvmfd-test-%d' % os.getpid())
    listener.listen(16)
def timer():
    fd = call('timerfd_create', 1, 0)
    call('timerfd_settime', fd, 0, struct.pack('qqqq', 0, 0, 1, 0), None)
def placement():
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    call('syscall', world['set_mempolicy'], 0, None, 0)
for action in [memory, pair, offer, timer, placement]:
    attempt(action)
)";
  const std::string world = "{\"set_mempolicy\": " + std::to_string(SYS_set_mempolicy) + "}";
  const Result with = harness.run(policy(), source, world);
  EXPECT_EQ(with.messages, Texts(5, "through")) << describe(with);
  const Result without = harness.run(harness.policy(GetParam()), source, world);
  EXPECT_EQ(without.messages.size(), 5U) << describe(without);
  EXPECT_FALSE(without.said("through")) << describe(without);
}

std::vector<Attack> attacks() {
  const Switches everything{&P::namespaces, &P::landlock, &P::seccomp};
  const auto planted = [](World& world, const Result&) { return world.exists("planted"); };
  const auto contacted = [](World& world, const Result&) { return eventually([&] { return world.contacted(); }, 20); };
  const auto touched = [](World& world, const Result&) { return world.canary_touched(); };
  return {
      {"send by UDP",
       R"(
def go():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', world['udp']))
attempt(go)
)",
       {&P::namespaces, &P::seccomp},
       contacted,
       add_device},
      {"connect to a local socket",
       R"(
def go():
    socket.socket(socket.AF_UNIX).connect(world['socket'])
attempt(go)
)",
       {&P::seccomp},
       contacted,
       add_device},
      {"make sockets for datagrams",
       "attempt(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) and None)",
       {&P::seccomp},
       said_through,
       add_device},
      {"take connections",
       R"(
listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
listener.bind(b'\0mine-%d' % world['key'])
listener.listen()
listener.setblocking(False)
try:
    listener.accept()
except BlockingIOError:
    say('through')
except PermissionError:
    pass
)",
       {&P::seccomp},
       said_through,
       add_device},
      {"bind a path",
       R"(
def go():
    socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).bind(world['folder'] + '/planted')
attempt(go)
)",
       {&P::namespaces, &P::landlock},
       planted,
       add_device},
      {"move another process to one processor",
       "attempt(lambda: os.sched_setaffinity(world['canary'], {0}))",
       {&P::namespaces, &P::seccomp},
       touched,
       add_device},
      {"write outside",
       "attempt(lambda: open(world['folder'] + '/planted', 'w').write('x'))",
       {&P::namespaces, &P::landlock},
       planted,
       add_device},
      {"run a program", "attempt(lambda: subprocess.run(['/bin/true']) and None)", everything, said_through,
       add_device},
  };
}

TEST_P(DevicesTest, OpenNoWayOut) {
  run_attacks(GetParam(), attacks());
}

// The process's side of frames with descriptors.
constexpr const char* kChannel = R"(
channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, 3)
def take():
    header, descriptors, _, _ = socket.recv_fds(channel, 4, 64)
    return read_exactly(int.from_bytes(header, 'little')).decode(), descriptors
def give(text, descriptors):
    data = text.encode()
    socket.send_fds(channel, [len(data).to_bytes(4, 'little') + data], descriptors)
)";

TEST_P(DevicesTest, LetDescriptorsThroughTheChannel) {
  Job job = harness.start(policy(), std::string(kChannel) + R"(
text, descriptors = take()
say(text + ': ' + ' '.join(os.pread(fd, 100, 0).decode() for fd in descriptors))
mine = [os.memfd_create('mine') for _ in range(3)]
for number, fd in enumerate(mine):
    os.write(fd, b'mine%d' % number)
give('first', descriptors[::-1])
say('between')
give('second', mine)
)");
  const Memfds sent("sent", 3);
  ASSERT_TRUE(job.send("three", sent.numbers));
  EXPECT_EQ(job.receive(), "three: sent0 sent1 sent2");
  EXPECT_EQ(job.receive(), "first");
  EXPECT_EQ(job.receive(), "between");
  EXPECT_EQ(job.receive(), "second");
  EXPECT_EQ(texts_of(job.take_descriptors()), (Texts{"sent2", "sent1", "sent0", "mine0", "mine1", "mine2"}));
  EXPECT_EQ(job.receive(), std::nullopt);
  EXPECT_FALSE(job.malformed());
  EXPECT_EQ(job.finish().kind, Exit::Kind::kExited);
}

TEST_P(DevicesTest, AFloodOfDescriptorsIsMalformed) {
  const std::size_t before = open_descriptors();
  {
    Job job = harness.start(policy(), std::string(kChannel) + "while True:\n    give('more', [0] * 60)\n");
    int count = 0;
    while (job.receive()) ++count;
    EXPECT_EQ(count, 4);
    EXPECT_TRUE(job.malformed());
    // Or by itself: the kernel bounds how many are on their way.
    const Exit::Kind end = job.finish().kind;
    EXPECT_TRUE(end == Exit::Kind::kCancelled || end == Exit::Kind::kExited) << to_string(end);
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST_P(DevicesTest, DescriptorsForAProcessThatTakesNoneAreClosed) {
  Job job = harness.start(harness.policy(GetParam()),
                          R"(
say(read_frame().decode())
def is_open(number):
    try:
        return bool(os.fstat(number))
    except OSError:
        return False
say(str([number for number in range(300) if is_open(number)]))
)");
  const Memfds sent("sent", 3);
  ASSERT_TRUE(job.send("text", sent.numbers));
  EXPECT_EQ(job.receive(), "text");
  EXPECT_EQ(job.receive(), "[0, 1, 2, 3]");
  EXPECT_EQ(job.receive(), std::nullopt);
  EXPECT_TRUE(job.take_descriptors().empty());
  EXPECT_EQ(job.finish().kind, Exit::Kind::kExited);
}

TRITONRL_ATTACK_LEVELS(DevicesTest);

}  // namespace
}  // namespace tritonrl::sandbox::testing
