#include "judge/version.h"

namespace tritonrl::judge {

std::string judge_version() {
  return "3";
}

}  // namespace tritonrl::judge
