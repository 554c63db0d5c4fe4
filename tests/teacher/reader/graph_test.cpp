#include "teacher/graph/graph.h"

#include <gtest/gtest.h>

#include "teacher/operators/shape_rules.h"

namespace tritonrl::teacher {
namespace {

int tensor(Graph& graph, const std::string& name, Shape shape) {
  Leaf leaf;
  leaf.key = leaf.name = name;
  leaf.fact = Fact::tensor(program::DType::kFloat32, std::move(shape));
  return graph.leaf_step(graph.add_leaf(std::move(leaf)));
}

constexpr RowSpec kLastOfTwo = {.form = RowSpec::Form::kRun, .first = 1, .last = 1, .written = -1};

TEST(Graph, BroadcastsAsTorchDoes) {
  EXPECT_EQ(operators::broadcast({2, 1, 4}, {3, 1}), Shape({2, 3, 4}));
  EXPECT_EQ(operators::broadcast({}, {3}), Shape({3}));
  EXPECT_FALSE(operators::broadcast({2, 3}, {2, 4}));
}

TEST(Graph, TheSameExpressionIsOneLeaf) {
  Graph graph;
  EXPECT_EQ(tensor(graph, "x", {2, 3}), tensor(graph, "x", {2, 3}));
  EXPECT_EQ(graph.leaves.size(), 1u);
}

TEST(Graph, APointwiseRegionHasTheShapeOfItsResult) {
  Graph graph;
  const int x = tensor(graph, "x", {2, 3}), bias = tensor(graph, "bias", {3});
  const int sum = graph.pointwise("$0 + $1", {x, bias}, false);
  ASSERT_TRUE(graph.finish({sum}));
  EXPECT_EQ(graph.full, Shape({2, 3}));
}

TEST(Graph, RowsAndElementsMeet) {
  Graph graph;
  const int x = tensor(graph, "x", {2, 3});
  const int sum = graph.reduce("sum", x, kLastOfTwo);
  const int quotient = graph.pointwise("$0 / $1", {x, sum}, false);
  ASSERT_GE(quotient, 0);
  EXPECT_EQ(graph.steps[static_cast<std::size_t>(sum)].domain, Domain::kRow);
  EXPECT_EQ(graph.steps[static_cast<std::size_t>(quotient)].domain, Domain::kFull);
  EXPECT_EQ(graph.steps[static_cast<std::size_t>(quotient)].depth, 1);
  EXPECT_TRUE(graph.finish({quotient}));
}

// x - x.sum(1) of a square matrix is no mistake in torch, but its rows are not these rows.
TEST(Graph, RowsWithoutTheirDimensionDoNotMeetElements) {
  Graph graph;
  const int x = tensor(graph, "x", {3, 3});
  const int sum = graph.reduce("sum", x, kLastOfTwo);
  ASSERT_EQ(graph.drop_rows(sum, 0), sum);
  EXPECT_EQ(graph.pointwise("$0 - $1", {x, sum}, false), -1);
}

// Over the first dimension they do: x - x.mean(0).
TEST(Graph, LeadingReductionsBroadcastByThemselves) {
  Graph graph;
  const int x = tensor(graph, "x", {4, 3});
  const int sum = graph.reduce("sum", x, {.form = RowSpec::Form::kRun, .first = 0, .last = 0});
  ASSERT_EQ(graph.drop_rows(sum, 0), sum);
  const int difference = graph.pointwise("$0 - $1", {x, sum}, false);
  ASSERT_GE(difference, 0);
  EXPECT_TRUE(graph.finish({difference}));
}

TEST(Graph, TwoKindsOfRowsAreTwoRegions) {
  Graph graph;
  const int x = tensor(graph, "x", {4, 3});
  ASSERT_GE(graph.reduce("sum", x, kLastOfTwo), 0);
  EXPECT_EQ(graph.reduce("sum", x, {.form = RowSpec::Form::kRun, .first = 0, .last = 0}), -1);
}

TEST(Graph, AnOperandThatIsTheSameForARowLivesThere) {
  Graph graph;
  const int x = tensor(graph, "x", {4, 3}), weight = tensor(graph, "w", {3}), scale = tensor(graph, "s", {4, 1});
  const int sum = graph.reduce("max", x, kLastOfTwo);
  const int scaled = graph.pointwise("$0 * $1", {sum, scale}, false);
  const int weighed = graph.pointwise("$0 * $1", {scaled, weight}, false);
  ASSERT_GE(weighed, 0);
  EXPECT_EQ(graph.steps[static_cast<std::size_t>(scale)].domain, Domain::kRow);
  EXPECT_EQ(graph.steps[static_cast<std::size_t>(weight)].domain, Domain::kFull);
  EXPECT_EQ(graph.steps[static_cast<std::size_t>(scaled)].domain, Domain::kRow);
  EXPECT_TRUE(graph.finish({weighed}));
}

TEST(Graph, ComputesTheSameOnlyOnce) {
  Graph graph;
  const int x = tensor(graph, "x", {4, 3});
  const int sum = graph.reduce("sum", x, kLastOfTwo);
  EXPECT_EQ(graph.reduce("sum", x, kLastOfTwo), sum);
  EXPECT_EQ(graph.pointwise("$0 / $1", {x, sum}, false), graph.pointwise("$0 / $1", {x, sum}, false));
  // Without its dimension it is another value, and the first one stays what it was.
  const int dropped = graph.drop_rows(sum, graph.steps.size());
  EXPECT_NE(dropped, sum);
  EXPECT_EQ(graph.steps[static_cast<std::size_t>(sum)].shape, Shape({4, 1}));
}

}  // namespace
}  // namespace tritonrl::teacher
