// SPDX-License-Identifier: MIT
//
// Many launches from many threads; meant for the thread sanitizer as well.
#include "TestBody.h"

#include <gtest/gtest.h>
#include <random>

using namespace flagtree;
using namespace flagtree::test;

namespace {

TEST(ThreadPoolStress, LaunchesOfManyThreadsEachRunOnce) {
  ThreadPool pool(4);
  std::atomic<int64_t> wrong{0};
  std::vector<std::thread> launchers;
  for (int t = 0; t < 4; ++t)
    launchers.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int launch = 0; launch < 300; ++launch) {
        int64_t total = 1 + random() % 3000;
        Counts counts(total);
        if (pool.run(taskOf(total, counts)) != LaunchResult::Done)
          wrong.fetch_add(1);
        wrong.fetch_add(counts.wrong());
      }
    });
  for (auto &launcher : launchers)
    launcher.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST(ThreadPoolStress, PlainWritesOfProgramsAreSeenByTheCaller) {
  // No atomics in the data: the launch itself must order them.
  ThreadPool pool(4);
  std::vector<int> data(20'000, 0);
  auto body = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      data[i] += 1;
  };
  for (int launch = 1; launch <= 200; ++launch) {
    pool.run(taskOf(int64_t(data.size()), body));
    ASSERT_EQ(std::count(data.begin(), data.end(), launch), int64_t(data.size()));
  }
}

TEST(ThreadPoolStress, ResizingBetweenAndDuringLaunchesLosesNothing) {
  ThreadPool pool(2);
  std::atomic<bool> done{false};
  std::thread resizer([&] {
    std::mt19937 random(7);
    while (!done) {
      pool.setNumThreads(1 + random() % 6);
      if (random() % 4 == 0)
        pool.stopWorkers();
      std::this_thread::yield();
    }
  });
  int64_t wrong = 0;
  for (int launch = 0; launch < 500; ++launch) {
    Counts counts(2000);
    pool.run(taskOf(2000, counts));
    wrong += counts.wrong();
  }
  done = true;
  resizer.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadPoolStress, TinyLaunchesBackToBack) {
  ThreadPool pool(4);
  int64_t ran = 0;
  std::atomic<int64_t> sum{0};
  auto body = [&](int64_t begin, int64_t end) { sum.fetch_add(end - begin); };
  for (int launch = 0; launch < 20'000; ++launch) {
    int64_t total = 2 + launch % 7;
    pool.run(taskOf(total, body));
    ran += total;
    ASSERT_EQ(sum.load(), ran);
  }
}

TEST(ThreadPoolStress, CancelledLaunchesNeverRunAProgramTwice) {
  ThreadPool pool(4);
  for (int launch = 0; launch < 6; ++launch) {
    constexpr int64_t total = 200'000;
    Counts counts(total);
    std::atomic<bool> over{false};
    std::atomic<bool> late{false};
    auto body = [&](int64_t begin, int64_t end) {
      if (over)
        late = true;
      counts(begin, end);
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    };
    auto poll = [] { return true; };
    PoolTask task = taskOf(total, body);
    setPoll(task, poll);
    LaunchResult result = pool.run(task);
    over = true;
    int64_t zero = counts.wrong(1);
    EXPECT_EQ(counts.sum() + zero, total) << "some program ran twice";
    EXPECT_EQ(result == LaunchResult::Done, zero == 0);
    EXPECT_FALSE(late);
  }
}

} // namespace
