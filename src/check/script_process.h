#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tritonrl::check {

// Starts Python with the text of a program (`-c`), `boot` on descriptor 4, and our input, output, environment and
// process group, and calls `line` for each line that it writes on descriptor 3 until all that hold it are gone. Its
// exit code, or 128 + signal. It is killed when this process ends.
int run_script_process(const std::string& executable, std::string_view program, const std::string& boot,
                       const std::function<void(std::string_view)>& line);

}  // namespace tritonrl::check
