#include "record/task_constants.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tritonrl::record {
namespace {

TEST(TaskConstants, ReplacesWhatStandsAloneAtTheStartOfALine) {
  const std::string source = "N = 3\nM: int = 4\nif N == 3:\n    N = 5\nNN = 7\nK=1\n";
  EXPECT_EQ(with_constants(source, {{"N", "8"}, {"K", "2"}, {"M", "9"}}),
            "N = 8\nM: int = 9\nif N == 3:\n    N = 5\nNN = 7\nK = 2\n");
  EXPECT_EQ(with_constants(source, {}), source);
}

TEST(TaskConstants, NamesWhatIsNotThere) {
  try {
    with_constants("N = 3\n", {{"ROWS", "8"}});
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("ROWS"), std::string::npos);
  }
}

}  // namespace
}  // namespace tritonrl::record
