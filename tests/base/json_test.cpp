#include "base/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace tritonrl::base {
namespace {

using Peer = nlohmann::ordered_json;

// Random values of all kinds, built in both libraries alike.
class Values {
 public:
  explicit Values(unsigned seed) : random_(seed) {}

  std::pair<Json, Peer> next(int depth) {
    switch (random_() % (depth > 0 ? 8 : 6)) {
      case 0:
        return {Json(), Peer()};
      case 1: {
        const bool value = random_() % 2 == 0;
        return {value, value};
      }
      case 2: {
        const auto value = static_cast<std::int64_t>(bits());
        return {value, value};
      }
      case 3:
        return {bits(), bits_};
      case 4: {
        const double value = real();
        return {value, value};
      }
      case 5: {
        const std::string value = text();
        return {value, value};
      }
      case 6: {
        Json ours = Json::array();
        Peer theirs = Peer::array();
        for (unsigned left = random_() % 5; left > 0; --left) {
          auto [a, b] = next(depth - 1);
          ours.push_back(a);
          theirs.push_back(b);
        }
        return {ours, theirs};
      }
      default: {
        Json ours = Json::object();
        Peer theirs = Peer::object();
        for (unsigned left = random_() % 30; left > 0; --left) {
          const std::string name = text(/*names=*/true);
          auto [a, b] = next(depth - 1);
          ours[name] = a;
          theirs[name] = b;
        }
        return {ours, theirs};
      }
    }
  }

 private:
  std::uint64_t bits() { return bits_ = (std::uint64_t{random_()} << 32 | random_()) >> random_() % 64; }
  double real() {
    static constexpr double kOdd[] = {0.0, -0.0, 1e308, 5e-324, 0.1, 1e16, 123456789.125, -1e-7};
    if (random_() % 2 == 0) return kOdd[random_() % std::size(kOdd)];
    return std::ldexp(static_cast<double>(static_cast<std::int32_t>(random_())),
                      static_cast<int>(random_() % 200) - 100);
  }
  // Names stay apart when they are written: what is no UTF-8 becomes one and the same.
  std::string text(bool names = false) {
    static constexpr const char* kPieces[] = {"a", "\"", "\\", "\n", "\x01", "\x7f",
                                              "ü", "€",  "😀",  "/",  "\xff", "\xc3"};
    std::string out;
    for (unsigned left = random_() % 4; left > 0; --left)
      out += kPieces[random_() % (std::size(kPieces) - (names ? 2 : 0))];
    return out;
  }

  std::mt19937 random_;
  std::uint64_t bits_ = 0;
};

std::string dump(const Peer& json, int indent) {
  return json.dump(indent, ' ', false, Peer::error_handler_t::replace);
}

TEST(Json, WritesAndReadsAsTheLibraryDoes) {
  Values values(7);
  for (int round = 0; round < 400; ++round) {
    const auto [ours, theirs] = values.next(4);
    ASSERT_EQ(ours.dump(), dump(theirs, -1));
    ASSERT_EQ(ours.dump(2), dump(theirs, 2));
    ASSERT_EQ(ours.sorted().dump(),
              nlohmann::json(theirs).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    const Json read = Json::parse(ours.dump());
    ASSERT_EQ(read.dump(), dump(Peer::parse(ours.dump()), -1));
    ASSERT_EQ(read.dump(), ours.dump());
    ASSERT_EQ(Json::parse(ours.dump(3)), read);
  }
}

TEST(Json, TakesWhatTheLibraryTakes) {
  const std::string original = R"({"a":[1,-2,3.5e-2,true,null],"b":{"c":"x\u00e9\n","d":18446744073709551615}} )";
  const std::string pieces[] = {
      "null", "{", "}", "[", "]", "\"", ",", ":", "1e999", "-", "\\u12", "\xff", std::string(1, '\0')};
  std::mt19937 random(11);
  int read = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text = original;
    for (int change = 0; change <= round % 3; ++change) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text.erase(at, 1 + random() % 4);
      } else {
        text.insert(at, pieces[random() % std::size(pieces)]);
      }
      if (text.empty()) text = " ";
    }
    const std::optional<Json> ours = Json::try_parse(text);
    const Peer theirs = Peer::parse(text, nullptr, /*allow_exceptions=*/false);
    ASSERT_EQ(ours.has_value(), !theirs.is_discarded()) << text;
    if (!ours) continue;
    ++read;
    ASSERT_EQ(ours->dump(), dump(theirs, -1));
  }
  EXPECT_GT(read, 200);
}

TEST(Json, DeepNestingIsOnlyBadText) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(Json::try_parse(nested(Json::kMaxDepth)).has_value());
  EXPECT_FALSE(Json::try_parse(nested(Json::kMaxDepth + 1)).has_value());
  EXPECT_FALSE(Json::try_parse(nested(1'000'000)).has_value());
  EXPECT_FALSE(Json::try_parse(std::string(1'000'000, '[')).has_value());
  EXPECT_THROW(Json::parse(nested(1'000'000)), JsonError);
  EXPECT_EQ(Json::parse(nested(Json::kMaxDepth)).dump(), nested(Json::kMaxDepth));
}

TEST(Json, OfANameThatComesTwiceTheLastValueHolds) {
  EXPECT_EQ(Json::parse(R"({"a":1,"b":2,"a":3})").dump(), R"({"a":3,"b":2})");
  std::string large = "{";
  for (int i = 0; i < 100; ++i) large += "\"n" + std::to_string(i) + "\":" + std::to_string(i) + ",";
  const Json json = Json::parse(large + R"("n3":"again","n99":[]})");
  EXPECT_EQ(json.size(), 100U);
  EXPECT_EQ(json.at("n3"), "again");
  EXPECT_EQ(json.at("n99"), Json::array());
  EXPECT_EQ(json.at("n98"), 98);
}

TEST(Json, NumbersAreTakenWhereTheTypeHoldsThem) {
  const Json most = Json::parse("18446744073709551615"), least = Json::parse("-9223372036854775808");
  EXPECT_EQ(most.get<std::uint64_t>(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(least.get<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
  EXPECT_THROW(most.get<std::int64_t>(), JsonError);
  EXPECT_THROW(least.get<std::uint64_t>(), JsonError);
  EXPECT_THROW(Json(300).get<std::uint8_t>(), JsonError);
  EXPECT_EQ(Json(255).get<std::uint8_t>(), 255);
  EXPECT_THROW(Json(-1).get<unsigned>(), JsonError);
  EXPECT_THROW(Json(std::int64_t{1} << 31).get<int>(), JsonError);
  EXPECT_EQ(Json(3.0).get<int>(), 3);
  EXPECT_THROW(Json(3.5).get<int>(), JsonError);
  EXPECT_THROW(Json(1e300).get<std::int64_t>(), JsonError);
  EXPECT_THROW(Json(std::nan("")).get<int>(), JsonError);
  EXPECT_THROW(Json("3").get<int>(), JsonError);
  EXPECT_THROW(Json(true).get<int>(), JsonError);
  EXPECT_EQ(Json(3).get<double>(), 3.0);
  EXPECT_EQ(Json(std::nan("")).dump(), "null");
  EXPECT_EQ(Json(-std::numeric_limits<double>::infinity()).dump(), "null");
}

TEST(Json, ComparesNumbersByValueAndObjectsInAnyOrder) {
  EXPECT_EQ(Json(3), Json(3U));
  EXPECT_EQ(Json(3), Json(3.0));
  EXPECT_NE(Json(-1), Json(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_NE(Json(1), Json(true));
  EXPECT_EQ(Json::parse(R"({"a":1,"b":[2]})"), Json::parse(R"({"b":[2],"a":1})"));
  EXPECT_NE(Json::parse(R"({"a":1,"b":[2]})"), Json::parse(R"({"a":1,"c":[2]})"));
  EXPECT_NE(Json::parse("[1,2]"), Json::parse("[2,1]"));
}

TEST(Json, IsBuiltAndTakenApart) {
  Json json = {{"name", "x"}, {"list", {1, 2, 3}}, {"none", nullptr}};
  EXPECT_EQ(json.dump(), R"({"name":"x","list":[1,2,3],"none":null})");
  json["list"].push_back("four");
  json["made"]["on"]["the"] = "way";
  EXPECT_EQ(json.at("list").back(), "four");
  EXPECT_EQ(json.value("name", ""), "x");
  EXPECT_EQ(json.value("absent", 7), 7);
  EXPECT_EQ(json.find("absent"), nullptr);
  EXPECT_EQ(Json(5).find("x"), nullptr);
  EXPECT_TRUE(json.erase("none"));
  EXPECT_FALSE(json.erase("none"));
  json.at("list").erase(std::size_t{0});
  std::string names;
  for (const auto& [name, value] : json.items()) names += name + "=" + value.dump() + " ";
  EXPECT_EQ(names, R"(name="x" list=[2,3,"four"] made={"on":{"the":"way"}} )");
  const Json copy = json;
  json.update({{"name", "y"}, {"more", true}});
  EXPECT_EQ(copy.at("name"), "x");
  EXPECT_EQ(json.at("name"), "y");
  EXPECT_EQ(json.at("more"), true);
  json = json.at("list");  // a part of itself
  EXPECT_EQ(json.dump(), R"([2,3,"four"])");
  EXPECT_EQ((Json::parse("[[1,2],[3]]").get<std::vector<std::vector<int>>>()),
            (std::vector<std::vector<int>>{{1, 2}, {3}}));
}

TEST(Json, SaysWhatIsWrong) {
  const auto error_of = [](const auto& work) -> std::string {
    try {
      work();
    } catch (const JsonError& error) {
      return error.what();
    }
    return "";
  };
  const Json json = {{"a", 1}};
  EXPECT_EQ(error_of([&] { json.at("b"); }), "b is missing");
  EXPECT_EQ(error_of([&] { json.at("a").text(); }), "must be a string, but is number");
  EXPECT_EQ(error_of([&] { Json::array().at(std::size_t{0}); }), "there is no element 0");
  EXPECT_EQ(error_of([&] { json.elements(); }), "must be an array, but is object");
  EXPECT_NE(error_of([] { Json::parse("[1,"); }).find("parse error"), std::string::npos);
}

}  // namespace
}  // namespace tritonrl::base
