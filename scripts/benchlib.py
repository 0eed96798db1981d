"""What the benchmark scripts share: building, cores, the canned mock, and runs whose CPU is counted."""

import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PUSHBENCH = ROOT / ".build/release/pushbench"
LIMIT = 300  # seconds for any one run


def fail(text):
    sys.exit(f"{Path(sys.argv[0]).name}: {text}")


def prepare():
    """Installs and builds what a comparison needs; standard output stays free for the results."""
    subprocess.run([ROOT / "scripts/install", "test"], check=True, stdout=sys.stderr)
    build = ["swift", "build", "--package-path", ROOT, "-c", "release", "--product", "pushbench"]
    subprocess.run(build, check=True, stdout=sys.stderr)


def two_cores():
    """A core for the client and one for the mock."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        fail("two cores are needed, one for the client and one for the mock")
    return cores[0], cores[1]


def pinned(core):
    return lambda: os.sched_setaffinity(0, {core})


class Mock:
    """`pushbench mock` on a core of its own; it ends when its standard input does."""

    def __init__(self, core, profile, announcement, policy="canned"):
        command = [PUSHBENCH, "mock", profile, "--policy", policy, "--until-stdin-closes"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=pinned(core), text=True
        )
        line = self.process.stdout.readline()
        if not line:
            fail("the mock did not start")
        announcement.write_text(line)
        self.hosts = json.loads(line)["hosts"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def cpu(self):
        """Seconds of CPU so far, all threads, from the scheduler's own count of nanoseconds."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


class Run:
    """One client's run: what it printed, its CPU (getrusage of the child), how long it took."""

    def __init__(self, command, core):
        begun = time.monotonic()
        with tempfile.TemporaryFile("w+") as output:
            process = subprocess.Popen(command, stdout=output, preexec_fn=pinned(core))
            status, usage = self._wait(process, begun)
            output.seek(0)
            self.output = output.read()
        self.seconds = time.monotonic() - begun
        self.cpu = usage.ru_utime + usage.ru_stime
        self.status = process.returncode = os.waitstatus_to_exitcode(status)

    @staticmethod
    def _wait(process, begun):
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                return status, usage
            if time.monotonic() - begun > LIMIT:
                process.kill()
                os.wait4(process.pid, 0)
                fail(f"{process.args[0]} took longer than {LIMIT} s")
            time.sleep(0.02)


class Pushbench:
    """`pushbench run` of one profile against a running mock."""

    def __init__(self, folder, profile, announcement):
        self.folder, self.profile, self.announcement = folder, profile, announcement

    def command(self, *overrides):
        command = [PUSHBENCH, "run", self.profile, "--hosts", self.announcement, "--json", "--quiet"]
        command += ["--out", self.folder / f"result-{secrets.token_hex(4)}"]
        for override in overrides:
            command += ["--set", override]
        return command

    @staticmethod
    def summary(run):
        """The summary that a run printed."""
        try:
            summary = json.loads(run.output)
            summary["accounting"]["delivered"]
            return summary
        except (ValueError, KeyError):
            fail(f"pushbench printed no summary (exit status {run.status}): {run.output}")
