#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "hub/hub.h"

namespace tritonrl::hub {
namespace {

namespace fs = std::filesystem;
using Lookup = std::function<const char*(const char*)>;

std::optional<std::string> value_of(const Lookup& get, const std::string& name) {
  const char* value = get(name.c_str());
  return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
}

// The words that Hugging Face takes for yes, in any case.
bool is_true(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text == "1" || text == "ON" || text == "YES" || text == "TRUE";
}

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// "~" in front, "$NAME" and "${NAME}" anywhere; unknown names stay as they are.
std::string expanded(std::string text, const Lookup& get) {
  if (const auto home = value_of(get, "HOME"); home && (text == "~" || text.starts_with("~/"))) {
    text.replace(0, 1, *home);
  }
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const bool braced = text.compare(i, 2, "${") == 0;
    const std::size_t begin = i + (braced ? 2 : 1);
    std::size_t end = begin;
    if (text[i] == '$') {
      while (end < text.size() && is_name_char(text[end])) ++end;
    }
    const bool closed = !braced || (end < text.size() && text[end] == '}');
    const auto value = end > begin && closed ? value_of(get, text.substr(begin, end - begin)) : std::nullopt;
    if (value) {
      out += *value;
      i = end + (braced ? 1 : 0);
    } else {
      out += text[i++];
    }
  }
  return out;
}

// Hugging Face's folder for everything; none without a home.
std::optional<std::string> hugging_face_home(const Lookup& get) {
  if (const auto home = value_of(get, "HF_HOME")) return expanded(*home, get);
  if (const auto cache = value_of(get, "XDG_CACHE_HOME")) return expanded(*cache + "/huggingface", get);
  if (const auto home = value_of(get, "HOME")) return *home + "/.cache/huggingface";
  return std::nullopt;
}

std::string cleaned(std::string token) {
  std::erase_if(token, [](char c) { return c == '\r' || c == '\n'; });
  constexpr const char* kBlank = " \t\v\f";
  const std::size_t begin = token.find_first_not_of(kBlank);
  return begin == std::string::npos ? "" : token.substr(begin, token.find_last_not_of(kBlank) - begin + 1);
}

std::string token_of(const Lookup& get, const std::optional<std::string>& home) {
  if (const auto no = value_of(get, "HF_HUB_DISABLE_IMPLICIT_TOKEN"); no && is_true(*no)) return "";
  for (const char* name : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"}) {
    if (const auto token = value_of(get, name)) return cleaned(*token);
  }
  const auto path = value_of(get, "HF_TOKEN_PATH");
  if (!path && !home) return "";
  // Most people have no such file, and a model in a folder needs none: whatever is wrong with it is no error here.
  std::ifstream file(path ? expanded(*path, get) : *home + "/token", std::ios::binary);
  std::string text(4096, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return cleaned(text);
}

}  // namespace

HubOptions options_from_environment(const Lookup& get) {
  HubOptions options;
  if (const auto endpoint = value_of(get, "HF_ENDPOINT")) options.endpoint = *endpoint;
  while (options.endpoint.ends_with('/')) options.endpoint.pop_back();
  const std::optional<std::string> home = hugging_face_home(get);
  options.token = token_of(get, home);
  if (home) options.cache = *home + "/hub";
  for (const char* name : {"HUGGINGFACE_HUB_CACHE", "HF_HUB_CACHE"}) {  // the last one wins
    if (const auto cache = value_of(get, name)) options.cache = expanded(*cache, get);
  }
  for (const char* name : {"TRANSFORMERS_OFFLINE", "HF_HUB_OFFLINE"}) {
    if (const auto offline = value_of(get, name)) options.offline = is_true(*offline);
  }
  return options;
}

}  // namespace tritonrl::hub
