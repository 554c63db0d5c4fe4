#include "text/extract_code.h"
#include <gtest/gtest.h>
