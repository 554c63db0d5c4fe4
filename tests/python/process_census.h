#pragma once

namespace tritonrl::python {

// Open descriptors of this process.
int open_descriptors();

// Processes whose ancestor this one is, once those that are about to end have had a second to do so. A recorder has
// one: its zygote.
int lasting_descendants();

}  // namespace tritonrl::python
