#include "http/request_parser.h"

#include <gtest/gtest.h>

#include <string>

namespace tritonrl::http {
namespace {

using State = RequestParser::State;

// As a connection does it: fed in parts of `step` bytes, until the request is whole or refused.
State run(RequestParser& parser, const std::string& text, std::size_t step) {
  State state = State::kMore;
  for (std::size_t at = 0; at < text.size(); at += step) {
    parser.feed(std::string_view(text).substr(at, step));
    while ((state = parser.step()) == State::kHead) {
    }
    if (state != State::kMore) return state;
  }
  return state;
}

struct Case {
  const char* name;
  std::string text;
  int status;        // 0: it is whole; -1: bytes are missing
  std::string what;  // its body, or "METHOD path?query", or a part of the problem
};

std::string host(const std::string& line, const std::string& more = "") {
  return line + "\r\nHost: a\r\n" + more + "\r\n";
}

const Case kCases[] = {
    {"simple", host("GET / HTTP/1.1"), 0, "GET /?"},
    {"query", host("GET /a%20b/c?x=%20&y HTTP/1.1"), 0, "GET /a b/c?x=%20&y"},
    {"absolute", host("GET http://a:80/b?c HTTP/1.1"), 0, "GET /b?c"},
    {"absolute without a path", host("GET http://a HTTP/1.1"), 0, "GET /?"},
    {"star", host("OPTIONS * HTTP/1.1"), 0, "OPTIONS *?"},
    {"fragment", host("GET /a#b HTTP/1.1"), 0, "GET /a?"},
    {"lines before", "\r\n\r\n" + host("GET / HTTP/1.1"), 0, "GET /?"},
    {"1.0 without host", "GET / HTTP/1.0\r\n\r\n", 0, "GET /?"},
    {"any method", host("M-SEARCH / HTTP/1.1"), 0, "M-SEARCH /?"},
    {"body", host("POST / HTTP/1.1", "Content-Length: 5\r\n") + "hello", 0, "hello"},
    {"length twice the same", host("POST / HTTP/1.1", "Content-Length: 2\r\ncontent-length: 2\r\n") + "ab", 0, "ab"},
    {"chunks",
     host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n", 0,
     "abc0123456789"},
    {"trailers", host("POST / HTTP/1.1", "Transfer-Encoding: Chunked\r\n") + "1\r\na\r\n0\r\nX: y\r\nZ: 1\r\n\r\n", 0,
     "a"},
    {"no end of the head", "GET / HTTP/1.1\r\nHost: a\r\n", -1, ""},
    {"short body", host("POST / HTTP/1.1", "Content-Length: 5\r\n") + "hell", -1, ""},
    {"no last chunk", host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "1\r\na\r\n", -1, ""},
    {"no trailer's end", host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "0\r\n", -1, ""},
    {"empty line", " \r\n\r\n", 400, "request line"},
    {"one word", "GET\r\n\r\n", 400, "request line"},
    {"two words", "GET /\r\n\r\n", 400, "request line"},
    {"TLS", "\x16\x03\x01\x02 \x01\xfc \r\n\r\n", 400, "method"},
    {"method with a bracket", host("G(T / HTTP/1.1"), 400, "method"},
    {"long method", host(std::string(40, 'A') + " / HTTP/1.1"), 400, "method"},
    {"blank in the target", host("GET /a b HTTP/1.1"), 400, "target"},
    {"byte above ASCII", host("GET /\xc3\xa4 HTTP/1.1"), 400, "target"},
    {"half an escape", host("GET /%2 HTTP/1.1"), 400, "percent"},
    {"no escape", host("GET /%zz HTTP/1.1"), 400, "percent"},
    {"a sign in the escape", host("GET /%+1 HTTP/1.1"), 400, "percent"},
    {"HTTP/2", host("GET / HTTP/2.0"), 505, ""},
    {"another protocol", host("GET / SMTP/1.1"), 400, "request line"},
    {"no host", "GET / HTTP/1.1\r\nA: b\r\n\r\n", 400, "Host"},
    {"two hosts", host("GET / HTTP/1.1", "Host: b\r\n"), 400, "Host"},
    {"no colon", host("GET / HTTP/1.1", "A b\r\n"), 400, "name: value"},
    {"blank before the colon", host("GET / HTTP/1.1", "A : b\r\n"), 400, "name: value"},
    {"continued line", host("GET / HTTP/1.1", "A: b\r\n c\r\n"), 400, "name: value"},
    {"no name", host("GET / HTTP/1.1", ": b\r\n"), 400, "name: value"},
    {"bare line feed", "GET / HTTP/1.1\nHost: a\n\n\r\n\r\n", 400, ""},
    {"control character", host("GET / HTTP/1.1", "A: b\x01\r\n"), 400, "control"},
    {"carriage return in a value", host("GET / HTTP/1.1", "A: b\rc\r\n"), 400, "control"},
    {"length of letters", host("POST / HTTP/1.1", "Content-Length: five\r\n"), 400, "Content-Length"},
    {"negative length", host("POST / HTTP/1.1", "Content-Length: -5\r\n"), 400, "Content-Length"},
    {"length with a plus", host("POST / HTTP/1.1", "Content-Length: +5\r\n"), 400, "Content-Length"},
    {"empty length", host("POST / HTTP/1.1", "Content-Length:\r\n"), 400, "Content-Length"},
    {"two lengths", host("POST / HTTP/1.1", "Content-Length: 1\r\nContent-Length: 2\r\n"), 400, "Content-Length"},
    {"list of lengths", host("POST / HTTP/1.1", "Content-Length: 1, 1\r\n"), 400, "Content-Length"},
    {"length and chunks", host("POST / HTTP/1.1", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"), 400,
     "Transfer-Encoding"},
    {"chunks in 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "Transfer-Encoding"},
    {"another encoding", host("POST / HTTP/1.1", "Transfer-Encoding: gzip, chunked\r\n"), 501, ""},
    {"chunked twice", host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 501, ""},
    {"expects more", host("POST / HTTP/1.1", "Expect: 200-ok\r\n"), 417, ""},
    {"too long a body", host("POST / HTTP/1.1", "Content-Length: 2001\r\n"), 413, "2000"},
    {"absurd length", host("POST / HTTP/1.1", "Content-Length: 99999999999999999999999\r\n"), 413, ""},
    {"too long a chunk", host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "7D1\r\n", 413, ""},
    {"too many chunks",
     host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "7D0\r\n" + std::string(2000, 'a') + "\r\n1\r\n", 413,
     ""},
    {"absurd chunk", host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "FFFFFFFFFFFFFFFFF\r\n", 400,
     "chunks"},
    {"chunk of the largest size", host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "FFFFFFFFFFFFFFFF\r\n",
     413, ""},
    {"negative chunk", host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "-1\r\n", 400, "chunks"},
    {"chunk without a size", host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "\r\n", 400, "chunks"},
    {"chunk with a bad end", host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "1\r\nabc\r\n", 400, "chunks"},
    {"long chunk line", host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "1;" + std::string(300, 'x'), 400,
     "chunks"},
    {"long line", "GET /" + std::string(600, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", 414, ""},
    {"endless line", "GET /" + std::string(600, 'a'), 414, ""},
    {"long head", host("GET / HTTP/1.1", "A: " + std::string(1100, 'a') + "\r\n"), 431, ""},
    {"endless head", "GET / HTTP/1.1\r\nHost: a\r\nA: " + std::string(1100, 'a'), 431, ""},
    {"many headers", host("GET / HTTP/1.1", "A:1\r\nB:1\r\nC:1\r\nD:1\r\nE:1\r\nF:1\r\n"), 431, "many"},
    {"long trailers",
     host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "0\r\nA: " + std::string(700, 'a') +
         "\r\nB: " + std::string(700, 'b') + "\r\n\r\n",
     431, ""},
};

TEST(RequestParser, ReadsAndRefusesWhereverItIsCut) {
  ParserLimits limits{.line = 512, .head = 1000, .headers = 6, .body = 2000};
  for (const Case& one : kCases) {
    for (const std::size_t step :
         {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, std::size_t{64}, std::size_t{100'000}}) {
      SCOPED_TRACE(std::string(one.name) + ", in steps of " + std::to_string(step));
      RequestParser parser(limits);
      const State state = run(parser, one.text, step);
      if (one.status > 0) {
        EXPECT_EQ(state, State::kFailed);
        EXPECT_EQ(parser.status(), one.status) << parser.problem();
        EXPECT_NE(parser.problem().find(one.what), std::string::npos) << parser.problem();
        continue;
      }
      EXPECT_EQ(state, one.status == 0 ? State::kDone : State::kMore) << parser.problem();
      if (one.status != 0) continue;
      const Request request = parser.take();
      EXPECT_EQ(one.text.find("POST") == 0 ? request.body : request.method + " " + request.path + "?" + request.query,
                one.what);
    }
  }
}

TEST(RequestParser, WhatFollowsIsTheNextRequest) {
  RequestParser parser({});
  const std::string both = host("POST /a HTTP/1.1", "Content-Length: 2\r\n") + "ab" + host("GET /b HTTP/1.1");
  ASSERT_EQ(run(parser, both, both.size()), State::kDone);
  EXPECT_EQ(parser.take().body, "ab");
  EXPECT_TRUE(parser.begun());
  EXPECT_EQ(parser.step(), State::kHead);
  EXPECT_EQ(parser.step(), State::kDone);
  EXPECT_EQ(parser.take().path, "/b");
  EXPECT_FALSE(parser.begun());
}

TEST(RequestParser, TellsWhetherTheConnectionGoesOn) {
  const auto keeps = [](const std::string& text) {
    RequestParser parser({});
    EXPECT_EQ(run(parser, text, text.size()), State::kDone);
    return parser.take().keep_alive;
  };
  EXPECT_TRUE(keeps(host("GET / HTTP/1.1")));
  EXPECT_FALSE(keeps(host("GET / HTTP/1.1", "Connection: Close\r\n")));
  EXPECT_FALSE(keeps(host("GET / HTTP/1.1", "Connection: te, close\r\n")));
  EXPECT_FALSE(keeps("GET / HTTP/1.0\r\n\r\n"));
  EXPECT_TRUE(keeps("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
}

// A body of one-byte chunks costs time in proportion to its length: cutting the buffer for each would take minutes.
TEST(RequestParser, SmallChunksAreReadInLinearTime) {
  RequestParser parser({});
  std::string text = host("POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n");
  for (int i = 0; i < 300'000; ++i) text += "1\r\na\r\n";
  text += "0\r\n\r\n";
  ASSERT_EQ(run(parser, text, 64 << 10), State::kDone);
  EXPECT_EQ(parser.take().body.size(), 300'000U);
}

}  // namespace
}  // namespace tritonrl::http
