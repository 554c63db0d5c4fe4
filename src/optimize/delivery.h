#pragma once

#include <filesystem>
#include <string>

#include "base/json.h"
#include "optimize/optimize.h"

namespace tritonrl::optimize {

// The result as files: Python that stands alone and defines ModelNew, with how to use it on top, and its proof as JSON.
struct Delivery {
  std::filesystem::path code, proof;
  std::string module_name;  // by which the file is imported
};

// `out`: the Python file that the user named; empty: NAME_optimized.py in the working directory, by the file's name or,
// where the class was named, by that. UserError where the file could be the user's own: it is the module's, or does not
// begin as ours do.
Delivery delivery_of(const Subject& subject, const std::filesystem::path& out);

// What the winner's file says. `other_state`: how its parameters differ from the module's (state_names.h); empty: they
// do not.
std::string delivered_code(const Subject& subject, const Optimized& optimized, const Delivery& delivery,
                           const std::string& other_state);

// Whether a file is written: of what is faster, or of the best proven one where that is wanted too.
bool is_delivered(const Optimized& optimized, const OptimizeOptions& options);

// Writes file and proof, if it is delivered. Gives the proof.
base::Json deliver(const Subject& subject, const Optimized& optimized, const OptimizeOptions& options,
                   const Delivery& delivery, const std::string& other_state);

// Everything that was tried and what became of it, with the task itself, so that others can judge it again. `code`: the
// file that was written; empty: none was.
base::Json proof_json(const Subject& subject, const Optimized& optimized, const std::string& code,
                      const std::string& other_state);

}  // namespace tritonrl::optimize
