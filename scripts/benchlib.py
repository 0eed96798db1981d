"""What the benchmark scripts share: building, cores, the canned mock, and runs whose CPU is counted."""

import json
import os
import re
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


def two_cores(busy):
    """A core for the client and one for the mock: the idlest two, which must be idle unless `busy` is allowed."""
    cores = os.sched_getaffinity(0)
    if len(cores) < 2:
        fail("two cores are needed, one for the client and one for the mock")
    idle = idleness(cores)
    best = sorted(sorted(cores, key=lambda core: -idle[core])[:2])
    shares = ", ".join(f"core {core}: {idle[core]:.0%}" for core in best)
    if not busy and min(idle[core] for core in best) < 0.8:
        fail(f"fewer than two cores are idle, so figures would mean little ({shares} idle); end what else runs")
    return best[0], best[1]


def idleness(cores, seconds=2):
    """The share of the last seconds in which each core had nothing to do (proc_stat(5))."""
    before = core_times()
    time.sleep(seconds)
    after = core_times()
    shares = {}
    for core in cores:
        spent = [b - a for a, b in zip(before[core], after[core])]
        shares[core] = (spent[3] + spent[4]) / max(sum(spent), 1)
    return shares


def core_times():
    lines = Path("/proc/stat").read_text().splitlines()
    rows = (line.split() for line in lines if re.match(r"cpu\d", line))
    return {int(row[0][3:]): [int(field) for field in row[1:9]] for row in rows}


def pinned(core):
    return lambda: os.sched_setaffinity(0, {core})


class Mock:
    """`pushbench mock` on a core of its own; it ends when its standard input does.

    With `statistics`, jemalloc writes what it has counted to that file at the end. `last_line` is then its summary.
    """

    def __init__(self, core, profile, announcement, policy="canned", statistics=None, options=()):
        command = [PUSHBENCH, "mock", profile, "--policy", policy, "--until-stdin-closes", "--quiet", *options]
        environment = dict(os.environ)
        errors = None
        if statistics:
            environment["MALLOC_CONF"] = "stats_print:true,stats_print_opts:gdablxeh"
            errors = statistics.open("w")
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            preexec_fn=pinned(core),
            env=environment,
            text=True,
        )
        if errors:
            errors.close()
        line = self.process.stdout.readline()
        if not line:
            fail("the mock did not start")
        announcement.write_text(line)
        self.hosts = json.loads(line)["hosts"]
        self.last_line = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
            # Far less than a pipe holds.
            self.last_line = self.process.stdout.read()
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def cpu(self):
        """Seconds of CPU so far, all threads, from the scheduler's own count of nanoseconds."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def peak_memory(self):
        """MiB that were resident at most so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024


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
