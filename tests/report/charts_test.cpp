#include <cmath>
#include <limits>

#include "report/chart/axis.h"
#include "report/chart/chart.h"
#include "report/chart/svg.h"
#include "tests/report/found_text.h"

namespace tritonrl::report {
namespace {

std::string ticks_text(const Axis& axis) {
  std::string out;
  for (const double tick : axis.ticks) out += (out.empty() ? "" : " ") + tick_text(tick);
  return out;
}

TEST(Axis, TicksAreRoundAndCoverTheValues) {
  EXPECT_EQ(ticks_text(round_axis(0, 1, 5)), "0 0.2 0.4 0.6 0.8 1");
  EXPECT_EQ(ticks_text(round_axis(0.31, 2.43, 5)), "0 0.5 1 1.5 2 2.5");
  EXPECT_EQ(ticks_text(round_axis(0, 48213, 5)), "0 10k 20k 30k 40k 50k");
  EXPECT_EQ(ticks_text(round_axis(-3, 3, 3)), "-4 -2 0 2 4");
}

TEST(Axis, AnyValuesHaveOne) {
  constexpr double kMost = std::numeric_limits<double>::max(), kLeast = std::numeric_limits<double>::denorm_min();
  const double values[] = {0, 1, -1, 1e-9, 1e300, kMost, -kMost, kLeast, 2e-4, NAN, INFINITY};
  for (const double low : values) {
    for (const double high : values) {
      const Axis axis = round_axis(low, high, 5);
      EXPECT_LT(axis.low, axis.high) << low << " " << high;
      EXPECT_GE(axis.ticks.size(), 2u) << low << " " << high;
      EXPECT_LE(axis.ticks.size(), 20u) << low << " " << high;
      EXPECT_TRUE(std::isfinite(axis.place(axis.low))) << low << " " << high;
    }
  }
}

TEST(Histogram, BinsAreHalvesOfAPowerOfTwo) {
  const std::vector<RatioBin> bins = ratio_bins({1, 1.2, 1.5, 4, 0, -1, NAN});
  ASSERT_EQ(bins.size(), 5u);
  EXPECT_EQ(bins[0].low, 1);
  EXPECT_EQ(bins[0].count, 2);
  EXPECT_EQ(bins[1].count, 1);
  EXPECT_EQ(bins[3].count, 0);
  EXPECT_EQ(bins[4].low, 4);
  EXPECT_EQ(bins[4].count, 1);
  EXPECT_TRUE(ratio_bins({}).empty());
  EXPECT_LE(ratio_bins({1e-300, 1e300}).size(), 30u);
}

TEST(Curves, ThinningKeepsTheMean) {
  std::vector<Point> points;
  for (int i = 0; i < 1000; ++i) points.emplace_back(i, i % 2);
  const std::vector<Point> few = thinned(points, 100);
  ASSERT_EQ(few.size(), 100u);
  EXPECT_EQ(few[0], (Point{4.5, 0.5}));
  EXPECT_EQ(thinned(points, 2000).size(), 1000u);
  EXPECT_TRUE(thinned({{1, NAN}, {2, INFINITY}}, 10).empty());
}

TEST(Curves, SmoothingLeavesTheEnds) {
  const std::vector<Point> out = smoothed({{0, 0}, {1, 3}, {2, 0}, {3, 6}}, 3);
  EXPECT_EQ(out[0].second, 0);
  EXPECT_EQ(out[1].second, 1);
  EXPECT_EQ(out[2].second, 3);
  EXPECT_EQ(out[3].second, 6);
}

TEST(LineChart, DrawsACurveASeriesAndNamesThem) {
  const std::string svg = chart_html(LineChart{
      .title = "Loss", .x_label = "step", .curves = {{"a", {{1, 2}, {2, 1}}}, {"b", {{1, 3}, {2, NAN}, {3, 2}}}}});
  EXPECT_EQ(count_of(svg, "<path class=\"curve"), 2u);
  EXPECT_EQ(count_of(svg, "<circle"), 4u);
  EXPECT_EQ(count_of(svg, "<li>"), 2u);
  EXPECT_NE(svg.find("aria-label=\"Loss; a: 2 to 1; b: 3 to 2\""), std::string::npos) << svg;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(LineChart, OfNothingIsNothing) {
  EXPECT_EQ(chart_html(LineChart{.title = "t", .x_label = "x", .curves = {}}), "");
  EXPECT_EQ(chart_html(LineChart{.title = "t", .x_label = "x", .curves = {{"a", {{1, NAN}}}}}), "");
  EXPECT_EQ(chart_html(AreaChart{.title = "t", .x_label = "x", .curves = {{"a", {{1, 1}}}}}), "");
  EXPECT_EQ(chart_html(RatioHistogram{.title = "t", .x_label = "x", .values = {}}), "");
  EXPECT_EQ(chart_html(IntervalChart{.title = "t", .rows = {}}), "");
}

TEST(LineChart, OnePointIsADot) {
  const std::string svg = chart_html(LineChart{.title = "t", .x_label = "x", .curves = {{"a", {{7, 0.5}}}}});
  EXPECT_EQ(count_of(svg, "<circle"), 1u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

// Kinds that did not occur in a round have no value there: they are nothing of it, not a gap.
TEST(AreaChart, IsSharesOfEachPlace) {
  const std::string svg =
      chart_html(AreaChart{.title = "t", .x_label = "round", .curves = {{"a", {{1, 3}, {2, 4}}}, {"b", {{1, 1}}}}});
  // 38 below, 8 above of 206: three quarters of 160 lie at 168 - 120
  EXPECT_NE(svg.find("d=\"M35.4 48.0L348.0 8.0L348.0 168.0L35.4 168.0Z\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("d=\"M35.4 8.0L348.0 8.0L348.0 8.0L35.4 48.0Z\""), std::string::npos) << svg;
}

TEST(AreaChart, ManyRoundsStayInStep) {
  AreaChart chart{.title = "t", .x_label = "round", .curves = {{"a", {}}, {"b", {}}}};
  for (int round = 1; round <= 5000; ++round) {
    chart.curves[0].points.emplace_back(round, 1);
    if (round % 2 == 0) chart.curves[1].points.emplace_back(round, 2);
  }
  const std::string svg = chart_html(chart);
  EXPECT_LT(svg.size(), 20'000u);
  // half of the rounds have two of the second to one of the first: half of all are of each
  EXPECT_NE(svg.find(" 88.0L"), std::string::npos) << svg.substr(0, 500);
}

TEST(BarChart, WidthsAreShares) {
  const std::string html = chart_html(BarChart{.title = "t",
                                               .bars = {{.name = "all", .value = 200, .text = "200"},
                                                        {.name = "some", .value = 50, .text = "50", .good = false}}});
  EXPECT_NE(html.find("<rect class=\"good\" width=\"100.00\""), std::string::npos) << html;
  EXPECT_NE(html.find("<rect class=\"bad\" width=\"25.00\""), std::string::npos) << html;
}

}  // namespace
}  // namespace tritonrl::report
