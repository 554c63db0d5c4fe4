#include "judge/size_search.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

namespace tritonrl::judge {
namespace {

std::int64_t value_of(const Resizing& resizing, const SizeConstant& constant) {
  const auto found = resizing.find(constant);
  return found == resizing.end() ? constant.value : found->second;
}

// A reference that accepts what `accepts` says, whose cost is the product of all constants.
SizeProbe probe_of(const std::vector<SizeConstant>& constants, std::function<bool(const Resizing&)> accepts) {
  return [=](const std::vector<Resizing>& resizings) {
    std::vector<std::optional<SizeCost>> out;
    for (const Resizing& one : resizings) {
      if (!accepts(one)) {
        out.emplace_back();
        continue;
      }
      double product = 1;
      for (const SizeConstant& constant : constants) product *= static_cast<double>(value_of(one, constant));
      out.push_back(SizeCost{product * 4, 0, product});
    }
    return out;
  };
}

bool anything(const Resizing&) {
  return true;
}

TEST(SizeSearch, ShrinksByPrimeFactors) {
  EXPECT_EQ(shrunk(4096, 64), 64);
  EXPECT_EQ(shrunk(768, 64), 48);
  EXPECT_EQ(shrunk(7, 64), 7);
  EXPECT_EQ(shrunk(1009, 64), 64);  // a prime
  EXPECT_EQ(shrunk(1000, 4), 4);
}

TEST(SizeSearch, KeepsProportionsAndDistinctSizes) {
  const std::vector<SizeConstant> constants = {{4096, "M"}, {2048, "N"}, {3, "kernel"}};
  const TaskSizes sizes = search_sizes(constants, probe_of(constants, anything));
  ASSERT_TRUE(sizes.small && sizes.tiny && sizes.odd);
  EXPECT_EQ(value_of(*sizes.small, {2048, "N"}), 64);
  EXPECT_EQ(value_of(*sizes.small, {4096, "M"}), 128);
  EXPECT_FALSE(sizes.small->contains({3, "kernel"})) << "small constants are kernel sizes and strides";
  EXPECT_LE(value_of(*sizes.tiny, {4096, "M"}), 16);
  EXPECT_EQ(value_of(*sizes.odd, {4096, "M"}) % 2, 1);
  EXPECT_NE(value_of(*sizes.odd, {4096, "M"}), value_of(*sizes.odd, {2048, "N"}));
}

// A network that takes other batches alone, whatever it costs.
TEST(SizeSearch, ATaskThatStaysLargeIsComputedAtOneSize) {
  const std::vector<SizeConstant> constants = {{10, "BATCH"}, {3000, "FEATURES"}, {4000, "OUTPUTS"}};
  const auto others_stay = [](const Resizing& one) {
    return !one.contains({3000, "FEATURES"}) && !one.contains({4000, "OUTPUTS"});
  };
  const TaskSizes dear = search_sizes(constants, probe_of(constants, others_stay));
  ASSERT_TRUE(dear.small);
  EXPECT_TRUE(dear.dear);
  EXPECT_EQ(value_of(*dear.small, {10, "BATCH"}), 2);
  EXPECT_FALSE(dear.tiny || dear.odd);
  const std::vector<SizeConstant> cheaper = {{10, "BATCH"}, {300, "FEATURES"}, {4000, "OUTPUTS"}};
  const TaskSizes other = search_sizes(cheaper, probe_of(cheaper, [](const Resizing& one) {
                                         return !one.contains({300, "FEATURES"}) && !one.contains({4000, "OUTPUTS"});
                                       }));
  ASSERT_TRUE(other.small);
  EXPECT_FALSE(other.dear) << "a few times what is usual";
}

TEST(SizeSearch, ASmallTaskKeepsItsSizes) {
  const std::vector<SizeConstant> constants = {{16, "M"}, {128, "N"}};
  const TaskSizes sizes = search_sizes(constants, probe_of(constants, anything));
  ASSERT_TRUE(sizes.small);
  EXPECT_TRUE(sizes.small->empty());
}

TEST(SizeSearch, EqualConstantsOfDifferentNamesPartInOddSizesWhereTheReferenceAllowsIt) {
  const std::vector<SizeConstant> constants = {{4096, "BATCH"}, {4096, "FEATURES"}};
  const TaskSizes free = search_sizes(constants, probe_of(constants, anything));
  EXPECT_EQ(value_of(*free.small, constants[0]), value_of(*free.small, constants[1]));
  EXPECT_NE(value_of(*free.odd, constants[0]), value_of(*free.odd, constants[1]));

  const auto square = [&](const Resizing& one) { return value_of(one, constants[0]) == value_of(one, constants[1]); };
  const TaskSizes bound = search_sizes(constants, probe_of(constants, square));
  ASSERT_TRUE(bound.odd);
  EXPECT_EQ(value_of(*bound.odd, constants[0]), value_of(*bound.odd, constants[1]));
  EXPECT_EQ(value_of(*bound.odd, constants[0]) % 2, 1);
}

TEST(SizeSearch, FollowsConstraintsOfTheReference) {
  // channels must be a multiple of eight groups, the image must survive five halvings
  const std::vector<SizeConstant> constants = {{512, "channels"}, {224, "image"}, {1024, "batch"}};
  const auto accepts = [&](const Resizing& one) {
    return value_of(one, constants[0]) % 8 == 0 && value_of(one, constants[1]) == 224;
  };
  const TaskSizes sizes = search_sizes(constants, probe_of(constants, accepts));
  ASSERT_TRUE(sizes.small);
  EXPECT_EQ(value_of(*sizes.small, constants[1]), 224);
  EXPECT_EQ(value_of(*sizes.small, constants[0]) % 8, 0);
  EXPECT_LT(value_of(*sizes.small, constants[2]), 64);
}

TEST(SizeSearch, NothingWhereTheReferenceNeverFits) {
  const std::vector<SizeConstant> constants = {{1 << 20, "N"}, {4096, "M"}};
  const auto real_only = [](const Resizing& one) { return one.empty(); };
  EXPECT_FALSE(search_sizes(constants, probe_of(constants, real_only)).small);
}

TEST(SizeSearch, LargerSizesKeepOneConstantReal) {
  const std::vector<SizeConstant> constants = {{4096, "BATCH"}, {4096, "FEATURES"}};
  const SizeProbe probe = probe_of(constants, anything);
  const TaskSizes sizes = search_sizes(constants, probe);
  bool features = false;
  for (const Resizing& one : search_larger(constants, *sizes.small, probe))
    features = features || (value_of(one, constants[1]) == 4096 && value_of(one, constants[0]) < 4096);
  EXPECT_TRUE(features);
}

TEST(SizeSearch, ALighterSizeHasFewerRowsThanTheSmallOne) {
  const std::vector<SizeConstant> constants = {{32768, "batch_size"}, {4096, "features"}, {64, "groups"}};
  const SizeProbe probe = probe_of(constants, anything);
  const TaskSizes sizes = search_sizes(constants, probe);
  ASSERT_TRUE(sizes.small);
  const auto lighter = search_lighter(constants, *sizes.small, probe);
  ASSERT_TRUE(lighter);
  for (const SizeConstant& one : constants) EXPECT_LT(value_of(*lighter, one), value_of(*sizes.small, one)) << one.name;
  // a reference that takes no other size
  EXPECT_FALSE(search_lighter(constants, *sizes.small, probe_of(constants, [](const Resizing&) { return false; })));
}

TEST(SizeSearch, FittedSizesAreSecretMultiplesOfBlocks) {
  const std::vector<SizeConstant> constants = {{2048, "M"}, {4096, "K"}, {1000, "N"}};
  const SizeProbe probe = probe_of(constants, anything);
  const std::vector<Resizing> sizes = search_fitted(constants, {32, 64, 128}, 1, probe);
  const auto fits = [&](const Resizing& one, const SizeConstant& constant) {
    return value_of(one, constant) % std::gcd(constant.value, std::int64_t{128}) == 0;
  };
  std::map<std::size_t, int> by_fitting;
  for (const Resizing& one : sizes) {
    std::size_t fitting = 0;
    for (const SizeConstant& constant : constants) {
      fitting += fits(one, constant);
      EXPECT_LE(value_of(one, constant), constant.value);
      EXPECT_EQ(constant.value % std::gcd(value_of(one, constant), std::int64_t{128}), 0) << "no better than it does";
      EXPECT_GE(value_of(one, constant), 5);
    }
    ++by_fitting[fitting];
  }
  EXPECT_GE(by_fitting[3], 3) << "all of them, several times";
  EXPECT_GE(by_fitting[1], 1) << "one alone";
  EXPECT_LT(value_of(sizes.front(), constants[0]) * value_of(sizes.front(), constants[1]), 2048 * 512) << "cheap first";
  EXPECT_NE(sizes, search_fitted(constants, {32, 64, 128}, 2, probe)) << "which follows from the secret";
}

TEST(SizeSearch, EverySecretHasSeveralSizesWhereAllBlocksFit) {
  const std::vector<SizeConstant> constants = {{2048, "ROWS"}, {4096, "INNER"}, {2048, "COLUMNS"}};
  const SizeProbe probe = probe_of(constants, anything);
  for (std::uint64_t secret = 0; secret < 100; ++secret) {
    int all = 0;
    for (const Resizing& one : search_fitted(constants, {32, 64, 128}, secret, probe)) {
      all += std::all_of(constants.begin(), constants.end(),
                         [&](const SizeConstant& constant) { return value_of(one, constant) % 128 == 0; });
    }
    EXPECT_GE(all, 3) << "one to judge at and two that confirm it; secret " << secret;
  }
}

TEST(SizeSearch, ARowOfOneBlockKeepsItsLength) {
  const std::vector<SizeConstant> constants = {{4096, "BATCH"}, {4096, "FEATURES"}};
  for (std::uint64_t secret = 0; secret < 1000; ++secret) {
    std::set<std::int64_t> batches;
    for (const Resizing& one : search_fitted(constants, {4096}, secret, probe_of(constants, anything))) {
      if (value_of(one, constants[1]) == 4096) batches.insert(value_of(one, constants[0]));
    }
    EXPECT_GE(batches.size(), 3u) << "with several numbers of rows; secret " << secret;
  }
}

}  // namespace
}  // namespace tritonrl::judge
