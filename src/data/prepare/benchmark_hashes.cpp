#include "data/prepare/benchmark_hashes.h"

#include <span>

#include "base/embedded_file.h"
#include "base/error.h"
#include "base/files.h"
#include "text/chars.h"

namespace tritonrl::data {

std::span<const base::EmbeddedFile> benchmark_hash_files();

namespace {

constexpr std::size_t kDigits = 32;

}  // namespace

BenchmarkHashes BenchmarkHashes::built_in() {
  BenchmarkHashes out;
  for (const base::EmbeddedFile& file : benchmark_hash_files()) out.add(std::string(file.text), std::string(file.name));
  return out;
}

void BenchmarkHashes::add_file(const std::filesystem::path& file) {
  add(base::read_file(file), file.string());
}

void BenchmarkHashes::add(const std::string& text, const std::string& name) {
  text::LineCursor lines(text);
  for (int number = 1; lines.next(); ++number) {
    const std::string_view line = text::trim(lines.line().substr(0, lines.line().find('#')));
    if (line.empty()) continue;
    if (line.size() != kDigits || line.find_first_not_of("0123456789abcdef") != std::string_view::npos)
      throw base::UserError("prepare", name + ":" + std::to_string(number) +
                                           ": is no hash of 32 hexadecimal digits; write the file with --write-hashes");
    hashes_.emplace(line);
  }
}

}  // namespace tritonrl::data
