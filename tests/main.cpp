#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

// One program holds the tests of many files. `--files a_test.cpp b_test.cpp`, each path as in the checkout, runs those
// of some: an entry of ctest each. A file without tests, and a run without any, is a failure: nobody would notice
// otherwise.
namespace {

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// GoogleTest's filter for the tests of one file; empty when it has none.
std::string tests_of(std::string_view file) {
  const auto& program = *::testing::UnitTest::GetInstance();
  std::string filter;
  for (int s = 0; s < program.total_test_suite_count(); ++s) {
    const auto& suite = *program.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const auto& test = *suite.GetTestInfo(t);
      if (ends_with(test.file(), file)) filter += std::string(suite.name()) + "." + test.name() + ":";
    }
  }
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string everything = ::testing::GTEST_FLAG(filter);
  ::testing::InitGoogleTest(&argc, argv);
  std::string filter;
  if (argc > 1 && std::string_view(argv[1]) == "--files") {
    for (const std::string_view file : std::vector<std::string_view>(argv + 2, argv + argc)) {
      const std::string found = tests_of(file);
      if (found.empty()) {
        std::fprintf(stderr, "no test here comes from %s\n", std::string(file).c_str());
        return 1;
      }
      filter += found;
    }
  } else if (argc > 1) {
    std::fprintf(stderr, "unknown argument %s; wanted: --files FILE...\n", argv[1]);
    return 1;
  }
  // A filter of the user's own is about one of them, and wins.
  if (!filter.empty() && ::testing::GTEST_FLAG(filter) == everything) ::testing::GTEST_FLAG(filter) = filter;
  const int failed = RUN_ALL_TESTS();
  if (failed == 0 && !::testing::GTEST_FLAG(list_tests) &&
      ::testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
    std::fprintf(stderr, "no test was run\n");
    return 1;
  }
  return failed;
}
