// SPDX-License-Identifier: MIT
#include "flagtree/Runtime/Grid.h"
#include "Host.h"
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

KernelContext *contextOf(const int32_t *grid) {
  return const_cast<KernelContext *>(reinterpret_cast<const KernelContext *>(grid));
}

extern "C" void failsInThirteen(const uint64_t *args, const int32_t *grid, int64_t begin, int64_t end) {
  auto *ended = reinterpret_cast<std::atomic<int> *>(args[0]);
  KernelContext *context = contextOf(grid);
  for (int64_t i = begin; i < end; ++i) {
    if (i % 20 == 13)
      context->host->fail(context, int32_t(i), 1, 2, "thirteen");
    ended->fetch_add(1);
  }
}

TEST(Grid, AFailureEndsItsProgramAndTheLaunch) {
  ThreadPool pool(2);
  const int32_t grid[3] = {1000, 1, 1};
  std::atomic<int> ended{0};
  uint64_t args[1] = {reinterpret_cast<uint64_t>(&ended)};
  LaunchFailure failure;
  runGrid(pool, failsInThirteen, args, grid, 1000, nullptr, nullptr, nullptr, &failure);
  EXPECT_EQ(failure.kind, FailureKind::Assertion);
  EXPECT_EQ(failure.text, "thirteen");
  EXPECT_EQ(failure.program[0] % 20, 13);
  EXPECT_EQ(failure.program[1], 1);
  EXPECT_EQ(failure.program[2], 2);
  EXPECT_LT(ended.load(), 1000);
  // The pool works as before.
  std::vector<std::atomic<int64_t>> out(10);
  uint64_t more[2] = {reinterpret_cast<uint64_t>(out.data()), 0};
  EXPECT_EQ(runGrid(pool, addGridSize, more, grid, 10), LaunchResult::Done);
  EXPECT_EQ(out[9].load(), 1000 * 10000 + 101);
}

extern "C" void takesScratch(const uint64_t *args, const int32_t *grid, int64_t begin, int64_t end) {
  KernelContext *context = contextOf(grid);
  for (int64_t i = begin; i < end; ++i) {
    auto *memory = static_cast<char *>(context->host->scratch(context, int64_t(args[0])));
    memory[args[0] - 1] = 1;
    reinterpret_cast<std::atomic<uint64_t> *>(args[1])->fetch_or(reinterpret_cast<uint64_t>(memory) % 64);
  }
}

TEST(Grid, ProgramsGetMemoryOrTheLaunchFails) {
  ThreadPool pool(2);
  const int32_t grid[3] = {50, 1, 1};
  std::atomic<uint64_t> misaligned{0};
  LaunchFailure failure;
  for (uint64_t bytes : {uint64_t(1), uint64_t(1000), uint64_t(1) << 20}) {
    uint64_t args[2] = {bytes, reinterpret_cast<uint64_t>(&misaligned)};
    runGrid(pool, takesScratch, args, grid, 50, nullptr, nullptr, nullptr, &failure);
    EXPECT_EQ(failure.kind, FailureKind::None);
  }
  EXPECT_EQ(misaligned.load(), 0u);
  uint64_t args[2] = {uint64_t(1) << 56, reinterpret_cast<uint64_t>(&misaligned)};
  runGrid(pool, takesScratch, args, grid, 50, nullptr, nullptr, nullptr, &failure);
  EXPECT_EQ(failure.kind, FailureKind::OutOfMemory);
  EXPECT_EQ(failure.bytes, int64_t(1) << 56);
}

TEST(Print, ALineAnElementAsUpstreamPrintsThem) {
  const int32_t program[3] = {4, 0, 1};
  const int16_t numbers[12] = {-1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::string lines = formatPrint(program, "s16 dec -1 2x6\n x: ", numbers);
  EXPECT_EQ(lines.substr(0, lines.find('\n')), "pid (4, 0, 1) idx (0, 0) x: -1");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 12);
  EXPECT_NE(lines.find("idx (1, 5) x: 12\n"), std::string::npos);
  EXPECT_EQ(formatPrint(program, "s16 hex 1 \n x: ", numbers),
            "pid (4, 0, 1) idx () x: (operand 1) 0xffff\n");
  EXPECT_EQ(formatPrint(program, "u16 dec -1 \n ", numbers), "pid (4, 0, 1) idx () 65535\n");
  EXPECT_EQ(formatPrint(program, "n0 dec -1 \n here", nullptr), "pid (4, 0, 1) here\n");
  const double values[16] = {3.25};
  lines = formatPrint(program, "f64 dec -1 1x16\n p: ", values);
  EXPECT_EQ(lines.substr(0, lines.find('\n')), "pid (4, 0, 1) idx (0,  0) p: 3.250000");
}

} // namespace
