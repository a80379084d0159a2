// SPDX-License-Identifier: MIT
#include "Chunker.h"

#include <gtest/gtest.h>

using flagtree::Chunker;

namespace {

TEST(Chunker, StartsWithOne) { EXPECT_EQ(Chunker().next(1'000'000), 1); }

TEST(Chunker, TinyProgramsGrowToFiftyMicroseconds) {
  Chunker chunker;
  for (int step = 0; step < 6; ++step) {
    int64_t n = chunker.next(1'000'000);
    chunker.record(n, n * 100);
  }
  EXPECT_EQ(chunker.next(1'000'000), 500);
}

TEST(Chunker, GrowsAtMostEightfoldAStep) {
  Chunker chunker;
  chunker.record(1, 1);
  EXPECT_EQ(chunker.next(1'000'000), 8);
  chunker.record(8, 8);
  EXPECT_EQ(chunker.next(1'000'000), 64);
}

TEST(Chunker, LongProgramsComeOneByOne) {
  Chunker chunker;
  chunker.record(1, 10'000'000);
  EXPECT_EQ(chunker.next(1'000'000), 1);
}

TEST(Chunker, ShrinksWhenProgramsTurnLong) {
  Chunker chunker;
  chunker.record(500, 500 * 100);
  chunker.record(500, 500 * 50'000);
  EXPECT_EQ(chunker.next(1'000'000), 1);
}

TEST(Chunker, HalvesTowardTheEndButNotBelowTwoMicroseconds) {
  Chunker chunker;
  chunker.record(500, 500 * 100);
  EXPECT_EQ(chunker.next(600), 300);
  EXPECT_EQ(chunker.next(100), 50);
  EXPECT_EQ(chunker.next(30), 20);
  EXPECT_EQ(chunker.next(7), 7);
}

TEST(Chunker, ClockThatStandsStillIsNoDivisionByZero) {
  Chunker chunker;
  chunker.record(8, 0);
  EXPECT_EQ(chunker.next(1'000'000), 64);
}

} // namespace
