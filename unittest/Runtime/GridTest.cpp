// SPDX-License-Identifier: MIT
#include "flagtree/Runtime/Grid.h"
#include "TestBody.h"

#include <gtest/gtest.h>

using namespace flagtree;

namespace {

GridCheck check(int64_t x, int64_t y, int64_t z) {
  int64_t sizes[3] = {x, y, z};
  return checkGrid(sizes);
}

TEST(Grid, ProductOfSizesIsTheTotal) {
  EXPECT_EQ(check(2, 3, 5).total, 30);
  EXPECT_EQ(check(7, 0, 5).total, 0);
  EXPECT_EQ(check(65536, 65536, 1).total, int64_t(1) << 32);
  EXPECT_EQ(check(INT32_MAX, 1, 1).fault, GridFault::None);
}

TEST(Grid, NegativeSizeIsAFaultOfItsAxis) {
  GridCheck fault = check(4, -1, 4);
  EXPECT_EQ(fault.fault, GridFault::Negative);
  EXPECT_EQ(fault.axis, 1);
  EXPECT_EQ(check(0, 0, -7).fault, GridFault::Negative);
}

TEST(Grid, SizeBeyondThirtyOneBitsIsAFault) {
  GridCheck fault = check(1, 1, int64_t(1) << 31);
  EXPECT_EQ(fault.fault, GridFault::AxisTooLarge);
  EXPECT_EQ(fault.axis, 2);
}

TEST(Grid, TotalBeyondSixtyThreeBitsIsAFault) {
  EXPECT_EQ(check(INT32_MAX, INT32_MAX, INT32_MAX).fault, GridFault::TooManyPrograms);
  EXPECT_EQ(check(INT32_MAX, INT32_MAX, 0).fault, GridFault::None);
  EXPECT_EQ(check(INT32_MAX, INT32_MAX, 2).fault, GridFault::None);
}

extern "C" void addGridSize(const uint64_t *args, const int32_t *grid, int64_t begin, int64_t end) {
  auto *out = reinterpret_cast<std::atomic<int64_t> *>(args[0]);
  for (int64_t i = begin; i < end; ++i)
    out[i].fetch_add(int64_t(args[1]) + grid[0] * 10000 + grid[1] * 100 + grid[2]);
}

TEST(Grid, KernelSeesArgumentsGridAndEveryProgram) {
  ThreadPool pool(3);
  const int32_t grid[3] = {4, 3, 2};
  std::vector<std::atomic<int64_t>> out(24);
  uint64_t args[2] = {reinterpret_cast<uint64_t>(out.data()), uint64_t(-1)};
  EXPECT_EQ(runGrid(pool, addGridSize, args, grid, 24), LaunchResult::Done);
  for (auto &value : out)
    EXPECT_EQ(value.load(), 40301);
}

} // namespace
