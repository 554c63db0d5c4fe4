// The header of a safetensors file, from any bytes. UserError is an answer; everything else is a finding.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/check.h"
#include "base/error.h"
#include "weights/safetensors.h"

using namespace tritonrl;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = std::as_bytes(std::span(data, size));
  try {
    const weights::SafetensorsHeader header = weights::parse_safetensors_header(file, "fuzz");
    std::size_t total = 0;
    for (const auto& entry : header.entries) {
      TRL_CHECK(entry.begin <= entry.end && entry.end <= size, "a tensor inside the file");
      std::size_t bytes = weights::size_of(entry.info.dtype);
      for (const std::int64_t length : entry.info.shape) bytes *= static_cast<std::size_t>(length);
      TRL_CHECK(bytes == entry.end - entry.begin, "a shape that fits its bytes");
      total += bytes;
    }
    TRL_CHECK(total < size, "bytes that belong to one tensor each");
  } catch (const base::UserError&) {
  }
  return 0;
}
