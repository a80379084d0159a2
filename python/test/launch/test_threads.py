# SPDX-License-Identifier: MIT
"""Threads: how many, the interpreter lock, forks, signals, shutdown."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

from flagtree._native import launch


def test_number_of_threads_can_be_set(threads):
    for n in (1, 3, 1024, 2):
        threads(n)
        assert launch.num_threads() == n


@pytest.mark.parametrize("n", [0, -1, 1025, 10**30])
def test_number_of_threads_out_of_range(n):
    with pytest.raises(ValueError, match="is not allowed: pass an integer from 1 to 1024"):
        launch.set_num_threads(n)


def test_number_of_threads_is_an_int():
    with pytest.raises(TypeError, match="got a str; pass an int from 1 to 1024"):
        launch.set_num_threads("2")


def test_default_is_the_affinity_mask(python):
    code = "os.sched_setaffinity(0, [min(os.sched_getaffinity(0))]); print(launch.num_threads())"
    assert python(code, FLAGTREE_NUM_THREADS="").stdout == "1\n"


def test_environment_sets_the_number_of_threads(python):
    code = "print(launch.num_threads()); make('noop')(1000, 1, 1); print(launch.num_threads())"
    assert python(code, FLAGTREE_NUM_THREADS="3").stdout == "3\n3\n"


@pytest.mark.parametrize("text", ["0", "many", "-2", "1.5", "4096"])
def test_invalid_environment_is_reported_at_the_first_launch_not_at_import(python, text):
    code = """
kernel = make('noop')
print('imported')
for call in (lambda: kernel(1, 1, 1), launch.num_threads):
    try:
        call()
    except ValueError as error:
        print(error)
launch.set_num_threads(2)
kernel(1, 1, 1)
print('repaired')
"""
    lines = python(code, FLAGTREE_NUM_THREADS=text).stdout.splitlines()
    assert lines[0] == "imported"
    for line in lines[1:3]:
        assert f"FLAGTREE_NUM_THREADS='{text}'" in line
        assert "from 1 to 1024" in line
    assert lines[3:] == ["repaired"]


def test_other_python_threads_run_during_a_launch(make):
    ran = np.zeros(1, np.int64)
    during = []
    kernel = make("slow", ran="*i64", us="i64")
    thread = threading.Timer(0.05, lambda: during.append(int(ran[0])))
    thread.start()
    kernel(100, 1, 1, ran, 3000)
    thread.join()
    assert ran[0] == 100
    assert 0 < during[0] < 100


def test_launches_of_several_threads_at_once(make, threads):
    threads(3)
    kernel = make("count", counts="*i32")
    wrong = []

    def work(seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(200):
            counts = np.zeros(random.integers(1, 3000), np.int32)
            kernel(len(counts), 1, 1, counts)
            if not (counts == 1).all():
                wrong.append(counts)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def interrupt_after(seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize("program_us", [50, 5000])
def test_interrupt_stops_a_launch_and_leaves_the_pool_usable(make, threads, n_threads, program_us):
    threads(n_threads)
    ran = np.zeros(1, np.int64)
    total = 10_000_000 // program_us
    timer = interrupt_after(0.1)
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        make("slow", ran="*i64", us="i64")(total, 1, 1, ran, program_us)
    assert time.perf_counter() - start < 1.0
    timer.join()
    assert 0 < ran[0] < total
    stopped = int(ran[0])
    time.sleep(0.05)
    assert ran[0] == stopped, "no program runs after the launch has ended"
    counts = np.zeros(5000, np.int32)
    make("count", counts="*i32")(5000, 1, 1, counts)
    assert (counts == 1).all()


def test_signal_whose_handler_returns_stops_nothing(make):
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.perf_counter()))
    try:
        ran = np.zeros(1, np.int64)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        make("slow", ran="*i64", us="i64")(200, 1, 1, ran, 2000)
        end = time.perf_counter()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert ran[0] == 200
    assert len(seen) == 1 and seen[0] < end, "handled during the launch"


def test_signal_handler_may_launch(make, threads):
    threads(2)
    counts = np.zeros(1000, np.int32)
    count = make("count", counts="*i32")
    before = signal.signal(signal.SIGALRM, lambda *_: count(1000, 1, 1, counts))
    try:
        ran = np.zeros(1, np.int64)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        make("slow", ran="*i64", us="i64")(200, 1, 1, ran, 2000)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert ran[0] == 200
    assert (counts == 1).all()


def test_interrupt_reaches_the_main_thread_while_another_launches(make):
    ran = np.zeros(1, np.int64)
    worker = threading.Thread(target=make("slow", ran="*i64", us="i64"), args=(200, 1, 1, ran, 2000))
    worker.start()
    timer = interrupt_after(0.05)
    with pytest.raises(KeyboardInterrupt):
        time.sleep(5)
    worker.join()
    timer.join()
    assert ran[0] == 200, "the launch of the other thread is not its business"


FORK = """
kernel = make('count', counts='*i32')
launch.set_num_threads(3)
def right():
    counts = (ctypes.c_int32 * 5000)()
    kernel(5000, 1, 1, counts)
    return all(c == 1 for c in counts)
assert right()
"""


def test_child_of_fork_launches(python):
    code = (
        FORK
        + """
child = os.fork()
if child == 0:
    os._exit(42 if right() else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), right())
"""
    )
    assert python(code).stdout == "42 True\n"


def test_child_of_fork_from_a_thread_launches_and_is_interruptible(python):
    code = (
        FORK
        + """
import signal
ran = ctypes.c_int64()
slow = make('slow', ran='*i64', us='i64')
def fork():
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            slow(10000, 1, 1, ctypes.addressof(ran), 2000)
        except KeyboardInterrupt:
            os._exit(42 if right() else 1)
        os._exit(2)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
codes = []
thread = threading.Thread(target=fork)
thread.start()
thread.join()
print(codes)
"""
    )
    assert python(code).stdout == "[42]\n"


def test_pool_of_processes_launches(python):
    code = (
        FORK
        + """
import multiprocessing
def job(i):
    return right()
with multiprocessing.get_context('fork').Pool(2) as pool:
    print(all(pool.map(job, range(20))))
"""
    )
    assert python(code).stdout == "True\n"


@pytest.mark.parametrize("program_us", [1, 1000])
def test_interpreter_ends_while_a_daemon_thread_launches(python, program_us):
    code = f"""
kernel = make('slow', ran='*i64', us='i64')
ran = ctypes.c_int64()
def forever():
    while True:
        kernel(100_000, 1, 1, ctypes.addressof(ran), {program_us})
for _ in range(2):
    threading.Thread(target=forever, daemon=True).start()
while ran.value < 10:
    time.sleep(0.001)
print('end')
"""
    started = time.perf_counter()
    done = python(code)
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr
    assert time.perf_counter() - started < 10


def test_interpreter_ends_after_launches_and_in_exit_handlers(python):
    code = """
import atexit
launch.set_num_threads(4)
kernel = make('count', counts='*i32')
def at_exit():
    counts = (ctypes.c_int32 * 5000)()
    kernel(5000, 1, 1, counts)
    print(all(c == 1 for c in counts))
atexit.register(at_exit)
at_exit()
atexit._run_exitfuncs()
at_exit()
"""
    done = python(code)
    assert (done.returncode, done.stdout) == (0, "True\nTrue\nTrue\n"), done.stderr


def test_background_launch_after_shutdown_says_so(python):
    code = """
import atexit
kernel = make('noop')
atexit._run_exitfuncs()
def work():
    try:
        kernel(1, 1, 1)
    except RuntimeError as error:
        print(error)
thread = threading.Thread(target=work)
thread.start()
thread.join()
kernel(1000, 1, 1)
"""
    done = python(code)
    assert done.returncode == 0, done.stderr
    assert "kernel 'noop': the interpreter is shutting down" in done.stdout
