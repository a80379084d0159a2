// SPDX-License-Identifier: MIT
//
// The thread sanitizer gives up on threads started after a fork, so the tests
// that need them are left out of its build.
#include "flagtree/Runtime/Fork.h"
#include "TestBody.h"
#include "flagtree/Runtime/ProcessPool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_THREAD__)
#define FLAGTREE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FLAGTREE_TSAN 1
#endif
#endif

using namespace flagtree;
using namespace flagtree::test;

#ifndef FLAGTREE_TSAN
namespace {

ThreadPool &pool() {
  setNumThreads(3);
  std::string error;
  return *processPool(error);
}

/// Runs `inChild` in a child that must exit with its result within 20 s.
template <typename F> int exitCodeOfChild(F inChild) {
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(inChild());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int launchesRight() {
  Counts counts(10'000);
  bool done = pool().run(taskOf(10'000, counts)) == LaunchResult::Done;
  bool threads = pool().numWorkers() == 2;
  return done && threads && counts.wrong() == 0 ? 42 : 1;
}

TEST(Fork, ChildMakesWorkersOfItsOwn) {
  ASSERT_EQ(launchesRight(), 42);
  EXPECT_EQ(exitCodeOfChild(launchesRight), 42);
  EXPECT_EQ(launchesRight(), 42) << "the parent goes on";
}

TEST(Fork, GrandchildWorksToo) {
  ASSERT_EQ(launchesRight(), 42);
  EXPECT_EQ(exitCodeOfChild([] { return exitCodeOfChild(launchesRight); }), 42);
}

TEST(Fork, ChildOfAForkDuringAnotherThreadsLaunchWorks) {
  std::atomic<bool> release{false}, running{false};
  auto body = [&](int64_t, int64_t) {
    running = true;
    while (!release)
      sleepMs(1);
  };
  std::thread launcher([&] { pool().run(taskOf(2, body)); });
  while (!running)
    sleepMs(1);
  EXPECT_EQ(exitCodeOfChild(launchesRight), 42);
  release = true;
  launcher.join();
}

TEST(Fork, LaunchCutByAForkInItsPollReportsItInTheChildOnly) {
  auto body = [](int64_t begin, int64_t end) { sleepMs(2 * int(end - begin)); };
  pid_t child = -1;
  auto poll = [&] {
    if (child == -1)
      child = fork();
    return false;
  };
  PoolTask task = taskOf(100, body);
  setPoll(task, poll);
  LaunchResult result = pool().run(task);
  if (child == 0) {
    alarm(20);
    _exit(result == LaunchResult::Forked ? launchesRight() : 2);
  }
  ASSERT_GT(child, 0);
  EXPECT_EQ(result, LaunchResult::Done);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

} // namespace
#endif
