#include "train/spot_notice.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/error.h"
#include "base/files.h"
#include "tests/base/scratch_folder.h"
#include "tests/hub/http_server.h"

namespace tritonrl::train {
namespace {

using namespace std::chrono_literals;

bool comes_in_time(const SpotNotice& notice) {
  for (int i = 0; i < 500 && !notice.came(); ++i) std::this_thread::sleep_for(20ms);
  return notice.came();
}

TEST(SpotNotice, ComesWhenTheAddressStopsSayingNotFound) {
  std::atomic<int> status = 404;
  const hub::HttpServer server([&](const hub::ServedRequest&) { return hub::ServedAnswer{.status = status}; });
  std::vector<std::string> warnings;
  const SpotNotice notice(
      server.address() + "/latest/spot/instance-action", [&](const std::string& text) { warnings.push_back(text); },
      10ms);
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(notice.came());
  EXPECT_EQ(server.requests().front().target, "/latest/spot/instance-action");
  status = 200;
  EXPECT_TRUE(comes_in_time(notice));
  EXPECT_TRUE(warnings.empty());
}

TEST(SpotNotice, OtherAnswersAreNoneAndToldOnce) {
  std::atomic<int> status = 401;
  const hub::HttpServer server([&](const hub::ServedRequest&) { return hub::ServedAnswer{.status = status}; });
  std::vector<std::string> warnings;
  const SpotNotice notice(
      server.address(), [&](const std::string& text) { warnings.push_back(text); }, 5ms);
  while (server.requests().size() < 3) std::this_thread::sleep_for(5ms);
  EXPECT_FALSE(notice.came());
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("status 401"), std::string::npos) << warnings[0];
  status = 200;  // it was asked again all the same
  EXPECT_TRUE(comes_in_time(notice));
}

TEST(SpotNotice, AServerThatIsNotThereIsToldAndNoNotice) {
  std::string warning;
  const SpotNotice notice("http://127.0.0.1:1/x", [&](const std::string& text) { warning = text; });
  EXPECT_FALSE(notice.came());
  EXPECT_NE(warning.find("127.0.0.1:1"), std::string::npos) << warning;
  EXPECT_THROW(SpotNotice("http://", {}), base::UserError);
}

TEST(SpotNotice, AFileThatAppears) {
  const base::ScratchFolder folder;
  const SpotNotice notice(folder.path("notice"), {}), never("", {});
  EXPECT_FALSE(notice.came());
  base::write_file_atomically(folder.path("notice"), "soon");
  EXPECT_TRUE(notice.came());
  EXPECT_FALSE(never.came());
}

}  // namespace
}  // namespace tritonrl::train
