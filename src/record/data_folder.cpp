#include "record/data_folder.h"

#include "base/check.h"

namespace tritonrl::record {

std::string to_string(Split split) {
  switch (split) {
    case Split::kTrain:
      return "train";
    case Split::kValidation:
      return "validation";
    case Split::kTest:
      return "test";
  }
  TRL_CHECK(false, "a split without a name");
}

}  // namespace tritonrl::record
