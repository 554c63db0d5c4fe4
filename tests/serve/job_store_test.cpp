#include "serve/job_store.h"

#include <gtest/gtest.h>

#include <set>

namespace tritonrl::serve {
namespace {

using namespace std::chrono_literals;

TEST(JobStore, KeepsResultsForTheirTime) {
  JobStore jobs(10, 60min);
  const JobStore::Clock::time_point start{};
  const std::string first = *jobs.add(start), second = *jobs.add(start);
  EXPECT_FALSE(jobs.find(first, start + 100h)->done);  // what is not done does not grow old
  jobs.finish(first, "1", start + 1h);
  jobs.finish(second, "2", start + 90min);
  EXPECT_EQ(jobs.find(first, start + 119min)->result, "1");
  EXPECT_FALSE(jobs.find(first, start + 2h));
  EXPECT_EQ(jobs.find(second, start + 2h)->result, "2");
  EXPECT_FALSE(jobs.find("", start));
}

TEST(JobStore, IsBounded) {
  JobStore jobs(3, 1min);
  const JobStore::Clock::time_point start{};
  std::set<std::string> names;
  for (int i = 0; i < 3; ++i) names.insert(*jobs.add(start));
  EXPECT_EQ(names.size(), 3U);
  EXPECT_EQ(names.begin()->size(), 32U);
  EXPECT_FALSE(jobs.add(start));
  jobs.remove(*names.begin());
  EXPECT_TRUE(jobs.add(start));
  for (const std::string& name : names) jobs.finish(name, "x", start);
  EXPECT_FALSE(jobs.add(start + 59s));
  EXPECT_TRUE(jobs.add(start + 60s));
  EXPECT_EQ(jobs.size(), 2U);
}

}  // namespace
}  // namespace tritonrl::serve
