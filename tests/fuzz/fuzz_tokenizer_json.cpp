// A tokenizer.json of any bytes loads or is refused by a UserError; what loads can encode and decode.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "text/tokenizer/stream_decoder.h"
#include "text/tokenizer/tokenizer.h"
#include "text/tokenizer/tokenizer_json.h"
#include "text/tokenizer/utf8.h"

namespace {

using namespace tritonrl::text;

constexpr std::string_view kTexts[] = {
    "",
    "def f(x):\n    return x ** 2  # it's 100\n",
    "  <|im_start|>user\r\n\t I'LL caf\xC3\xA9 cafe\xCC\x81 \xE1\x84\x80\xE1\x85\xA1 <|im_end|>  ",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "\xFF\xE2\x82 \xF0\x9F\x98\x80 \xC2\xA0\xE3\x80\x80 abababab bcabc",
};

void expect(bool holds) {
  if (!holds) std::abort();
}

void use(const Tokenizer& tokenizer, std::string_view text) {
  const std::vector<TokenId> ids = tokenizer.encode(text);
  for (const TokenId id : ids) expect(id >= 0 && id < tokenizer.size());
  StreamDecoder stream(tokenizer, /*skip_special=*/false);
  std::string streamed;
  for (const TokenId id : ids) {
    const std::string part = stream.add(id);
    expect(is_valid_utf8(part));
    streamed += part;
  }
  expect(streamed + stream.finish() == replace_invalid_utf8(tokenizer.decode(ids)));
  expect(tokenizer.encode(text) == ids);
  tokenizer.encode_ordinary(text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view json(reinterpret_cast<const char*>(data), size);
    const Tokenizer tokenizer = Tokenizer::from_json(json, "fuzz");
    for (const std::string_view text : kTexts) use(tokenizer, text);
    use(tokenizer, json);
    // What was read can be written and read again, to the same.
    const std::string written = tokenizer_json(tokenizer.parts());
    expect(tokenizer_json(parse_tokenizer_json(written, "written")) == written);
  } catch (const tritonrl::base::UserError&) {
  }
  return 0;
}
