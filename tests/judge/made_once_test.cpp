#include "judge/made_once.h"

#include <gtest/gtest.h>

namespace tritonrl::judge {
namespace {

using Texts = MadeOnce<std::string>;

// How often each was made.
struct Maker {
  std::map<std::string, int> made;
  std::string get(Texts& texts, const std::string& key, std::size_t bytes = 1) {
    return texts.get(key, [&] {
      ++made[key];
      return std::string(bytes, 'x');
    });
  }
};

std::size_t size_of_text(const std::string& text) {
  return text.size();
}

TEST(MadeOnce, ForgetsTheLeastRecentlyUsed) {
  Texts texts({.things = 2});
  Maker maker;
  for (const char* key : {"a", "b", "a", "c", "a", "b"}) maker.get(texts, key);
  EXPECT_EQ(maker.made, (std::map<std::string, int>{{"a", 1}, {"b", 2}, {"c", 1}}));
}

TEST(MadeOnce, KeepsAsManyAsFitIntoItsBytes) {
  Texts texts({.things = 10, .bytes = 100}, size_of_text);
  Maker maker;
  maker.get(texts, "a", 60);
  maker.get(texts, "b", 30);
  maker.get(texts, "c", 40);  // a goes
  for (const char* key : {"b", "c"}) maker.get(texts, key);
  EXPECT_EQ(maker.made.at("b") + maker.made.at("c"), 2);
  maker.get(texts, "a", 60);
  EXPECT_EQ(maker.made.at("a"), 2);
}

TEST(MadeOnce, TheOneUsedLastIsKeptHoweverLarge) {
  Texts texts({.things = 10, .bytes = 100}, size_of_text);
  Maker maker;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(maker.get(texts, "large", 1000).size(), 1000u);
  EXPECT_EQ(maker.made.at("large"), 1);
  maker.get(texts, "small");
  maker.get(texts, "small");
  maker.get(texts, "large", 1000);
  EXPECT_EQ(maker.made.at("large"), 2) << "until another is used";
}

TEST(MadeOnce, WhatFailedOfTheMachineIsTriedAgain) {
  Texts texts({.things = 10, .bytes = 100}, size_of_text);
  const auto fails = []() -> std::string { throw base::InfrastructureError("judge", "lost"); };
  EXPECT_THROW(texts.get("a", fails), base::InfrastructureError);
  Maker maker;
  EXPECT_EQ(maker.get(texts, "a"), "x");
}

}  // namespace
}  // namespace tritonrl::judge
