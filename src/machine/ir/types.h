#pragma once

#include <cstdint>
#include <string_view>

#include "machine/ir/cursor.h"
#include "machine/ir/type.h"

namespace tritonrl::machine {

// Reads the type at the cursor. `short_prefix` ("tt.ptr", "tt.tensordesc") is what a leading '<' stands behind where
// the operation leaves it out.
Type read_type(IrCursor& cursor, std::int64_t max_elements, std::string_view short_prefix = {});

// i1 in the shape of another type.
Type truth_like(const Type& type);
// What a load through a pointer of that type gives; kOpaque for what cannot be loaded through.
Type pointee(const Type& pointer);
// One element.
Type scalar_of(const Type& tensor);

}  // namespace tritonrl::machine
