#pragma once

#include <string>
#include <string_view>

namespace tritonrl::text {

// Canonical composition (NFC) of valid UTF-8. Returns `text` itself if nothing changes, else a view of `storage`.
std::string_view normalise_nfc(std::string_view text, std::string& storage);

}  // namespace tritonrl::text
