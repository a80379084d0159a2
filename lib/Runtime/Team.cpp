// SPDX-License-Identifier: MIT
#include "Team.h"
#include "FloatEnvironment.h"
#include "Futex.h"

#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <system_error>

using namespace flagtree;

namespace {
/// Looks before sleeping or giving up: about two microseconds.
constexpr int kPauses = 40;
/// How long a launcher stays awake for the last worker.
constexpr int64_t kAwakeNs = 30'000;
constexpr int64_t kWaitNs = 50'000'000;
constexpr int64_t kMostUnits = int64_t(1) << 31;

/// Blocks, for the threads started in its scope, the signals that a process
/// is sent: they belong to the threads of the program. Faults stay where they
/// happen, and profilers see the workers.
class BlockedSignals {
public:
  BlockedSignals() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF})
      sigdelset(&blocked, signal);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

private:
  sigset_t before;
};

void nameThread([[maybe_unused]] int index) {
#ifdef __linux__
  char name[16];
  std::snprintf(name, sizeof name, "flagtree-%d", index);
  pthread_setname_np(pthread_self(), name);
#endif
}
} // namespace

//===-- the holder's side ------------------------------------------------===//

void Team::resize() {
  int size = wantedThreads();
  if (size == sizedFor)
    return;
  stop();
  members = std::make_unique<Member[]>(size);
  numMembers = 1;
  BlockedSignals guard;
  for (int index = 1; index < size; ++index) {
    try {
      members[index].thread = std::thread([this, index] { workerMain(index); });
    } catch (const std::system_error &) {
      // A limit on threads or memory: work with those that started.
      break;
    }
    numMembers = index + 1;
    numStarted.store(index);
  }
  sizedFor = size;
}

void Team::stop() {
  stopping.store(true);
  for (int index = 1; index < numMembers; ++index)
    wake(members[index]);
  for (int index = 1; index < numMembers; ++index)
    members[index].thread.join();
  stopping.store(false);
  numStarted.store(0);
  numMembers = 0;
  sizedFor = 0;
}

void Team::open(const PoolTask &newTask, int64_t newFirst, int most) {
  task = newTask;
  first = newFirst;
  int64_t programs = task.total - first;
  unit = (programs - 1) / kMostUnits + 1;
  int64_t units = (programs - 1) / unit + 1;
  participants = int(std::min<int64_t>({most, numMembers, units}));
  floatBits = floatEnvironment();
  cancelled.store(false, std::memory_order_relaxed);
  nextToWake.store(1, std::memory_order_relaxed);
  // The same member gets the same part each time: its caches may hold it.
  for (int64_t i = 0; i < participants; ++i) {
    UnitRange part{uint32_t(units * i / participants), uint32_t(units * (i + 1) / participants)};
    members[i].range.store(part.pack(), std::memory_order_relaxed);
  }
  gate.fetch_or(kOpen, std::memory_order_release);
  wakeNext(1);
}

bool Team::close() {
  uint32_t before = gate.fetch_and(~kOpen, std::memory_order_acq_rel);
  return before == kOpen;
}

bool Team::awaitWorkers() {
  // What is left is at most a chunk or a program. Waking a processor that has
  // gone to sleep can take longer, so stay awake a moment, giving way to a
  // worker that may need this very processor.
  int64_t until = nowNs() + kAwakeNs;
  do {
    for (int i = 0; i < kPauses; ++i) {
      if (gate.load(std::memory_order_acquire) == 0)
        return true;
      cpuPause();
    }
    std::this_thread::yield();
  } while (nowNs() < until);
  if (uint32_t inside = gate.load(std::memory_order_acquire))
    futexWait(gate, inside, kWaitNs);
  return gate.load(std::memory_order_acquire) == 0;
}

void Team::clear() {
  for (int index = 0; index < numMembers; ++index)
    members[index].range.store(0, std::memory_order_relaxed);
}

void Team::wake(Member &member) {
  // Sequentially consistent, as is the sleeper's side: either it sees the new
  // signal or we see it asleep.
  member.signal.fetch_add(1);
  if (member.asleep.load())
    futexWake(member.signal);
}

void Team::wakeNext(int count) {
  while (count-- > 0) {
    if (nextToWake.load(std::memory_order_relaxed) >= participants)
      return;
    int index = nextToWake.fetch_add(1, std::memory_order_relaxed);
    if (index >= participants)
      return;
    wake(members[index]);
  }
}

//===-- taking work ------------------------------------------------------===//

bool Team::takeOwn(Member &member, const Chunker &chunker, UnitRange &chunk) {
  uint64_t bits = member.range.load(std::memory_order_relaxed);
  for (;;) {
    UnitRange range = UnitRange::unpack(bits);
    if (range.empty())
      return false;
    int64_t remaining = int64_t(range.end) - range.begin;
    uint32_t middle = range.begin + uint32_t(chunker.next(remaining));
    UnitRange rest{middle, range.end};
    if (member.range.compare_exchange_weak(bits, rest.pack(), std::memory_order_acq_rel,
                                           std::memory_order_relaxed)) {
      chunk = {range.begin, middle};
      return true;
    }
  }
}

bool Team::steal(int index) {
  for (int step = 1; step < participants; ++step) {
    int victim = (index + step) % participants;
    std::atomic<uint64_t> &theirs = members[victim].range;
    uint64_t bits = theirs.load(std::memory_order_relaxed);
    for (;;) {
      UnitRange range = UnitRange::unpack(bits);
      if (range.empty())
        break;
      uint32_t middle = range.begin + (range.end - range.begin) / 2;
      UnitRange left{range.begin, middle};
      if (theirs.compare_exchange_weak(bits, left.pack(), std::memory_order_acq_rel,
                                       std::memory_order_relaxed)) {
        // Ours is empty, and nobody touches an empty range but its owner.
        UnitRange stolen{middle, range.end};
        members[index].range.store(stolen.pack(), std::memory_order_release);
        return true;
      }
    }
  }
  return false;
}

bool Team::take(int index, const Chunker &chunker, UnitRange &chunk) {
  // Between a theft and its entry in the thief's range work is out of sight:
  // look a few times before giving up.
  for (int tries = 0; tries < kPauses;) {
    if (cancelled.load(std::memory_order_relaxed))
      return false;
    if (takeOwn(members[index], chunker, chunk))
      return true;
    if (!steal(index)) {
      ++tries;
      cpuPause();
    }
  }
  return false;
}

int64_t Team::run(UnitRange chunk, Chunker &chunker, int64_t start) {
  int64_t begin = first + chunk.begin * unit;
  int64_t end = std::min(first + chunk.end * unit, task.total);
  task.body(task.context, begin, end);
  int64_t stop = nowNs();
  chunker.record(chunk.end - chunk.begin, stop - start);
  return stop;
}

//===-- the workers' side ------------------------------------------------===//

bool Team::enter() {
  uint32_t seen = gate.load(std::memory_order_relaxed);
  while (seen & kOpen)
    if (gate.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel, std::memory_order_relaxed))
      return true;
  return false;
}

void Team::leave() {
  // The last one out of a closed job wakes the launcher.
  if (gate.fetch_sub(1, std::memory_order_acq_rel) == 1)
    futexWake(gate);
}

void Team::participate(int index) {
  if (index >= participants)
    return;
  wakeNext(2);
  setFloatEnvironment(floatBits);
  Chunker chunker;
  UnitRange chunk;
  int64_t now = nowNs();
  while (take(index, chunker, chunk))
    now = run(chunk, chunker, now);
}

/// Returns when the member has been called since it saw `seen`.
static void awaitSignal(Member &member, uint32_t seen) {
  for (int i = 0; i < kPauses; ++i) {
    if (member.signal.load(std::memory_order_acquire) != seen)
      return;
    cpuPause();
  }
  member.asleep.store(1);
  while (member.signal.load() == seen)
    futexWait(member.signal, seen);
  member.asleep.store(0, std::memory_order_relaxed);
}

void Team::workerMain(int index) {
  nameThread(index);
  launchDepth = 1;
  Member &self = members[index];
  uint32_t seen = 0;
  for (;;) {
    awaitSignal(self, seen);
    seen = self.signal.load(std::memory_order_acquire);
    if (stopping.load())
      return;
    if (!enter())
      continue;
    participate(index);
    leave();
  }
}
