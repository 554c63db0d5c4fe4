#include "data/rows/file_kind.h"

#include <algorithm>

#include "base/git_lfs.h"

namespace tritonrl::data {
namespace {

using namespace std::string_view_literals;

struct Mark {
  std::string_view bytes;
  std::string_view complaint;
};

constexpr Mark kMarks[] = {
    {"\x1F\x8B"sv, "is compressed by gzip; unpack it first"},
    {"\x28\xB5\x2F\xFD"sv, "is compressed by zstd; unpack it first"},
    {"BZh"sv, "is compressed by bzip2; unpack it first"},
    {"\xFD\x37zXZ"sv, "is compressed by xz; unpack it first"},
    {"\x04\x22\x4D\x18"sv, "is compressed by lz4; unpack it first"},
    {"PK\x03\x04"sv, "is a zip archive; unpack it first"},
    {"ARROW1"sv, "is an Arrow file; write it as parquet, e.g. by pyarrow.parquet.write_table"},
    {"\xFF\xFE"sv, "is UTF-16 text; write it as UTF-8"},
    {"\xFE\xFF"sv, "is UTF-16 text; write it as UTF-8"},
    {"PARE"sv, "is an encrypted parquet file; write it without encryption"},
};

}  // namespace

FileKindFound kind_of_file(std::string_view head) {
  if (head.empty()) return {FileKind::kEmpty, "is empty"};
  if (head.starts_with("PAR1")) return {FileKind::kParquet, ""};
  if (base::is_git_lfs_pointer(head)) return {FileKind::kOther, std::string(base::kGitLfsComplaint)};
  for (const Mark& mark : kMarks) {
    if (head.starts_with(mark.bytes)) return {FileKind::kOther, std::string(mark.complaint)};
  }
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {FileKind::kEmpty, "is empty"};
  if (head[first] == '[' || head[first] == '{') return {FileKind::kJson, ""};
  const std::string expected = "expected a parquet file, a JSON array of objects or JSON lines";
  if (head[first] == '<') return {FileKind::kOther, "looks like HTML, maybe the error page of a download; " + expected};
  return {FileKind::kOther, "is of another type; " + expected};
}

}  // namespace tritonrl::data
