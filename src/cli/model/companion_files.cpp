#include "cli/model/companion_files.h"

#include <string>

#include "base/files.h"
#include "cli/model/model_prompt.h"
#include "text/tokenizer/tokenizer_json.h"

namespace tritonrl::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTokenizerFiles[] = {"tokenizer.json",      "tokenizer_config.json",
                                           "chat_template.jinja", "special_tokens_map.json",
                                           "added_tokens.json",   "vocab.json",
                                           "merges.txt",          kPromptFile};

void write_tokenizer(const text::ModelText& text, const weights::ModelConfig& config, const fs::path& out) {
  base::write_file_atomically(out / "tokenizer.json", text::tokenizer_json(text.tokenizer.parts()));
  if (config.eos_token_ids.empty()) return;
  const auto end = static_cast<text::TokenId>(config.eos_token_ids.front());
  base::write_file_atomically(out / "tokenizer_config.json",
                              text::tokenizer_config_json({.eos_token = std::string(text.tokenizer.bytes_of(end)),
                                                           .chat_template = text.chat_template}));
}

}  // namespace

void write_companions(const weights::ModelLocation& location, const weights::ModelConfig& config, Companions which,
                      const fs::path& out) {
  fs::create_directories(out);
  if (location.kind == weights::ModelLocation::Kind::kGguf) {
    write_tokenizer(weights::open_tokenizer(location), config, out);
    return;
  }
  const auto copy = [&](const char* name) {
    if (fs::exists(location.path / name))
      base::write_file_atomically(out / name, base::read_file(location.path / name));
  };
  for (const char* name : kTokenizerFiles) copy(name);
  if (which == Companions::kAll) copy("generation_config.json");
}

}  // namespace tritonrl::cli
