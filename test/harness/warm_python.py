"""
A Python that imports modules once, and runs each script in a fork of itself: a run costs what the script does, not the
seconds that a large package takes to import. Scripts and packages are unmodified, and a run sees the folder and the
environment that this process was started with, also while it imports.

    python warm_python.py <module to import>...

Each line of standard input is a run, as JSON: `id`, `arguments` as Python takes them (the path of a script, or "-c" and
its text, and what follows), the files that take its output and its errors, and after how many seconds it is killed.
When it has ended, a line of standard output says its id and its exit code, negative when a signal killed it.
"""

import gc
import importlib
import json
import os
import runpy
import select
import signal
import sys

def next_run():
    """Waits for runs and forks; it is only in the forks that this returns."""
    # A handler alone would miss a child that ends just before the wait for a line begins: the system call does not return. A
    # byte in a pipe is still there then.
    ended, woken = os.pipe()
    os.set_blocking(ended, False)
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running = {}
    lines = b""
    while True:
        readable, _, _ = select.select([0, ended], [], [])
        if ended in readable:
            os.read(ended, 4096)
            report_ended(running)
        if 0 in readable:
            read = os.read(0, 65536)
            if not read:
                os._exit(0)
            *whole, lines = (lines + read).split(b"\n")
            for line in whole:
                run = json.loads(line)
                pid = os.fork()
                if pid == 0:
                    signal.set_wakeup_fd(-1)
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    os.close(ended)
                    os.close(woken)
                    return run
                running[pid] = run["id"]


def report_ended(running):
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        print(running.pop(pid), os.waitstatus_to_exitcode(status), flush=True)


def redirect(run):
    for descriptor, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, run["out"], os.O_WRONLY | os.O_CREAT),
        (2, run["err"], os.O_WRONLY | os.O_CREAT),
    ):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    sys.stdin = open(0, closefd=False)


def execute(script, *arguments):
    """As `python script arguments` does."""
    if script == "-c":
        text, *arguments = arguments
        sys.argv = ["-c", *arguments]
        sys.path[0] = ""
        exec(compile(text, "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = [script, *arguments]
        sys.path[0] = os.path.dirname(script)
        runpy.run_path(script, run_name="__main__")


for name in sys.argv[1:]:
    importlib.import_module(name)
# What is there by now is not garbage: forks need not look at it, and go on sharing its pages.
gc.freeze()
run = next_run()
redirect(run)
signal.alarm(run["seconds"])
execute(*run["arguments"])
