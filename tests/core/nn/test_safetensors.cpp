#include "tests/support/test_registry.h"
