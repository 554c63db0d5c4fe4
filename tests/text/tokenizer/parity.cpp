// The tokenizer behind a pipe, for scripts that compare it with another one.
//
//   text_tokenizer_parity encode TOKENIZER_JSON < strings > answers
//   text_tokenizer_parity ordinary TOKENIZER_JSON < strings > answers       (special tokens are ordinary text)
//   text_tokenizer_parity train VOCAB_SIZE SPLIT OUTPUT_JSON TEXT_FILE... (split: gpt2, gpt2_digits, qwen2, llama3)
//     (with a tokenizer_config.json beside an output of the name tokenizer.json)
//   text_tokenizer_parity template DIALECT > jinja       (dialect: qwen25, qwen2, smollm2, chatml)
//
// A string is four bytes of length and its bytes. An answer is a count and ids, then a length and the decoded text with
// invalid bytes replaced, then 1 if decoding token by token gave that same text. All numbers are 32 bits of this
// machine.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "text/chat_template.h"
#include "text/tokenizer/bpe_trainer.h"
#include "text/tokenizer/stream_decoder.h"
#include "text/tokenizer/tokenizer.h"
#include "text/tokenizer/tokenizer_json.h"
#include "text/tokenizer/utf8.h"

namespace {

using tritonrl::base::UserError;
using namespace tritonrl::text;

bool read_number(std::uint32_t& number) {
  return std::fread(&number, sizeof number, 1, stdin) == 1;
}

void write_number(std::uint32_t number) {
  std::fwrite(&number, sizeof number, 1, stdout);
}

int encode(const std::string& path, bool ordinary) {
  const Tokenizer tokenizer = Tokenizer::from_file(path);
  StreamDecoder stream(tokenizer, /*skip_special=*/false);
  std::string text;
  for (std::uint32_t length = 0; read_number(length);) {
    text.resize(length);
    if (std::fread(text.data(), 1, length, stdin) != length) throw UserError("parity", "a string is cut short");
    const std::vector<TokenId> ids = ordinary ? tokenizer.encode_ordinary(text) : tokenizer.encode(text);
    const std::string decoded = replace_invalid_utf8(tokenizer.decode(ids));
    std::string streamed;
    bool whole_characters = true;
    for (const TokenId id : ids) {
      const std::string part = stream.add(id);
      whole_characters &= is_valid_utf8(part);
      streamed += part;
    }
    streamed += stream.finish();
    write_number(static_cast<std::uint32_t>(ids.size()));
    std::fwrite(ids.data(), sizeof(TokenId), ids.size(), stdout);
    write_number(static_cast<std::uint32_t>(decoded.size()));
    std::fwrite(decoded.data(), 1, decoded.size(), stdout);
    write_number(whole_characters && streamed == decoded ? 1 : 0);
  }
  return 0;
}

Split split_named(const std::string& name) {
  if (name == "gpt2") return Split::kGpt2;
  if (name == "gpt2_digits") return Split::kGpt2Digits;
  if (name == "qwen2") return Split::kQwen2;
  if (name == "llama3") return Split::kLlama3;
  throw UserError("parity", "unknown split " + name);
}

int train(const std::vector<std::string>& arguments) {
  BpeTrainerOptions options;
  options.vocab_size = std::stoi(arguments.at(0));
  options.split = split_named(arguments.at(1));
  options.nfc = options.split == Split::kQwen2;
  options.special_tokens = {"<|endoftext|>", "<|im_start|>", "<|im_end|>"};
  BpeTrainer trainer(options);
  for (std::size_t i = 3; i < arguments.size(); ++i) trainer.add(tritonrl::base::read_file(arguments[i]));
  const std::filesystem::path output = arguments.at(2);
  tritonrl::base::write_file_atomically(output, tokenizer_json(trainer.train()));
  if (output.filename() != "tokenizer.json") return 0;
  const TokenizerConfig config{.eos_token = "<|im_end|>",
                               .pad_token = "<|endoftext|>",
                               .chat_template = chat_template_jinja(ChatDialect::kPlainChatMl)};
  tritonrl::base::write_file_atomically(output.parent_path() / "tokenizer_config.json", tokenizer_config_json(config));
  return 0;
}

int print_template(const std::string& name) {
  const std::map<std::string, ChatDialect> dialects = {{"qwen25", ChatDialect::kQwen25},
                                                       {"qwen2", ChatDialect::kQwen2},
                                                       {"smollm2", ChatDialect::kSmolLm2},
                                                       {"chatml", ChatDialect::kPlainChatMl}};
  const std::string jinja = chat_template_jinja(dialects.at(name));
  std::fwrite(jinja.data(), 1, jinja.size(), stdout);
  return 0;
}

}  // namespace

int main(int count, char** values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  try {
    if (arguments.size() == 2 && arguments[0] == "encode") return encode(arguments[1], /*ordinary=*/false);
    if (arguments.size() == 2 && arguments[0] == "ordinary") return encode(arguments[1], /*ordinary=*/true);
    if (arguments.size() == 2 && arguments[0] == "template") return print_template(arguments[1]);
    if (arguments.size() > 4 && arguments[0] == "train") return train({arguments.begin() + 1, arguments.end()});
    std::fprintf(stderr, "usage: text_tokenizer_parity encode|ordinary|train|template ...\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 2;
}
