#include "model/adapter_base.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>

#include "base/error.h"

namespace tritonrl::model {
namespace {

bool is_hub_id(const std::string& name) {
  return std::count(name.begin(), name.end(), '/') == 1 && name.front() != '/' && name.front() != '.' &&
         !std::filesystem::exists(name);
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// What of a name is left wherever the model lies: "qwen2.5-0.5b" of "Qwen/Qwen2.5-0.5B", "/models/Qwen2.5-0.5B/" and
// "Qwen2.5-0.5B.Q4_1.gguf".
std::string own_name(std::string name) {
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  name = lower(name.substr(name.rfind('/') + 1));
  static const std::regex kFile("([-._](i?q[0-9]|b?f(16|32))[a-z0-9_]*)?\\.gguf$");
  return std::regex_replace(name, kFile, "");
}

}  // namespace

std::string compare_bases(const AdapterBase& made_for, const AdapterBase& own, const std::string& where) {
  if (!made_for.fingerprint.empty()) {
    if (made_for.fingerprint == own.fingerprint) return "";
    throw base::UserError("adapter", where + " was made for other base weights (fingerprint " + made_for.fingerprint +
                                         ", these have " + own.fingerprint + "; its config names " +
                                         (made_for.name.empty() ? "none" : made_for.name) +
                                         "); load that base, or pass --any-base to use it with this one");
  }
  if (made_for.name.empty() || own.name.empty() || lower(made_for.name) == lower(own.name)) return "";
  if (is_hub_id(made_for.name) && is_hub_id(own.name)) {
    throw base::UserError("adapter", where + " was made for " + made_for.name + ", this model is " + own.name +
                                         "; load that base, or pass --any-base to use it with this one");
  }
  if (own_name(made_for.name) == own_name(own.name)) return "";
  return where + " was made for " + made_for.name + " and is used with " + own.name +
         "; if that is another model its answers are worthless (--any-base: it is the same one)";
}

}  // namespace tritonrl::model
