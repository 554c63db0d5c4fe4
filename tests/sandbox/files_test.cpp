#include <filesystem>

#include "tests/sandbox/attacks.h"

namespace tritonrl::sandbox::testing {
namespace {

using P = Protections;
const Switches kPlaces{&P::namespaces, &P::landlock};
const Switches kReading{&P::landlock};
const Switches kEverything{&P::namespaces, &P::landlock, &P::seccomp};

bool planted(World& world, const Result&) {
  return world.exists("planted");
}
bool changed(World& world, const Result&) {
  return world.victim_changed();
}
bool learnt(World& world, const Result& result) {
  return result.said(world.secret());
}

std::vector<Attack> attacks() {
  return {
      {"write", "attempt(lambda: open(world['folder'] + '/planted', 'w').write('x'))", kPlaces, planted},
      {"make a folder", "attempt(lambda: os.mkdir(world['folder'] + '/planted'))", kPlaces, planted},
      {"make a link", "attempt(lambda: os.symlink('/', world['folder'] + '/planted'))", kPlaces, planted},
      {"move out of the scratch", R"(
open('mine', 'w').write('x')
attempt(lambda: os.rename('mine', world['folder'] + '/planted'))
)",
       kPlaces, planted},
      {"hard link out of the scratch", R"(
open('mine', 'w').write('x')
attempt(lambda: os.link('mine', world['folder'] + '/planted'))
)",
       kEverything, planted},
      {"overwrite", "attempt(lambda: open(world['victim'], 'r+').write('x'))", kPlaces, changed},
      {"remove", "attempt(lambda: os.unlink(world['victim']))", kPlaces, changed},
      {"truncate", "attempt(lambda: os.truncate(world['victim'], 0))", kEverything, changed},
      {"truncate by reading", "attempt(lambda: os.open(world['victim'], os.O_RDONLY | os.O_TRUNC))", kEverything,
       changed},
      {"change the mode", "attempt(lambda: os.chmod(world['victim'], 0o777))", {&P::namespaces, &P::seccomp}, changed},
      {"read", "attempt(lambda: open(world['secret_file']).read())", kReading, learnt},
      {"read by a link", R"(
os.symlink(world['secret_file'], 'link')
attempt(lambda: open('link').read())
)",
       kReading, learnt},
      {"read by the root of the process", "attempt(lambda: open('/proc/self/root' + world['secret_file']).read())",
       kPlaces, learnt},
      {"list", "attempt(lambda: os.listdir(world['folder']))", kReading,
       [](World&, const Result& result) { return result.said("secret"); }},
      {"shared memory file", "attempt(lambda: open(world['shm_file'], 'w').write('x'))", kPlaces,
       [](World& world, const Result&) { return world.in_dev_shm(); }},
  };
}

class FilesTest : public AttackTest {};

TEST_P(FilesTest, NothingOutsideIsReadOrChanged) {
  run_attacks(GetParam(), attacks());
}

TEST_P(FilesTest, ScratchIsPrivateWritableAndHome) {
  Harness harness;
  const Result result = harness.run(harness.policy(GetParam()), R"(
say(str(os.environ['HOME'] == os.environ['TMPDIR'] == tempfile.gettempdir() == os.getcwd()))
say(oct(os.stat('.').st_mode & 0o777))
say(str(os.listdir('.')))
os.mkdir('a'); open('a/b', 'w').write('text'); os.rename('a/b', 'c')
with tempfile.NamedTemporaryFile() as file:
    file.write(b'x'); file.flush()
say(open('c').read() + str(sorted(os.listdir('.'))))
say(open('/dev/null').read() + str(len(open('/dev/urandom', 'rb').read(3))) + str(len(open('/dev/zero', 'rb').read(2))))
# Where /proc is masked, as in containers, there is none to be had.
say(str(not os.path.exists('/proc/self') or len(open('/proc/self/maps').read()) > 9))
import decimal, xml.dom.minidom
say(str(decimal.Decimal(1)))
)");
  const std::vector<std::string> expected{"True", "0o700", "[]", "text['a', 'c']", "32", "True", "1"};
  EXPECT_EQ(result.messages, expected) << describe(result);
  EXPECT_EQ(harness.scratch_left(), std::vector<std::string>{});
}

TEST_P(FilesTest, WhatIsNamedIsReadable) {
  Harness harness;
  std::filesystem::create_directory(harness.folder() + "/world");
  World world(harness.folder() + "/world");
  Policy policy = harness.policy(GetParam());
  policy.readable.push_back(world.path("secret"));
  policy.readable.push_back(world.path("missing"));
  const Result result = harness.run(policy, "attempt(lambda: open(world['secret_file']).read())", world.json());
  EXPECT_TRUE(result.said(world.secret())) << describe(result);
}

TRITONRL_ATTACK_LEVELS(FilesTest);

}  // namespace
}  // namespace tritonrl::sandbox::testing
