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
import signal
import sys

running = {}


def next_run():
    """Waits for runs and forks; it is only in the forks that this returns."""
    signal.signal(signal.SIGCHLD, report_ended)
    for line in sys.stdin:
        run = json.loads(line)
        # None is reported before it is known.
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        else:
            running[pid] = run["id"]
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        if pid == 0:
            return run
    os._exit(0)


def report_ended(*_):
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
