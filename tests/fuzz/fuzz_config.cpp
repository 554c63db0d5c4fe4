// config.json and adapter_config.json, from any bytes. UserError is an answer; everything else is a finding, and so is
// a config that does not come back when it is written.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/error.h"
#include "weights/adapter_config.h"
#include "weights/model_config.h"

using namespace tritonrl;

namespace {

// What was read and is written is read again.
template <typename Parse, typename Write>
void read_and_write(std::string_view text, const Parse& parse, const Write& write) {
  std::string written;
  try {
    written = write(parse(text, "fuzz"));
  } catch (const base::UserError&) {
    return;
  }
  TRL_CHECK(write(parse(written, "written")) == written, "a config that comes back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_and_write(text, weights::parse_model_config, weights::model_config_json);
  read_and_write(text, weights::parse_adapter_config, weights::adapter_config_json);
  return 0;
}
