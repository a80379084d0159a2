// SPDX-License-Identifier: MIT
//
// A launch as its caller goes through it: alone at first where the work is
// expected to be short, then with the team if it can be had.
#include "flagtree/Runtime/ThreadPool.h"
#include "Team.h"
#include "flagtree/Runtime/Fork.h"

using namespace flagtree;

namespace {
/// Below this, waking a thread costs more than it brings.
constexpr double kShareNs = 8'000;
/// Least work that is worth one more participant.
constexpr double kParticipantNs = 5'000;
constexpr int64_t kPollNs = 50'000'000;

struct DepthGuard {
  DepthGuard() { ++launchDepth; }
  ~DepthGuard() { --launchDepth; }
};

/// Calls the poll function of a launch when its time has come.
class Poller {
public:
  Poller(const PoolTask &task, int64_t start) : task(task), last(start) {}

  /// False once the launch is over before its time; see result().
  bool goOn(int64_t now) {
    if (ended != LaunchResult::Done)
      return false;
    if (!task.poll || now - last < kPollNs)
      return true;
    return poll();
  }

  LaunchResult result() const { return ended; }

private:
  bool poll() {
    uint32_t generation = forkGeneration();
    bool stop = task.poll(task.pollContext);
    if (generation != forkGeneration())
      ended = LaunchResult::Forked;
    else if (stop)
      ended = LaunchResult::Cancelled;
    last = nowNs();
    return ended == LaunchResult::Done;
  }

  const PoolTask &task;
  int64_t last;
  LaunchResult ended = LaunchResult::Done;
};

/// One launch.
class Launch {
public:
  Launch(Team &team, const PoolTask &task)
      : team(team), task(task), now(nowNs()), start(now), poller(task, now) {}

  LaunchResult run();

private:
  bool worthSharing() const;
  int usefulParticipants() const;
  bool share();
  void runTeam();
  void finishTeam();
  void learn();

  Team &team;
  const PoolTask &task;
  int64_t now;
  const int64_t start;
  Poller poller;
  /// The programs that the caller ran in this launch.
  Chunker chunker;
  int64_t programsRun = 0;
  int64_t next = 0;
};

/// Whether others should help with what is left.
bool Launch::worthSharing() const {
  if (launchDepth > 1 || team.wantedThreads() == 1 || task.total - next < 2)
    return false;
  float each = task.cost ? task.cost->nanoseconds() : 0.0f;
  bool expectedLong = each == 0.0f || each * double(task.total) > kShareNs;
  return expectedLong || double(now - start) > kShareNs;
}

int Launch::usefulParticipants() const {
  float each = task.cost ? task.cost->nanoseconds() : 0.0f;
  if (next > 0)
    each = std::max(each, float(now - start) / float(next));
  if (each == 0.0f)
    return ThreadPool::kMaxThreads;
  double useful = each * double(task.total - next) / kParticipantNs;
  return int(std::clamp(useful, 2.0, double(ThreadPool::kMaxThreads)));
}

/// Hands the rest to the team. False when somebody else holds it.
bool Launch::share() {
  if (!team.acquire())
    return false;
  team.resize();
  team.open(task, next, usefulParticipants());
  return true;
}

void Launch::runTeam() {
  UnitRange chunk;
  while (team.take(0, chunker, chunk)) {
    now = team.run(chunk, chunker, now);
    programsRun += (chunk.end - chunk.begin) * team.programsPerUnit();
    // Workers wake each other; this helps when the first comes late.
    team.wakeNext(1);
    if (!poller.goOn(now))
      return;
  }
}

void Launch::finishTeam() {
  bool stopped = false;
  auto stopOnce = [&] {
    if (stopped || poller.goOn(nowNs()))
      return;
    stopped = true;
    team.cancel();
  };
  if (poller.result() == LaunchResult::Cancelled) {
    stopped = true;
    team.cancel();
  }
  bool alone = team.close();
  while (!alone && poller.result() != LaunchResult::Forked) {
    alone = team.awaitWorkers();
    if (!alone)
      stopOnce();
  }
  // In a child of fork the team is lost, and whoever held it with it.
  if (poller.result() == LaunchResult::Forked)
    return;
  if (stopped)
    team.clear();
  team.release();
}

void Launch::learn() {
  if (task.cost && programsRun > 0)
    task.cost->update(float(chunker.nanoseconds()) / float(programsRun));
}

LaunchResult Launch::run() {
  while (next < task.total) {
    if (worthSharing() && share()) {
      runTeam();
      finishTeam();
      break;
    }
    int64_t count = chunker.next(task.total - next);
    task.body(task.context, next, next + count);
    int64_t after = nowNs();
    chunker.record(count, after - now);
    now = after;
    next += count;
    programsRun += count;
    if (next < task.total && !poller.goOn(now))
      break;
  }
  learn();
  return poller.result();
}
} // namespace

struct ThreadPool::Impl {
  explicit Impl(int numThreads) : team(numThreads) {}
  Team team;
};

static int clampThreads(int n) { return std::clamp(n, 1, ThreadPool::kMaxThreads); }

ThreadPool::ThreadPool(int numThreads) : impl(std::make_unique<Impl>(clampThreads(numThreads))) {}

ThreadPool::~ThreadPool() = default;

int ThreadPool::numThreads() const { return impl->team.wantedThreads(); }

void ThreadPool::setNumThreads(int numThreads) {
  Team &team = impl->team;
  numThreads = clampThreads(numThreads);
  team.setWantedThreads(numThreads);
  // Workers no longer wanted should not linger; the wanted ones come later.
  if (team.workers() >= numThreads)
    stopWorkers();
}

int ThreadPool::numWorkers() const { return impl->team.workers(); }

bool ThreadPool::stopWorkers() {
  if (!impl->team.acquire())
    return false;
  impl->team.stop();
  impl->team.release();
  return true;
}

LaunchResult ThreadPool::run(const PoolTask &task) {
  if (task.total <= 0)
    return LaunchResult::Done;
  DepthGuard guard;
  // One program needs no clock, no chunks and nobody else.
  if (task.total == 1) {
    task.body(task.context, 0, 1);
    return LaunchResult::Done;
  }
  return Launch(impl->team, task).run();
}
