#include "python/interpreter.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "tests/paths.h"

namespace tritonrl::python {
namespace {

namespace fs = std::filesystem;

TEST(VersionAtLeast, ComparesTheLeadingNumbers) {
  for (const char* version : {"2.11", "2.11.0", "2.13.0+cpu", "2.11.0a0+git1234", "2.100", "3.0", "10.1"}) {
    EXPECT_TRUE(version_at_least(version, 2, 11)) << version;
  }
  for (const char* version :
       {"2.10.9", "2.9.1+cu130", "2.1", "1.99", "0.0", "2", "", "v2.11", "two.eleven", "2..11", "-3.12"}) {
    EXPECT_FALSE(version_at_least(version, 2, 11)) << version;
  }
}

// A program that behaves as an interpreter would: it prints what the probe prints.
class Probe : public ::testing::Test {
 protected:
  Probe() { fs::create_directories(folder_); }
  ~Probe() override { fs::remove_all(folder_); }

  std::string script(const std::string& body) const {
    const fs::path path = folder_ / "python3";
    base::write_file_atomically(path, "#!/bin/sh\n" + body + "\n");
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }
  std::string reporting(const std::string& torch, const std::string& triton) const {
    return script(R"(echo '{"version": "3.12.1", "torch": ")" + torch + R"(", "triton": ")" + triton +
                  R"(", "paths": ["/usr"]}')");
  }
  static std::string error_of(const std::string& executable) {
    try {
      probe_interpreter(executable);
    } catch (const base::UserError& error) {
      return error.what();
    }
    return "no error";
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / ("tritonrl_probe_" + std::to_string(::getpid()));
};

constexpr const char* kFix = "; activate an environment with both, pass --python, or run scripts/setup.sh";

TEST_F(Probe, TakesWhatIsNewEnough) {
  const std::string python = reporting("2.11.0+cu130", "3.6.0");
  const Interpreter found = probe_interpreter(python);
  EXPECT_EQ(found.executable, python);
  EXPECT_EQ(found.version, "3.12.1");
  EXPECT_EQ(found.torch_version, "2.11.0+cu130");
  EXPECT_EQ(found.triton_version, "3.6.0");
  EXPECT_EQ(found.paths, std::vector<std::string>{"/usr"});
}

TEST_F(Probe, SaysWhatIsTooOldOrMissingAndTheFix) {
  const struct {
    const char *torch, *triton, *finding;
  } cases[] = {
      {"2.10.1", "3.6.0", ": torch is 2.10.1, and 2.11 or newer is needed"},
      {"", "", ": torch is missing, and 2.11 or newer is needed"},
      {"2.13.0", "3.5.1", ": triton is 3.5.1, and 3.6 or newer is needed"},
      {"2.13.0", "", ": triton is missing, and 3.6 or newer is needed"},
  };
  for (const auto& [torch, triton, finding] : cases) {
    const std::string python = reporting(torch, triton);
    EXPECT_EQ(error_of(python), "[python] " + python + finding + kFix);
  }
}

TEST_F(Probe, IsToldOfWhatIsTooOld) {
  const Interpreter found = read_interpreter(reporting("2.10.1", ""));
  EXPECT_EQ(found.torch_version, "2.10.1");
  EXPECT_EQ(found.triton_version, "");
  EXPECT_EQ(found.torch_folder, "");
}

TEST_F(Probe, NamesAnExecutableThatIsNotThere) {
  EXPECT_EQ(error_of("/no/such/python"), std::string("[python] /no/such/python: cannot be executed") + kFix);
  EXPECT_NE(error_of(folder_.string()).find("cannot be executed"), std::string::npos);
}

TEST_F(Probe, NamesAnExecutableThatIsNoPython) {
  for (const std::string& other : {std::string("/bin/true"), std::string("/bin/false"), script("echo hello"),
                                   script("echo '{}'; echo 'no module named json' >&2; exit 1")}) {
    EXPECT_EQ(error_of(other).find("[python] " + other + ": does not behave like Python"), 0u) << error_of(other);
  }
  EXPECT_NE(error_of(script("echo 'cannot import site' >&2; exit 1")).find("cannot import site"), std::string::npos);
}

TEST_F(Probe, TheInterpreterOfTheTestsIsGoodEnough) {
  const std::string python = test_python();
  if (python.empty()) GTEST_SKIP() << "the build was given no TRITONRL_PYTHON";
  const Interpreter found = probe_interpreter(python);
  EXPECT_TRUE(version_at_least(found.version, 3, 10)) << found.version;
  ASSERT_FALSE(found.paths.empty());
  for (const std::string& path : found.paths) EXPECT_TRUE(fs::exists(path)) << path;
  EXPECT_TRUE(fs::exists(fs::path(found.torch_folder) / "version.py")) << found.torch_folder;
}

}  // namespace
}  // namespace tritonrl::python
