#pragma once

namespace tritonrl::cli {

// What the build wrote down of itself (cmake/build_info.cmake). Empty: there is none.
struct BuildFacts {
  const char *version, *build_type, *compiler, *machine;
  const char *torch, *triton, *arrow;                // versions, of the interpreter that it was configured with
  const char *python, *torch_folder, *arrow_folder;  // that interpreter, and where these packages lay
};
extern const BuildFacts kBuildFacts;

// In a file of its own, since it changes with every commit.
struct BuildCommit {
  const char* commit;
  bool changed;  // files differed from it
};
extern const BuildCommit kBuildCommit;

}  // namespace tritonrl::cli
