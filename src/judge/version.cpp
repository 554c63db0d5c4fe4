#include "judge/version.h"

namespace tritonrl::judge {

std::string judge_version() {
  return "1";
}

}  // namespace tritonrl::judge
