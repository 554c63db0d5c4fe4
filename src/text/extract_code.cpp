#include "text/extract_code.h"
namespace tritonrl::text {
ExtractedCode extract_code(std::string_view, const ExtractOptions&) { return {}; }
}
