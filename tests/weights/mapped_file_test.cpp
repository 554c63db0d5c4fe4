#include "weights/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/base/scratch_folder.h"
#include "tests/weights/goldens.h"

namespace tritonrl::weights {
namespace {

TEST(MappedFile, shows_the_bytes_and_keeps_them) {
  const base::ScratchFolder scratch;
  write_text(scratch.path("a"), "hello");
  const auto file = MappedFile::open(scratch.path("a"));
  std::filesystem::remove(scratch.path("a"));
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()), "hello");
}

TEST(MappedFile, says_what_cannot_be_mapped) {
  const base::ScratchFolder scratch;
  write_text(scratch.path("empty"), "");
  ASSERT_EQ(::mkfifo(scratch.path("pipe").c_str(), 0600), 0);
  expect_contains(error_of([&] { MappedFile::open(scratch.path("missing")); }), "missing: No such file");
  expect_contains(error_of([&] { MappedFile::open(scratch.path("empty")); }), "empty: is empty");
  expect_contains(error_of([&] { MappedFile::open(scratch.path()); }), "is a directory");
  expect_contains(error_of([&] { MappedFile::open(scratch.path("pipe")); }), "is not a regular file");
  write_text(scratch.path("model.safetensors"),
             "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 9\n");
  expect_contains(error_of([&] { MappedFile::open(scratch.path("model.safetensors")); }),
                  "model.safetensors: is a Git LFS pointer, not the file that it stands for; run `git lfs pull`");
}

}  // namespace
}  // namespace tritonrl::weights
