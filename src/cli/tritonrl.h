#pragma once

namespace tritonrl::cli {

// The program `tritonrl`: reads its arguments, runs the verb that they name and gives the exit code.
int run_tritonrl(int argc, char** argv);

}  // namespace tritonrl::cli
