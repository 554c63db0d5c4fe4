#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "base/files.h"
#include "base/json_field.h"

namespace tritonrl::weights {

// Text files beside the weights are read whole; longer ones are not what they claim to be.
constexpr std::size_t kLongestConfig = std::size_t{16} << 20;

// False for what cannot be looked at, too.
inline bool is_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

// A JSON file beside the weights. UserError if it is none.
class JsonFile {
 public:
  JsonFile(std::string_view text, const std::string& where)
      : file_{.part = "weights", .where = where, .longest = kLongestConfig},
        object_(base::parse_foreign_object(text, file_)) {}
  static JsonFile read(const std::filesystem::path& path) {
    return JsonFile(base::read_file(path, kLongestConfig), path.string());
  }
  base::JsonField top() const { return {object_, file_}; }

 private:
  base::ForeignJson file_;
  base::Json object_;
};

}  // namespace tritonrl::weights
