#pragma once

#include <string>
#include <string_view>

namespace tritonrl::data {

enum class FileKind { kParquet, kJson, kEmpty, kOther };

struct FileKindFound {
  FileKind kind = FileKind::kOther;
  std::string complaint;  // of kEmpty and kOther: what goes after the file's name in an error
};

// What a file is by its first bytes, some thousand of them.
FileKindFound kind_of_file(std::string_view head);

}  // namespace tritonrl::data
