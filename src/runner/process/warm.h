#pragma once

namespace tritonrl::runner {

// Pays once what every run would: the operator table, torch's registries and the libraries under it. Starts no thread.
void warm_up();

// Threads of this process.
int count_threads();

}  // namespace tritonrl::runner
