// SPDX-License-Identifier: MIT
#include "flagtree/Runtime/Grid.h"

#include "Host.h"

using namespace flagtree;

GridCheck flagtree::checkGrid(const int64_t sizes[3]) {
  GridCheck check;
  for (int axis = 0; axis < 3; ++axis) {
    if (sizes[axis] >= 0 && sizes[axis] <= INT32_MAX)
      continue;
    check.axis = axis;
    check.fault = sizes[axis] < 0 ? GridFault::Negative : GridFault::AxisTooLarge;
    return check;
  }
  // Two sizes of 31 bits fit; the third may overflow.
  int64_t plane = sizes[0] * sizes[1];
  if (__builtin_mul_overflow(plane, sizes[2], &check.total)) {
    check.total = 0;
    check.fault = GridFault::TooManyPrograms;
  }
  return check;
}

static void runPrograms(void *launch, int64_t begin, int64_t end) noexcept {
  static_cast<HostLaunch *>(launch)->run(begin, end);
}

LaunchResult flagtree::runGrid(ThreadPool &pool, KernelEntry entry, const uint64_t *args,
                               const int32_t grid[3], int64_t total, CostEstimate *cost, PoolTask::Poll poll,
                               void *pollContext, LaunchFailure *failure) {
  HostLaunch launch{entry, args, grid, {}, {}};
  PoolTask task;
  task.body = runPrograms;
  task.context = &launch;
  task.total = total;
  task.poll = poll;
  task.pollContext = pollContext;
  task.cost = cost;
  LaunchResult result = pool.run(task);
  if (failure && launch.failed.load())
    *failure = std::move(launch.failure);
  return result;
}
