// SPDX-License-Identifier: MIT
#include "TestBody.h"

#include <cfenv>
#include <csignal>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>

using namespace flagtree;
using namespace flagtree::test;

namespace {

class ThreadPoolSizes : public testing::TestWithParam<std::tuple<int, int64_t>> {};

TEST_P(ThreadPoolSizes, EveryProgramRunsOnce) {
  auto [threads, total] = GetParam();
  ThreadPool pool(threads);
  Counts counts(total);
  PoolTask task = taskOf(total, counts);
  for (int launch = 1; launch <= 20; ++launch) {
    ASSERT_EQ(pool.run(task), LaunchResult::Done);
    ASSERT_EQ(counts.wrong(launch), 0) << "launch " << launch;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ThreadPoolSizes,
                         testing::Combine(testing::Values(1, 2, 3, 4, 7, 16),
                                          testing::Values(1, 2, 3, 5, 16, 17, 1000, 65537)));

TEST(ThreadPool, EmptyLaunchRunsNothing) {
  ThreadPool pool(2);
  bool called = false;
  auto body = [&](int64_t, int64_t) { called = true; };
  EXPECT_EQ(pool.run(taskOf(0, body)), LaunchResult::Done);
  EXPECT_EQ(pool.run(taskOf(-1, body)), LaunchResult::Done);
  EXPECT_FALSE(called);
}

TEST(ThreadPool, LongProgramsUseEveryThread) {
  ThreadPool pool(4);
  ThreadSet threads;
  auto body = [&](int64_t begin, int64_t end) {
    threads.add();
    sleepMs(5 * int(end - begin));
  };
  pool.run(taskOf(40, body));
  EXPECT_EQ(threads.size(), 4u);
}

TEST(ThreadPool, WorkIsStolenFromWhoIsStuck) {
  // Program 0 sleeps through the launch: the rest of its owner's half must be
  // run by the other thread.
  ThreadPool pool(2);
  constexpr int64_t total = 200;
  std::atomic<int64_t> ran{0};
  std::atomic<bool> othersDone{false};
  auto body = [&](int64_t begin, int64_t end) {
    if (begin == 0) {
      for (int i = 0; i < 5000 && ran.load() < total - 1; ++i)
        sleepMs(1);
      othersDone = ran.load() == total - 1;
    }
    for (int64_t i = begin; i < end; ++i)
      if (i != 0)
        ran.fetch_add(1);
  };
  pool.run(taskOf(total, body));
  EXPECT_TRUE(othersDone);
}

TEST(ThreadPool, UnevenProgramsBalance) {
  // All the work is in the first quarter of the grid: 32 x 5 ms.
  ThreadPool pool(4);
  auto body = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      if (i < 32)
        sleepMs(5);
  };
  auto start = std::chrono::steady_clock::now();
  pool.run(taskOf(128, body));
  EXPECT_LT(secondsSince(start), 0.120) << "alone it takes 0.160 s";
}

TEST(ThreadPool, TinyProgramsComeInLargeChunks) {
  ThreadPool pool(2);
  std::atomic<int64_t> calls{0};
  auto body = [&](int64_t, int64_t) { calls.fetch_add(1); };
  pool.run(taskOf(1'000'000, body));
  EXPECT_LT(calls.load(), 1000);
}

TEST(ThreadPool, GridBeyondThirtyTwoBitsIsCovered) {
  ThreadPool pool(2);
  constexpr int64_t total = (int64_t(1) << 40) + 12345;
  std::atomic<int64_t> programs{0};
  std::atomic<int64_t> last{0};
  std::atomic<bool> bad{false};
  auto body = [&](int64_t begin, int64_t end) {
    if (begin < 0 || begin >= end || end > total)
      bad = true;
    programs.fetch_add(end - begin);
    int64_t seen = last.load();
    while (end > seen && !last.compare_exchange_weak(seen, end))
      ;
  };
  EXPECT_EQ(pool.run(taskOf(total, body)), LaunchResult::Done);
  EXPECT_FALSE(bad);
  EXPECT_EQ(programs.load(), total);
  EXPECT_EQ(last.load(), total);
}

TEST(ThreadPool, OneThreadRunsInOrderOnTheCaller) {
  ThreadPool pool(1);
  ThreadSet threads;
  int64_t expected = 0;
  bool ordered = true;
  auto body = [&](int64_t begin, int64_t end) {
    threads.add();
    ordered &= begin == expected;
    expected = end;
  };
  pool.run(taskOf(100'000, body));
  EXPECT_TRUE(ordered);
  EXPECT_TRUE(threads.only(std::this_thread::get_id()));
  EXPECT_EQ(pool.numWorkers(), 0);
}

TEST(ThreadPool, LaunchKnownToBeShortStaysOnTheCaller) {
  ThreadPool pool(4);
  CostEstimate cost;
  cost.update(10.0f);
  auto body = [](int64_t, int64_t) {};
  PoolTask task = taskOf(16, body);
  task.cost = &cost;
  pool.run(task);
  EXPECT_EQ(pool.numWorkers(), 0) << "no worker was even started";
}

TEST(ThreadPool, LaunchWronglyExpectedShortIsSharedAllTheSame) {
  ThreadPool pool(4);
  CostEstimate cost;
  cost.update(10.0f);
  ThreadSet threads;
  auto body = [&](int64_t begin, int64_t end) {
    threads.add();
    sleepMs(5 * int(end - begin));
  };
  PoolTask task = taskOf(40, body);
  task.cost = &cost;
  pool.run(task);
  EXPECT_EQ(threads.size(), 4u);
  EXPECT_GT(cost.nanoseconds(), 1e6f) << "and the estimate has learned";
}

TEST(CostEstimate, RisesAtOnceAndDecaysSlowly) {
  CostEstimate cost;
  EXPECT_EQ(cost.nanoseconds(), 0.0f);
  cost.update(1000.0f);
  EXPECT_EQ(cost.nanoseconds(), 1000.0f);
  cost.update(10.0f);
  EXPECT_EQ(cost.nanoseconds(), 750.0f);
  cost.update(5000.0f);
  EXPECT_EQ(cost.nanoseconds(), 5000.0f);
}

TEST(ThreadPool, NestedLaunchRunsInlineOnWhoeverCalls) {
  ThreadPool pool(4);
  std::atomic<int64_t> inner{0};
  std::atomic<bool> elsewhere{false};
  auto outer = [&](int64_t begin, int64_t end) {
    auto self = std::this_thread::get_id();
    for (int64_t i = begin; i < end; ++i) {
      auto nested = [&](int64_t b, int64_t e) {
        if (std::this_thread::get_id() != self)
          elsewhere = true;
        inner.fetch_add(e - b);
      };
      pool.run(taskOf(50, nested));
    }
    sleepMs(1);
  };
  pool.run(taskOf(64, outer));
  EXPECT_EQ(inner.load(), 64 * 50);
  EXPECT_FALSE(elsewhere);
}

TEST(ThreadPool, PollCancelsWhatHasNotStarted) {
  for (int threads : {1, 3}) {
    ThreadPool pool(threads);
    Counts counts(1000);
    auto body = [&](int64_t begin, int64_t end) {
      counts(begin, end);
      sleepMs(2 * int(end - begin));
    };
    auto poll = [] { return true; };
    PoolTask task = taskOf(1000, body);
    setPoll(task, poll);
    auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(pool.run(task), LaunchResult::Cancelled);
    EXPECT_LT(secondsSince(start), 0.5) << threads << " threads";
    EXPECT_GT(counts.sum(), 0);
    EXPECT_LT(counts.sum(), 1000);

    // Nothing runs on after the return, and the pool still works.
    int64_t ran = counts.sum();
    sleepMs(10);
    EXPECT_EQ(counts.sum(), ran);
    Counts again(1000);
    EXPECT_EQ(pool.run(taskOf(1000, again)), LaunchResult::Done);
    EXPECT_EQ(again.wrong(), 0);
  }
}

TEST(ThreadPool, PollIsCalledWhileTheCallerOnlyWaits) {
  // The caller takes one short program; a worker then holds a long one.
  ThreadPool pool(2);
  auto caller = std::this_thread::get_id();
  std::atomic<int> polls{0};
  std::atomic<bool> onCaller{true};
  std::atomic<bool> workerIn{false};
  auto body = [&](int64_t, int64_t) {
    if (std::this_thread::get_id() == caller) {
      while (!workerIn)
        std::this_thread::yield();
      return;
    }
    workerIn = true;
    sleepMs(300);
  };
  auto poll = [&] {
    ++polls;
    onCaller = std::this_thread::get_id() == caller;
    return false;
  };
  PoolTask task = taskOf(2, body);
  setPoll(task, poll);
  EXPECT_EQ(pool.run(task), LaunchResult::Done);
  EXPECT_GE(polls.load(), 2);
  EXPECT_LE(polls.load(), 7);
  EXPECT_TRUE(onCaller);
}

TEST(ThreadPool, PollMayLaunchAgain) {
  ThreadPool pool(2);
  Counts counts(100);
  auto poll = [&] {
    pool.run(taskOf(100, counts));
    return true;
  };
  auto body = [](int64_t begin, int64_t end) { sleepMs(2 * int(end - begin)); };
  PoolTask task = taskOf(1000, body);
  setPoll(task, poll);
  EXPECT_EQ(pool.run(task), LaunchResult::Cancelled);
  EXPECT_EQ(counts.wrong(), 0);
}

TEST(ThreadPool, ShortLaunchIsNeverPolled) {
  ThreadPool pool(2);
  int polls = 0;
  auto poll = [&] { return ++polls > 0; };
  auto body = [](int64_t, int64_t) {};
  PoolTask task = taskOf(16, body);
  setPoll(task, poll);
  EXPECT_EQ(pool.run(task), LaunchResult::Done);
  EXPECT_EQ(polls, 0);
}

TEST(ThreadPool, SecondLauncherDoesNotWaitForTheFirst) {
  ThreadPool pool(2);
  std::atomic<bool> release{false};
  auto blocked = [&](int64_t, int64_t) {
    while (!release)
      sleepMs(1);
  };
  std::thread first([&] { pool.run(taskOf(2, blocked)); });
  sleepMs(20);
  Counts counts(5000);
  EXPECT_EQ(pool.run(taskOf(5000, counts)), LaunchResult::Done);
  EXPECT_EQ(counts.wrong(), 0);
  EXPECT_FALSE(release);
  release = true;
  first.join();
}

TEST(ThreadPool, NumberOfThreadsChangesAtRunTime) {
  ThreadPool pool(2);
  auto body = [](int64_t, int64_t) {};
  for (int n : {4, 1, 8, 3}) {
    pool.setNumThreads(n);
    EXPECT_EQ(pool.numThreads(), n);
    pool.run(taskOf(10'000, body));
    EXPECT_EQ(pool.numWorkers(), n - 1);
  }
  pool.setNumThreads(0);
  EXPECT_EQ(pool.numThreads(), 1);
  pool.setNumThreads(1 << 30);
  EXPECT_EQ(pool.numThreads(), ThreadPool::kMaxThreads);
}

TEST(ThreadPool, StoppedWorkersComeBack) {
  ThreadPool pool(3);
  Counts counts(10'000);
  PoolTask task = taskOf(10'000, counts);
  pool.run(task);
  EXPECT_EQ(pool.numWorkers(), 2);
  EXPECT_TRUE(pool.stopWorkers());
  EXPECT_EQ(pool.numWorkers(), 0);
  pool.run(task);
  EXPECT_EQ(pool.numWorkers(), 2);
  EXPECT_EQ(counts.wrong(2), 0);
}

TEST(ThreadPool, StopWorkersRefusesDuringALaunch) {
  ThreadPool pool(2);
  std::atomic<bool> stopped{true};
  auto body = [&](int64_t, int64_t) { stopped = pool.stopWorkers(); };
  pool.run(taskOf(2, body));
  EXPECT_FALSE(stopped);
}

TEST(ThreadPool, IdleWorkersBurnNoTime) {
  ThreadPool pool(4);
  auto body = [](int64_t, int64_t) {};
  pool.run(taskOf(10'000, body));
  auto cpuSeconds = [] {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
  };
  sleepMs(20);
  double before = cpuSeconds();
  sleepMs(300);
  EXPECT_LT(cpuSeconds() - before, 0.03);
}

TEST(ThreadPool, WorkersLeaveSignalsToTheProgram) {
  ThreadPool pool(4);
  auto caller = std::this_thread::get_id();
  std::atomic<int> workers{0}, interrupts{0}, faults{0};
  auto body = [&](int64_t begin, int64_t end) {
    sleepMs(5 * int(end - begin));
    if (std::this_thread::get_id() == caller)
      return;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    workers.fetch_add(1);
    interrupts.fetch_add(sigismember(&blocked, SIGINT));
    faults.fetch_add(sigismember(&blocked, SIGSEGV));
  };
  pool.run(taskOf(16, body));
  EXPECT_GT(workers.load(), 0);
  EXPECT_EQ(interrupts.load(), workers.load());
  EXPECT_EQ(faults.load(), 0);
}

TEST(ThreadPool, WorkersRoundAsTheCallerDoes) {
  ThreadPool pool(4);
  auto quiet = [](int64_t, int64_t) {};
  pool.run(taskOf(100, quiet)); // workers start before the mode is set
  std::atomic<int> wrong{0};
  auto sums = [&](int64_t begin, int64_t end) {
    volatile double one = 1.0, tiny = 1e-30;
    volatile double sum = one + tiny;
    if (sum == 1.0)
      wrong.fetch_add(1);
    sleepMs(5 * int(end - begin));
  };
  std::fesetround(FE_UPWARD);
  pool.run(taskOf(16, sums));
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(wrong.load(), 0);
}

} // namespace
