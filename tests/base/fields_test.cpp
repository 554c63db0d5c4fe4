#include "base/fields.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tritonrl::base {
namespace {

enum class Colour { kRed, kGreen };
std::span<const char* const> enum_names(Colour) {
  static constexpr const char* kNames[] = {"red", "green"};
  return kNames;
}

struct Part {
  std::string name;
  double weight = 1;
  void fields(FieldVisitor& field) {
    field("name", name);
    field("weight", weight, kMayLack);
  }
  bool operator==(const Part&) const = default;
};

struct Whole {
  int count = 3;
  std::uint8_t small = 1;
  std::uint64_t seed = 0;
  bool on = false;
  float share = 0;
  Colour colour = Colour::kRed;
  std::string note;
  std::optional<Part> best;
  std::vector<Part> parts;
  Part main;
  std::map<std::string, int> by_name;
  std::set<std::string> tags;
  std::array<int, 2> range = {0, 1};
  std::string mode = "fast";
  int threads = 1;
  Json extra;

  void fields(FieldVisitor& field) {
    static constexpr const char* kModes[] = {"fast", "exact"};
    field("count", count, {.least = 1, .most = 10});
    field("small", small, kMayLack);
    field("seed", seed, kMayLack);
    field("on", on, kMayLack);
    field("share", share, kMayLack);
    field("colour", colour);
    field("note", note, kWhereSet);
    field("best", best, kWhereSet);
    field("parts", parts, kWhereSet);
    field("main", main);
    field("by_name", by_name, kWhereSet);
    field("tags", tags, kWhereSet);
    field("range", range, kMayLack);
    field("mode", mode, {.presence = Presence::kMayLack, .choices = kModes});
    field("threads", threads, {.presence = Presence::kMayLack, .keyed = false});
    field("extra", extra, kWhereSet);
  }
  bool operator==(const Whole&) const = default;
};

Whole a_whole() {
  Whole out;
  out.count = 7;
  out.seed = std::numeric_limits<std::uint64_t>::max();
  out.share = 0.1f;
  out.colour = Colour::kGreen;
  out.note = "n";
  out.best = Part{"b", 2};
  out.parts = {{"p", 1}, {"q", 0.5}};
  out.main = {"m", 3};
  out.by_name = {{"x", 1}, {"y", -2}};
  out.tags = {"s", "t"};
  out.range = {4, 5};
  out.mode = "exact";
  out.extra = {{"any", {1, 2}}};
  return out;
}

TEST(Fields, WrittenInTheirOrderAndReadBack) {
  const std::string text = to_json(a_whole()).dump();
  EXPECT_EQ(text,
            R"({"count":7,"small":1,"seed":18446744073709551615,"on":false,"share":0.1,"colour":"green","note":"n",)"
            R"("best":{"name":"b","weight":2.0},"parts":[{"name":"p","weight":1.0},{"name":"q","weight":0.5}],)"
            R"("main":{"name":"m","weight":3.0},"by_name":{"x":1,"y":-2},"tags":["s","t"],"range":[4,5],)"
            R"("mode":"exact","threads":1,"extra":{"any":[1,2]}})");
  const Result<Whole> read = from_json<Whole>(text, "whole");
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(read.value(), a_whole());
}

TEST(Fields, EmptyOnesAreLeftOutWhereTheListSaysSo) {
  EXPECT_EQ(to_json(Whole{}).dump(),
            R"({"count":3,"small":1,"seed":0,"on":false,"share":0.0,"colour":"red","main":{"name":"","weight":1.0},)"
            R"("range":[0,1],"mode":"fast","threads":1})");
  const Result<Whole> read = from_json<Whole>(R"({"count":3,"colour":"red","main":{"name":""}})", "whole");
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_EQ(read.value(), Whole{});
}

TEST(Fields, NumbersThatAreNoneAreNull) {
  Part part{"x", std::nan("")};
  EXPECT_EQ(to_json(part).dump(), R"({"name":"x","weight":null})");
  EXPECT_TRUE(std::isnan(from_json<Part>(to_json(part).dump(), "part").value().weight));
}

TEST(Fields, AMistakeNamesItsPath) {
  const auto error_with = [](const char* name, Json value) {
    Json json = to_json(a_whole());
    json[name] = std::move(value);
    const Result<Whole> read = from_json<Whole>(json.dump(), "whole");
    return read.ok() ? "" : read.error();
  };
  EXPECT_EQ(error_with("count", "7"), "whole: count is not a whole number in range");
  EXPECT_EQ(error_with("count", 7.0), "whole: count is not a whole number in range");
  EXPECT_EQ(error_with("count", std::int64_t{1} << 40), "whole: count is not a whole number in range");
  EXPECT_EQ(error_with("count", 11), "whole: count is 11; it must be at least 1 and at most 10");
  EXPECT_EQ(error_with("small", 256), "whole: small is not a whole number in range");
  EXPECT_EQ(error_with("seed", -1), "whole: seed is not a whole number in range");
  EXPECT_EQ(error_with("on", 1), "whole: on is not true or false");
  EXPECT_EQ(error_with("share", "x"), "whole: share is neither a number nor null");
  EXPECT_EQ(error_with("colour", "blue"), "whole: colour has the unknown value 'blue'");
  EXPECT_EQ(error_with("colour", 1), "whole: colour is not a string");
  EXPECT_EQ(error_with("best", Json{{"name", 3}}), "whole: best.name is not a string");
  EXPECT_EQ(error_with("best", nullptr), "");
  EXPECT_EQ(error_with("parts", Json::array({Json{{"name", "a"}}, Json{{"weight", 1}}})),
            "whole: parts[1].name is missing");
  EXPECT_EQ(error_with("parts", Json::array({5})), "whole: parts[0] is not an object");
  EXPECT_EQ(error_with("parts", Json::object()), "whole: parts is not a list");
  EXPECT_EQ(error_with("main", Json::array()), "whole: main is not an object");
  EXPECT_EQ(error_with("main", Json{{"name", "a"}, {"weight", true}}),
            "whole: main.weight is neither a number nor null");
  EXPECT_EQ(error_with("by_name", Json{{"x", "1"}}), "whole: by_name.x is not a whole number in range");
  EXPECT_EQ(error_with("tags", Json::array({"a", 1})), "whole: tags[1] is not a string");
  EXPECT_EQ(error_with("range", Json::array({1})), "whole: range has not 2 elements");
  EXPECT_EQ(error_with("mode", "slow"), "whole: mode is 'slow'; choose one of fast, exact");
  EXPECT_EQ(from_json<Whole>("{}", "whole").error(), "whole: count is missing");
  EXPECT_EQ(from_json<Whole>("[]", "whole").error(), "whole: it is not an object");
  EXPECT_EQ(from_json<Whole>("{", "whole").error(), "whole is not JSON");
}

TEST(Fields, UnknownNamesAreRefusedWhereThatIsAskedFor) {
  Whole whole;
  Json json = to_json(a_whole());
  json["of_a_later_version"] = 1;
  read_fields(json, whole);
  EXPECT_EQ(whole, a_whole());
  EXPECT_THROW(read_fields(json, whole, "", Unknown::kRefuse), FieldError);
  json.erase("of_a_later_version");
  json["main"]["colour"] = 1;
  try {
    read_fields(json, whole, "config", Unknown::kRefuse);
    FAIL() << "a name that no field has";
  } catch (const FieldError& error) {
    EXPECT_STREQ(error.what(), "config.main.colour is no field that is known");
  }
}

TEST(Fields, APartialTextSetsWhatItHas) {
  Whole whole = a_whole();
  read_fields(Json::parse(R"({"count":2,"main":{"weight":9}})"), whole, "", Unknown::kRefuse, /*partial=*/true);
  Whole expected = a_whole();
  expected.count = 2;
  expected.main.weight = 9;
  EXPECT_EQ(whole, expected);
}

TEST(Fields, KeysAreEqualWhereAllKeyedFieldsAre) {
  const std::string key = field_key(a_whole());
  EXPECT_EQ(field_key(a_whole()), key);
  EXPECT_EQ(key.find('\n'), std::string::npos);
  Whole other = a_whole();
  other.threads = 5;
  EXPECT_EQ(field_key(other), key);
  const auto differs = [&](auto change) {
    Whole changed = a_whole();
    change(changed);
    return field_key(changed) != key;
  };
  EXPECT_TRUE(differs([](Whole& one) { one.count = 8; }));
  EXPECT_TRUE(differs([](Whole& one) { one.main.weight = 4; }));
  EXPECT_TRUE(differs([](Whole& one) { one.best.reset(); }));
  EXPECT_TRUE(differs([](Whole& one) { one.parts.pop_back(); }));
  EXPECT_TRUE(differs([](Whole& one) { one.note.clear(); }));
  EXPECT_TRUE(differs([](Whole& one) { one.colour = Colour::kRed; }));
}

struct Plain {
  int first = 1;
  std::string second_one = "b";
  double c = 3;
  void fields(FieldVisitor& field) { TRL_FIELDS(field, first, second_one, c); }
};

TEST(Fields, PlainOnesAreCalledLikeTheirMembers) {
  EXPECT_EQ(to_json(Plain()).dump(), R"({"first":1,"second_one":"b","c":3.0})");
}

}  // namespace
}  // namespace tritonrl::base
