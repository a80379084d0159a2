// SPDX-License-Identifier: MIT
#include "flagtree/Runtime/ProcessPool.h"

#include <gtest/gtest.h>
#include <sched.h>

using namespace flagtree;

namespace {

TEST(NumThreads, PlainDecimalIsTaken) {
  EXPECT_EQ(parseThreadCount("1").value, 1);
  EXPECT_EQ(parseThreadCount("12").value, 12);
  EXPECT_EQ(parseThreadCount("1024").value, 1024);
}

TEST(NumThreads, UnsetOrEmptyMeansEveryCpuOfTheMask) {
  EXPECT_EQ(parseThreadCount(nullptr).value, availableCpus());
  EXPECT_EQ(parseThreadCount("").value, availableCpus());
}

TEST(NumThreads, AffinityMaskLimitsTheDefault) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(availableCpus(), CPU_COUNT(&before));
  int cpu = 0;
  while (!CPU_ISSET(cpu, &before))
    ++cpu;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(availableCpus(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

TEST(NumThreads, AnythingElseIsAnErrorThatSaysWhatIsAllowed) {
  for (const char *text : {"0", "-1", "1025", "two", "2x", " 2", "2.0", "+2", "99999999999999999999"}) {
    ThreadCount count = parseThreadCount(text);
    EXPECT_NE(count.error.find("FLAGTREE_NUM_THREADS='" + std::string(text)), std::string::npos) << text;
    EXPECT_NE(count.error.find("from 1 to 1024"), std::string::npos) << text;
  }
}

TEST(NumThreads, SettingChecksItsRange) {
  EXPECT_NE(setNumThreads(0).find("number of threads 0"), std::string::npos);
  EXPECT_NE(setNumThreads(1025).find("from 1 to 1024"), std::string::npos);
  EXPECT_EQ(setNumThreads(3), "");
  EXPECT_EQ(numThreads().value, 3);
  std::string error;
  ThreadPool *pool = processPool(error);
  ASSERT_NE(pool, nullptr) << error;
  EXPECT_EQ(pool->numThreads(), 3);
  EXPECT_EQ(processPool(error), pool);
}

} // namespace
