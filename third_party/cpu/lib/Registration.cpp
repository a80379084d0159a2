// SPDX-License-Identifier: MIT
#include "flagtree-cpu/Passes.h"
#include "flagtree/Support/Registry.h"

static flagtree::BackendRegistration registration{nullptr, flagtree::cpu::registerFlagTreeCpuPasses};
