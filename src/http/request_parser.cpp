#include "http/request_parser.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace tritonrl::http {
namespace {

constexpr std::size_t kLongestMethod = 32;
constexpr std::size_t kLongestChunkLine = 256;
constexpr std::string_view kEnd = "\r\n";

bool is_token_char(char c) {
  const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return word || (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

bool holds_word(std::string_view list, std::string_view word) {
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    if (lower(without_blanks(list.substr(at, comma - at))) == word) return true;
    at = comma + 1;
  }
  return false;
}

std::optional<std::uint64_t> number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::string> without_escapes(std::string_view path) {
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != '%') {
      out += path[i];
      continue;
    }
    const std::optional<std::uint64_t> byte =
        i + 2 < path.size() ? number(path.substr(i + 1, 2), 16) : std::optional<std::uint64_t>();
    if (!byte) return std::nullopt;
    out += static_cast<char>(*byte);
    i += 2;
  }
  return out;
}

}  // namespace

RequestParser::State RequestParser::fail(int status, std::string problem) {
  status_ = status;
  problem_ = std::move(problem);
  give_up();
  return State::kFailed;
}

void RequestParser::give_up() {
  stage_ = Stage::kFailed;
  std::string().swap(buffer_);
  std::string().swap(request_.body);
  at_ = 0;
}

RequestParser::State RequestParser::step() {
  const State state = advance();
  buffer_.erase(0, at_);
  at_ = 0;
  return state;
}

RequestParser::State RequestParser::advance() {
  switch (stage_) {
    case Stage::kHead:
      return read_head();
    case Stage::kBody:
      return read_body();
    case Stage::kChunkSize:
    case Stage::kChunk:
    case Stage::kChunkEnd:
    case Stage::kTrailers:
      return read_chunks();
    case Stage::kDone:
      return State::kDone;
    case Stage::kFailed:
      return State::kFailed;
  }
  return State::kFailed;
}

Request RequestParser::take() {
  Request out = std::move(request_);
  request_ = {};
  stage_ = Stage::kHead;
  searched_ = 0;
  chunked_ = http10_ = false;
  left_ = 0;
  trailers_ = 0;
  return out;
}

RequestParser::State RequestParser::read_head() {
  // Some clients end a body with a line too many.
  while (buffer_.compare(at_, kEnd.size(), kEnd) == 0) {
    at_ += kEnd.size();
    searched_ = 0;
  }
  const std::string_view rest = std::string_view(buffer_).substr(at_);
  const std::size_t line_end = rest.find(kEnd);
  const std::size_t end = rest.find("\r\n\r\n", searched_);
  if (line_end == std::string_view::npos ? rest.size() > limits_.line + 1 : line_end > limits_.line)
    return fail(414, "the request line is too long");
  if (end == std::string_view::npos ? rest.size() > limits_.head : end > limits_.head)
    return fail(431, "the headers are too long");
  if (end == std::string_view::npos) {
    searched_ = rest.size() < 3 ? 0 : rest.size() - 3;
    return State::kMore;
  }
  const std::string head(rest.substr(0, end + kEnd.size()));
  at_ += end + 2 * kEnd.size();
  searched_ = 0;
  if (read_line(std::string_view(head).substr(0, line_end)) == State::kFailed) return State::kFailed;
  if (read_headers(std::string_view(head).substr(line_end + kEnd.size())) == State::kFailed) return State::kFailed;
  return read_framing();
}

RequestParser::State RequestParser::read_line(std::string_view line) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return fail(400, "the request line is none");
  const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
  std::string_view target = line.substr(first + 1, last - first - 1);
  if (!is_token(method) || method.size() > kLongestMethod) return fail(400, "the method is none");
  if (!version.starts_with("HTTP/")) return fail(400, "the request line is none");
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return fail(505, "HTTP/1.1 is spoken here");
  const auto is_visible = [](char c) { return c > 0x20 && c < 0x7f; };
  if (target.empty() || !std::all_of(target.begin(), target.end(), is_visible))
    return fail(400, "the request's target holds characters that none may hold");
  if (const std::size_t scheme = target.find("://"); target.front() != '/' && scheme != std::string_view::npos) {
    const std::size_t path = target.find('/', scheme + 3);
    target = path == std::string_view::npos ? std::string_view("/") : target.substr(path);
  }
  target = target.substr(0, target.find('#'));
  const std::size_t query = std::min(target.find('?'), target.size());
  std::optional<std::string> path = without_escapes(target.substr(0, query));
  if (!path) return fail(400, "the path has a percent sign without its two digits");
  http10_ = version == "HTTP/1.0";
  request_.method = method;
  request_.path = *std::move(path);
  request_.query = query < target.size() ? target.substr(query + 1) : "";
  return State::kMore;
}

RequestParser::State RequestParser::read_headers(std::string_view lines) {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find(kEnd));
    lines.remove_prefix(line.size() + kEnd.size());
    if (request_.headers.size() >= limits_.headers) return fail(431, "there are too many headers");
    const std::size_t colon = line.find(':');
    // a line that begins with a blank would continue the one before: obsolete, and read differently by others
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
      return fail(400, "a header is not name: value");
    const std::string_view value = without_blanks(line.substr(colon + 1));
    const auto is_control = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; };
    if (std::any_of(value.begin(), value.end(), is_control)) return fail(400, "a header holds control characters");
    request_.headers.emplace_back(lower(line.substr(0, colon)), value);
  }
  return State::kMore;
}

// How long the body is: the field that must not be read in two ways.
RequestParser::State RequestParser::read_framing() {
  int hosts = 0;
  std::optional<std::uint64_t> length;
  for (const auto& [name, value] : request_.headers) {
    if (name == "host") ++hosts;
    if (name == "transfer-encoding") {
      if (lower(value) != "chunked" || chunked_) return fail(501, "of transfer encodings chunked alone is known");
      chunked_ = true;
    }
    if (name == "content-length") {
      const bool digits = std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
      const std::optional<std::uint64_t> one = digits ? number(value, 10) : std::nullopt;
      if (!one && digits && !value.empty()) return fail(413, "the body is too long");
      if (!one || (length && *length != *one)) return fail(400, "Content-Length is no number");
      length = one;
    }
  }
  if (hosts > 1 || (hosts == 0 && !http10_)) return fail(400, "there must be one header Host");
  if (chunked_ && (length || http10_)) return fail(400, "Transfer-Encoding does not go with it");
  if (length.value_or(0) > limits_.body)
    return fail(413, "the body is longer than " + std::to_string(limits_.body) + " bytes");
  const std::string_view connection = request_.header("connection");
  request_.keep_alive = http10_ ? holds_word(connection, "keep-alive") : !holds_word(connection, "close");
  if (const std::string_view expect = request_.header("expect"); !expect.empty() && !http10_) {
    if (lower(expect) != "100-continue") return fail(417, "of expectations 100-continue alone is known");
    request_.expects_continue = true;
  }
  left_ = length.value_or(0);
  stage_ = chunked_ ? Stage::kChunkSize : Stage::kBody;
  return State::kHead;
}

RequestParser::State RequestParser::read_body() {
  const std::size_t part = static_cast<std::size_t>(std::min<std::uint64_t>(left_, buffer_.size() - at_));
  request_.body.append(buffer_, at_, part);
  at_ += part;
  left_ -= part;
  if (left_ > 0) return State::kMore;
  stage_ = Stage::kDone;
  return State::kDone;
}

// A line of the buffer without its end; false where it is not there yet, or too long (then all has failed).
bool RequestParser::take_line(std::string& line, std::size_t most) {
  const std::string_view rest = std::string_view(buffer_).substr(at_);
  const std::size_t end = rest.find(kEnd);
  if (end == std::string_view::npos ? rest.size() > most + 1 : end > most) {
    fail(400, "the body's chunks cannot be read");
    return false;
  }
  if (end == std::string_view::npos) return false;
  line = rest.substr(0, end);
  at_ += end + kEnd.size();
  return true;
}

RequestParser::State RequestParser::read_chunks() {
  std::string line;
  for (;;) {
    if (stage_ == Stage::kChunkSize) {
      if (!take_line(line, kLongestChunkLine)) return stage_ == Stage::kFailed ? State::kFailed : State::kMore;
      const std::optional<std::uint64_t> size =
          number(without_blanks(std::string_view(line).substr(0, line.find(';'))), 16);
      if (!size) return fail(400, "the body's chunks cannot be read");
      if (*size > limits_.body - request_.body.size())
        return fail(413, "the body is longer than " + std::to_string(limits_.body) + " bytes");
      left_ = *size;
      stage_ = left_ == 0 ? Stage::kTrailers : Stage::kChunk;
    } else if (stage_ == Stage::kChunk) {
      if (read_body() == State::kMore) return State::kMore;
      stage_ = Stage::kChunkEnd;
    } else if (stage_ == Stage::kChunkEnd) {
      if (!take_line(line, 0)) return stage_ == Stage::kFailed ? State::kFailed : State::kMore;
      stage_ = Stage::kChunkSize;
    } else {
      if (!take_line(line, limits_.head)) return stage_ == Stage::kFailed ? State::kFailed : State::kMore;
      if (line.empty()) {
        stage_ = Stage::kDone;
        return State::kDone;
      }
      if ((trailers_ += line.size() + 1) > limits_.head) return fail(431, "the trailers are too long");
    }
  }
}

}  // namespace tritonrl::http
