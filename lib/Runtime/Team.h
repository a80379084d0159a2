// SPDX-License-Identifier: MIT
//
// The worker threads of a pool and the one job they share at a time.
#ifndef FLAGTREE_LIB_RUNTIME_TEAM_H
#define FLAGTREE_LIB_RUNTIME_TEAM_H

#include "Chunker.h"
#include "flagtree/Runtime/ThreadPool.h"

#include <atomic>
#include <memory>
#include <thread>

namespace flagtree {

/// Launches that this thread is in the middle of, a worker in its job included:
/// inside one, another runs inline.
inline thread_local int launchDepth = 0;

/// A range of work units, begin..end-1, packed to change in one atomic step.
/// The value is the whole state, so compare-and-swap has no ABA problem.
struct UnitRange {
  uint32_t begin = 0;
  uint32_t end = 0;

  bool empty() const { return begin >= end; }
  uint64_t pack() const { return uint64_t(end) << 32 | begin; }
  static UnitRange unpack(uint64_t bits) { return {uint32_t(bits), uint32_t(bits >> 32)}; }
};

/// One participant. Member 0 is whoever launches; the others are workers.
/// Aligned to two lines: neighbours' lines are fetched in pairs.
struct alignas(128) Member {
  /// Units still to be taken. Others only shrink it from the back.
  std::atomic<uint64_t> range{0};
  /// Counts calls to wake up; the worker sleeps on it.
  std::atomic<uint32_t> signal{0};
  std::atomic<uint32_t> asleep{0};
  std::thread thread;
};

/// The workers. One thread at a time holds the team (acquire to release) and
/// may open a job on it; any number of threads may try.
class Team {
public:
  explicit Team(int numThreads) : wanted(numThreads) {}
  ~Team() { stop(); }

  int wantedThreads() const { return wanted.load(std::memory_order_relaxed); }
  void setWantedThreads(int n) { wanted.store(n); }
  int workers() const { return numStarted.load(); }

  /// Takes the team if nobody holds it; never waits.
  bool acquire() { return !held.exchange(true, std::memory_order_acquire); }
  void release() { held.store(false, std::memory_order_release); }

  // What follows is for the holder alone.

  /// Makes the team as large as wanted, or as large as the system allows.
  void resize();
  /// Ends all worker threads.
  void stop();
  /// Shares programs first..total-1 among at most `participants` members,
  /// the caller included, and wakes the first worker.
  void open(const PoolTask &task, int64_t first, int participants);
  /// Lets no more workers in. True when none is inside.
  bool close();
  /// Sleeps until the last worker has left, a signal came, or 50 ms passed.
  /// True when none is inside.
  bool awaitWorkers();
  /// Tells all participants to stop at their next chunk.
  void cancel() { cancelled.store(true, std::memory_order_relaxed); }
  /// Forgets work that a cancelled job left behind.
  void clear();

  // What follows is for participants in an open job.

  /// Takes a chunk of programs for member `index` from its own range or
  /// another's. False when there is none left or the job was cancelled.
  bool take(int index, const Chunker &chunker, UnitRange &chunk);
  /// Runs a chunk and lets the chunker learn from it. Returns the time after.
  int64_t run(UnitRange chunk, Chunker &chunker, int64_t start);
  /// Wakes up to `count` participants that have not been called yet.
  void wakeNext(int count);
  /// Programs in a unit: more than one only in grids beyond 2^31 programs.
  int64_t programsPerUnit() const { return unit; }

private:
  static constexpr uint32_t kOpen = 1u << 31;

  void workerMain(int index);
  void participate(int index);
  bool enter();
  void leave();
  void wake(Member &member);
  bool takeOwn(Member &member, const Chunker &chunker, UnitRange &chunk);
  bool steal(int index);

  std::atomic<int> wanted;
  std::atomic<bool> held{false};
  std::atomic<int> numStarted{0};
  std::unique_ptr<Member[]> members;
  int numMembers = 0;
  /// The wanted size that the present team is the answer to.
  int sizedFor = 0;
  std::atomic<bool> stopping{false};

  /// kOpen while workers may enter, plus the number of workers inside. A
  /// worker that enters by a late signal finds a job all the same.
  alignas(128) std::atomic<uint32_t> gate{0};

  // The job: written by the holder while the gate is shut and nobody inside.
  alignas(128) PoolTask task;
  int64_t first = 0;
  int64_t unit = 1;
  int participants = 0;
  uint64_t floatBits = 0;
  std::atomic<bool> cancelled{false};
  std::atomic<int> nextToWake{0};
};

} // namespace flagtree

#endif // FLAGTREE_LIB_RUNTIME_TEAM_H
