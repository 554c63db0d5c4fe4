#include "train/rank_environment.h"

#include <gtest/gtest.h>

#include <map>

#include "base/error.h"

namespace tritonrl::train {
namespace {

using Launcher = RankEnvironment::Launcher;

std::optional<RankEnvironment> read(const std::map<std::string, std::string>& variables) {
  return rank_environment([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(RankEnvironment, NobodySpokeOfOthers) {
  EXPECT_FALSE(read({}));
  EXPECT_FALSE(read({{"WORLD_SIZE", ""}}));
  EXPECT_FALSE(read({{"WORLD_SIZE", "1"}}));                           // of some other program
  EXPECT_FALSE(read({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}));  // a batch script, not started by srun
}

TEST(RankEnvironment, OfTorchrun) {
  const auto ranks = read({{"WORLD_SIZE", "8"},
                           {"RANK", "5"},
                           {"LOCAL_RANK", "1"},
                           {"MASTER_ADDR", "10.0.0.1"},
                           {"MASTER_PORT", "1234"},
                           {"TORCHELASTIC_USE_AGENT_STORE", "True"},
                           {"TORCHELASTIC_RESTART_COUNT", "2"}});
  ASSERT_TRUE(ranks);
  EXPECT_EQ(ranks->launcher, Launcher::kTorchrun);
  EXPECT_EQ(std::tuple(ranks->rank, ranks->ranks, ranks->local_rank), std::tuple(5, 8, 1));
  EXPECT_EQ(ranks->host + ":" + std::to_string(ranks->port), "10.0.0.1:1234");
  EXPECT_TRUE(ranks->hosted);
  EXPECT_EQ(ranks->attempt, "2/");
}

TEST(RankEnvironment, OfMpirun) {
  std::map<std::string, std::string> variables = {{"OMPI_COMM_WORLD_SIZE", "4"},
                                                  {"OMPI_COMM_WORLD_RANK", "3"},
                                                  {"OMPI_COMM_WORLD_LOCAL_RANK", "3"},
                                                  {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}};
  const auto here = read(variables);
  ASSERT_TRUE(here);
  EXPECT_EQ(here->launcher, Launcher::kMpirun);
  EXPECT_EQ(here->host, "127.0.0.1");
  EXPECT_FALSE(here->hosted);
  variables["OMPI_COMM_WORLD_LOCAL_SIZE"] = "2";  // two machines
  EXPECT_EQ(read(variables)->host, "");
  variables["MASTER_ADDR"] = "first";
  EXPECT_EQ(read(variables)->host, "first");
}

TEST(RankEnvironment, OfSrun) {
  for (const auto& [list, first] : std::map<std::string, std::string>{
           {"node[03-07,09]", "node03"}, {"node[3,5]", "node3"}, {"a,b", "a"}, {"alone", "alone"}, {"x,y[1-2]", "x"}}) {
    const auto ranks = read(
        {{"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "1"}, {"SLURM_LOCALID", "0"}, {"SLURM_STEP_NODELIST", list}});
    ASSERT_TRUE(ranks);
    EXPECT_EQ(ranks->launcher, Launcher::kSrun);
    EXPECT_EQ(ranks->host, first);
    EXPECT_EQ(ranks->local_rank, 0);
  }
}

TEST(RankEnvironment, NamesTheVariableThatIsWrong) {
  const auto complaint = [](const std::map<std::string, std::string>& variables) -> std::string {
    try {
      read(variables);
    } catch (const base::UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(complaint({{"WORLD_SIZE", "many"}}).find("WORLD_SIZE=many"), std::string::npos);
  EXPECT_NE(complaint({{"WORLD_SIZE", "2"}}).find("RANK"), std::string::npos);
  EXPECT_NE(complaint({{"WORLD_SIZE", "2"}, {"RANK", "2"}, {"LOCAL_RANK", "0"}}).find("RANK is not below"),
            std::string::npos);
}

}  // namespace
}  // namespace tritonrl::train
