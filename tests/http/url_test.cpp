#include "http/url.h"

#include <gtest/gtest.h>

namespace tritonrl::http {
namespace {

TEST(Url, takes_web_addresses_alone) {
  EXPECT_TRUE(Url::parse("https://host/path"));
  EXPECT_TRUE(Url::parse("http://127.0.0.1:80"));
  for (const char* text :
       {"", "host/path", "/path", "file:///etc/passwd", "ftp://host/", "https://", "https://ho st/"}) {
    EXPECT_FALSE(Url::parse(text)) << text;
  }
}

TEST(Url, knows_who_may_see_a_token) {
  const Url hub = *Url::parse("https://hub.example");
  for (const char* same : {"https://hub.example/x", "https://HUB.example:443/y?z", "https://someone@hub.example"}) {
    EXPECT_TRUE(hub.same_origin(*Url::parse(same))) << same;
  }
  for (const char* other : {"http://hub.example/x", "https://hub.example:444", "https://hub.example.evil/",
                            "https://cdn.hub.example", "https://hub.example@evil/", "https://evil/hub.example"}) {
    EXPECT_FALSE(hub.same_origin(*Url::parse(other))) << other;
  }
}

TEST(Url, follows_redirects) {
  const Url here = *Url::parse("https://hub.example/a/b?c");
  EXPECT_EQ(here.redirected("/d")->text(), "https://hub.example/d");
  EXPECT_EQ(here.redirected("https://cdn/e?f")->text(), "https://cdn/e?f");
  for (const char* location : {"http://hub.example/d", "file:///etc/passwd", "gopher://x"}) {
    EXPECT_FALSE(here.redirected(location)) << location;
  }
}

TEST(Url, shows_no_secrets) {
  EXPECT_EQ(Url::parse("https://me:word@host/x?signature=secret#y")->shown(), "https://host/x");
}

TEST(Url, encodes_bytes) {
  EXPECT_EQ(percent_encoded("a/b c%\xc3\xa4~", "/"), "a/b%20c%25%C3%A4~");
  EXPECT_EQ(percent_encoded("refs/pr/1", ""), "refs%2Fpr%2F1");
}

}  // namespace
}  // namespace tritonrl::http
