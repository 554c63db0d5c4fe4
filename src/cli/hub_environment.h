#pragma once

#include "hub/hub.h"

namespace tritonrl::cli {

// The hub as Hugging Face's environment variables describe it.
hub::HubOptions hub_from_environment();

// Tells on the standard error how far downloads have come: a line that is drawn again on a terminal, elsewhere one at
// a file's beginning and end and every few seconds.
hub::Transfer transfer_on_stderr();

}  // namespace tritonrl::cli
