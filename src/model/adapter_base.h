#pragma once

#include <string>

namespace tritonrl::model {

// By what an adapter and a model know which weights they belong to.
struct AdapterBase {
  std::string fingerprint;  // of the weights; empty: not known, as in every adapter that PEFT wrote
  std::string name;         // a hub id, or the path of a folder or file; empty: not known
};

// UserError if the adapter `where` was certainly made for other weights: by the fingerprints, or by hub ids where both
// names are such. Else what to tell the user where the names do not agree, or nothing.
std::string compare_bases(const AdapterBase& made_for, const AdapterBase& own, const std::string& where);

}  // namespace tritonrl::model
