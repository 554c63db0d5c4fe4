#include "data/prepare/split.h"

#include "base/sha256.h"
#include "text/chars.h"

namespace tritonrl::data {

record::Split split_of(const std::string& key, const SplitOptions& options) {
  const std::string digits = base::sha256("split " + std::to_string(options.seed) + " " + key).substr(0, 13);
  const double place =
      static_cast<double>(std::stoull(digits, nullptr, 16)) / static_cast<double>(std::uint64_t{1} << 52);
  if (place < options.test) return record::Split::kTest;
  if (place < options.test + options.validation) return record::Split::kValidation;
  return record::Split::kTrain;
}

std::string split_key(const std::string& id, const std::string& repository, const std::string& operator_hash) {
  if (!repository.empty()) return "project " + project_key(repository);
  if (!operator_hash.empty()) return "operators " + operator_hash;
  return "id " + id;
}

std::string project_key(const std::string& repository) {
  std::string key = repository;
  while (!key.empty() && key.back() == '/') key.pop_back();
  key = key.substr(key.rfind('/') + 1);
  if (key.ends_with(".git")) key.resize(key.size() - 4);
  for (char& c : key) c = text::lower(c);
  return key;
}

}  // namespace tritonrl::data
