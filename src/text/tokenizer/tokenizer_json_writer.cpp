#include <string>
#include <tuple>
#include <vector>

#include "base/json.h"
#include "text/tokenizer/tokenizer_json.h"

namespace tritonrl::text {
namespace {

using base::Json;

Json byte_level(bool add_prefix_space, bool use_regex) {
  return {
      {"type", "ByteLevel"}, {"add_prefix_space", add_prefix_space}, {"trim_offsets", false}, {"use_regex", use_regex}};
}

Json sequence(Json first, Json second) {
  return {{"type", "Sequence"}, {"pretokenizers", Json::array({std::move(first), std::move(second)})}};
}

Json pre_tokenizer(const TokenizerParts& parts) {
  const Json bytes = byte_level(parts.add_prefix_space, /*use_regex=*/true);
  switch (parts.split) {
    case Split::kGpt2:
      return bytes;
    case Split::kGpt2Digits:
      return sequence({{"type", "Digits"}, {"individual_digits", true}}, bytes);
    case Split::kQwen2:
    case Split::kLlama3:
      break;
  }
  const Json split = {{"type", "Split"},
                      {"pattern", {{"Regex", std::string(split_pattern(parts.split))}}},
                      {"behavior", "Isolated"},
                      {"invert", false}};
  return sequence(split, byte_level(/*add_prefix_space=*/false, /*use_regex=*/false));
}

Json added_tokens(const TokenizerParts& parts) {
  Json tokens = Json::array();
  for (const AddedToken& token : parts.added) {
    tokens.push_back({{"id", token.id},
                      {"content", token.content},
                      {"single_word", token.single_word},
                      {"lstrip", token.strip_left},
                      {"rstrip", token.strip_right},
                      {"normalized", token.normalized},
                      {"special", token.special}});
  }
  return tokens;
}

// Readers number added tokens after the vocabulary, whatever the file says, unless they find them in it: those whose
// ids are gaps in the vocabulary (GGUF keeps them apart) must stand there.
std::vector<std::string> with_added_tokens(const TokenizerParts& parts) {
  std::vector<std::string> tokens = parts.vocabulary;
  for (const AddedToken& added : parts.added) {
    const auto id = static_cast<std::size_t>(added.id);
    if (id < tokens.size() && tokens[id].empty()) tokens[id] = added.content;
  }
  return tokens;
}

Json model(const TokenizerParts& parts) {
  // By name each token would be looked for among all before it.
  Json vocabulary = Json::object();
  const std::vector<std::string> tokens = with_added_tokens(parts);
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    if (!tokens[id].empty()) vocabulary.items().push_back({tokens[id], id});
  }
  Json merges = Json::array();
  for (const auto& [left, right] : parts.merges) merges.push_back(Json::array({left, right}));
  return {{"type", "BPE"},
          {"dropout", nullptr},
          {"unk_token", parts.unknown_token.empty() ? Json(nullptr) : Json(parts.unknown_token)},
          {"continuing_subword_prefix", nullptr},
          {"end_of_word_suffix", nullptr},
          {"fuse_unk", parts.fuse_unknown},
          {"byte_fallback", false},
          {"ignore_merges", parts.ignore_merges},
          {"vocab", std::move(vocabulary)},
          {"merges", std::move(merges)}};
}

// As Llama 3's: nothing for the bytes, then a template with what the text begins with.
Json post_processor(const TokenizerParts& parts) {
  Json bytes = byte_level(/*add_prefix_space=*/false, /*use_regex=*/false);
  if (parts.before_text.empty()) return bytes;
  const std::vector<std::string> tokens = with_added_tokens(parts);
  Json single = Json::array(), special = Json::object();
  for (const TokenId id : parts.before_text) {
    std::string name = static_cast<std::size_t>(id) < tokens.size() ? tokens[static_cast<std::size_t>(id)] : "";
    for (const AddedToken& added : parts.added) {
      if (added.id == id) name = added.content;
    }
    single.push_back({{"SpecialToken", {{"id", name}, {"type_id", 0}}}});
    special[name] = {{"id", name}, {"ids", Json::array({id})}, {"tokens", Json::array({name})}};
  }
  Json pair = single;
  for (const auto& [list, name, type] : {std::tuple{&single, "A", 0}, {&pair, "A", 0}, {&pair, "B", 1}})
    list->push_back({{"Sequence", {{"id", name}, {"type_id", type}}}});
  return {{"type", "Sequence"},
          {"processors", Json::array({std::move(bytes),
                                      {{"type", "TemplateProcessing"},
                                       {"single", std::move(single)},
                                       {"pair", std::move(pair)},
                                       {"special_tokens", std::move(special)}}})}};
}

}  // namespace

std::string tokenizer_json(const TokenizerParts& parts) {
  const Json document = {{"version", "1.0"},
                         {"truncation", nullptr},
                         {"padding", nullptr},
                         {"added_tokens", added_tokens(parts)},
                         {"normalizer", parts.nfc ? Json{{"type", "NFC"}} : Json(nullptr)},
                         {"pre_tokenizer", pre_tokenizer(parts)},
                         {"post_processor", post_processor(parts)},
                         {"decoder", byte_level(/*add_prefix_space=*/false, /*use_regex=*/true)},
                         {"model", model(parts)}};
  return document.dump() + "\n";
}

std::string tokenizer_config_json(const TokenizerConfig& config) {
  Json document = {{"tokenizer_class", "PreTrainedTokenizerFast"},
                   {"clean_up_tokenization_spaces", false},
                   {"model_max_length", config.model_max_length},
                   {"eos_token", config.eos_token},
                   {"pad_token", config.pad_token.empty() ? config.eos_token : config.pad_token}};
  if (!config.chat_template.empty()) document["chat_template"] = config.chat_template;
  return document.dump(2) + "\n";
}

}  // namespace tritonrl::text
