#include "report/report.h"

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "report/page/page.h"
#include "tests/base/scratch_folder.h"
#include "tests/report/found_text.h"
#include "tests/report/made_files.h"

namespace tritonrl::report {
namespace {

using testing::make_evaluation;
using testing::make_rl_run;
using testing::make_sft_run;

std::string sections_of(const Document& document) {
  std::string out;
  for (const Section& section : document.sections) out += (out.empty() ? "" : " ") + section.id;
  return out;
}

class ReportTest : public ::testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return folder_.path(name); }
  base::ScratchFolder folder_;
};

TEST_F(ReportTest, EachKindOfMaterialGivesItsParts) {
  make_sft_run(path("runs/sft"), 60);
  make_rl_run(path("runs/grpo"), {.rounds = 8});
  make_evaluation(path("eval_base.json"), {.skill = 0.3});
  make_evaluation(path("eval_rl.json"), {.skill = 0.9});
  EXPECT_EQ(sections_of(make_report({.runs = {path("runs/sft")}})), "summary curves cost origin");
  EXPECT_EQ(sections_of(make_report({.runs = {path("runs/grpo")}})),
            "summary funnel curves curriculum speed-ups failures kernels suspicious cost origin");
  EXPECT_EQ(sections_of(make_report({.evaluations = {path("eval_base.json")}})),
            "summary evaluations published funnel speed-ups failures kernels origin");
  const Document all = make_report({.runs = {path("runs/sft"), path("runs/grpo"), path("runs/grpo")},
                                    .evaluations = {path("eval_base.json"), path("eval_rl.json")}});
  EXPECT_EQ(
      sections_of(all),
      "summary evaluations published funnel curves curriculum speed-ups failures kernels suspicious ablations cost "
      "origin");
  EXPECT_EQ(all.title, "sft, grpo, grpo (2)");
}

TEST_F(ReportTest, NothingToReportIsSaid) {
  EXPECT_THROW(make_report({}), base::UserError);
  EXPECT_THROW(make_report({.runs = {path("nothing")}}), base::UserError);
  EXPECT_THROW(make_report({.evaluations = {path("nothing.json")}}), base::UserError);
}

TEST_F(ReportTest, ARunOfNothingIsAReport) {
  std::filesystem::create_directories(path("run"));
  base::write_file_atomically(path("run") / "metrics.jsonl", "");
  const Document document = make_report({.runs = {path("run")}});
  EXPECT_EQ(sections_of(document), "summary");
  EXPECT_NE(html_page(document).find("has no manifest.json"), std::string::npos);
  EXPECT_FALSE(markdown_page(document).empty());
}

TEST_F(ReportTest, ValuesThatAreNoNumbersAreLeftOut) {
  std::filesystem::create_directories(path("run"));
  base::write_file_atomically(path("run") / "metrics.jsonl",
                              "{\"step\":1,\"loss\":null,\"seconds\":null,\"level2_share\":null,\"kind/wrong\":null}\n"
                              "{\"step\":1,\"loss\":1e308,\"reward_mean\":-1e308,\"kind/wrong\":1e308}\n"
                              "{\"step\":9000000000000000000,\"loss\":-1e308,\"rule/x\":null,\"kind/wrong\":1e308}\n");
  const std::string page = html_page(make_report({.runs = {path("run")}}));
  EXPECT_EQ(page.find("=\"nan"), std::string::npos);
  EXPECT_EQ(page.find("=\"inf"), std::string::npos);
  EXPECT_EQ(page.find("=\"-inf"), std::string::npos);
}

// Models, data and paths may be called anything: none of it becomes markup.
TEST_F(ReportTest, HostileTextStaysText) {
  const std::string hostile = "</pre></script><script>alert(1)</script><img src=x onerror=alert(2)>\" ' ``` \x1b[2J";
  make_rl_run(path("run"), {.rounds = 6, .hostile = hostile});
  make_evaluation(path("eval_a.json"), {.hostile = hostile});
  make_evaluation(path("eval_b.json"), {.skill = 0.8, .hostile = hostile});
  const Document document =
      make_report({.runs = {path("run")}, .evaluations = {path("eval_a.json"), path("eval_b.json")}, .title = hostile});
  const std::string page = html_page(document);
  EXPECT_GT(count_of(page, "&lt;script&gt;alert(1)"), 20u);
  EXPECT_EQ(count_of(page, "<script"), 0u);
  EXPECT_EQ(count_of(page, "<img"), 0u);
  EXPECT_EQ(count_of(page, "\x1b"), 0u);
  EXPECT_EQ(count_of(page, "</pre>"), count_of(page, "<pre"));
  const std::string markdown = markdown_page(document);
  EXPECT_EQ(count_of(markdown, "\x1b"), 0u);
  EXPECT_EQ(count_of(unfenced(markdown), "<"), count_of(unfenced(markdown), "\\<"));
}

TEST_F(ReportTest, FiguresAreThoseOfTheFiles) {
  make_evaluation(path("eval_base.json"), {.skill = 0.3, .tasks = 40});
  make_evaluation(path("eval_rl.json"), {.skill = 0.9, .tasks = 40});
  const Document document = make_report({.evaluations = {path("eval_base.json"), path("eval_rl.json")}});
  const std::string text = markdown_page(document);
  const base::Json file = base::Json::parse(base::read_file(path("eval_rl.json")));
  char rate[80];
  std::snprintf(rate, sizeof(rate), "%.1f %% (%.1f to %.1f)", 100 * file.at("metrics").at("correct_rate").real(),
                100 * file.at("metrics").at("intervals").at("correct_rate").at(0).real(),
                100 * file.at("metrics").at("intervals").at("correct_rate").at(1).real());
  EXPECT_NE(text.find(rate), std::string::npos) << text;
  EXPECT_NE(text.find("TritonRL, 8B parameters"), std::string::npos);
  EXPECT_NE(text.find("Protocols differ"), std::string::npos);
}

TEST_F(ReportTest, CostIsHoursTimesPrice) {
  make_sft_run(path("sft"), 100);  // 170 seconds
  const auto cost = [&](ReportOptions options) {
    options.runs = {path("sft")};
    return markdown_page(make_report(options));
  };
  EXPECT_NE(cost({.gpus = 8, .price = 2.5}).find("At $2.50 a GPU and hour: $0.94."), std::string::npos);
  EXPECT_NE(cost({}).find("| H100 80 GB     |"), std::string::npos) << cost({});
  EXPECT_NE(cost({}).find("March 2026"), std::string::npos);
}

// Runs that differ in their seeds alone are one row, with the least and the most.
TEST_F(ReportTest, AblationsJoinSeeds) {
  make_rl_run(path("a"), {.name = "a", .seed = 1, .rounds = 10});
  make_rl_run(path("b"), {.name = "b", .seed = 2, .rounds = 10});
  make_rl_run(path("c"), {.name = "c", .seed = 3, .rounds = 10, .curriculum = false});
  const Document document = make_report({.runs = {path("a"), path("b"), path("c")}});
  const auto section = std::find_if(document.sections.begin(), document.sections.end(),
                                    [](const Section& each) { return each.id == "ablations"; });
  ASSERT_NE(section, document.sections.end());
  const Table& table = std::get<Table>(section->blocks[0]);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][0], "a, b");
  EXPECT_EQ(table.rows[0][1], "curriculum.enable_adaptive_curriculum = true");
  EXPECT_NE(table.rows[0][2].find(" to "), std::string::npos);
  EXPECT_EQ(table.rows[1][0], "c");
  EXPECT_EQ(table.rows[1][2].find(" to "), std::string::npos);
}

TEST_F(ReportTest, SuspiciousWinnersAreShown) {
  make_rl_run(path("run"), {.rounds = 12});
  const std::string page = html_page(make_report({.runs = {path("run")}}));
  EXPECT_NE(page.find("Odd winner"), std::string::npos);
  EXPECT_NE(page.find("reinforced: far faster than the round&#39;s median"), std::string::npos);
}

}  // namespace
}  // namespace tritonrl::report
