#include "cli/tritonrl.h"

// Without CLI11, whose header takes seconds in every file that sees it.
int main(int argc, char** argv) {
  return tritonrl::cli::run_tritonrl(argc, argv);
}
